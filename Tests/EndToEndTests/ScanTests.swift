import Foundation
import Glibc
import Testing

@testable import SourceScan

/// The output of `roost scan --json`.
private struct Scanned: Decodable {
    struct File: Decodable {
        struct Place: Decodable {
            let line: Int
            let name: String
            let kind: String
            let advice: String
        }
        let path: String
        let kind: String
        let lines: Int
        let obstacles: [Place]
    }
    struct PassedOver: Decodable {
        let path: String
        let why: String
    }
    struct Package: Decodable {
        let path: String
        let module: String
        let subject: String?
    }
    let files: [File]
    let passedOver: [PassedOver]
    let package: Package?

    func paths(_ kinds: String...) -> [String] { files.filter { kinds.contains($0.kind) }.map(\.path) }
}

extension EndToEnd {
    /// `roost scan`: its statements are true, and it refuses what it cannot scan.
    @Suite struct ScanTests {
        /// A typical old app: a tree of files that only these tests compile.
        private static let tree = OtherPackage.checkout + "/Tests/ScanTree"

        private func scan(_ system: TestSystem, _ arguments: String...) throws -> Scanned {
            let (exit, out, err) = try system.run([TestSystem.program, "scan", "--json"] + arguments)
            #expect(exit == .code(0), "\(err)")
            return try JSONDecoder().decode(Scanned.self, from: Data(out.utf8))
        }

        /// Compiles files like the package that `roost scan` writes. The package's last build has left RoostKit's
        /// module.
        private func compile(_ files: [String], in system: TestSystem) throws -> (exit: Exit, out: String, err: String)
        {
            let build = OtherPackage.scratch + "/debug"
            return try system.run(
                [
                    "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "5", "-module-name", "Courier",
                    "-module-alias", "UIKit=RoostKit", "-I", build + "/Modules", "-Xcc",
                    "-fmodule-map-file=\(build)/CRoostNote.build/module.modulemap",
                ] + files)
        }

        /// The files in the tree, with their contents and times of modification.
        private func contents(_ folder: String) -> [String: Data?] {
            let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            return Dictionary(
                uniqueKeysWithValues: paths.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)")) })
        }

        /// The package that the scan writes builds and passes its first test, with every file that is said to build.
        /// With any other file it does not compile.
        @Test func theWrittenPackageBuilds() throws {
            try TestSystem.run(starting: false) { system in
                let package = system.directory + "/Courier"
                let before = contents(Self.tree)
                let found = try scan(
                    system, Self.tree, "--write", package, "--name", "Courier", "--roost", OtherPackage.checkout)
                #expect(contents(Self.tree) == before)
                #expect(
                    found.paths("builds") == [
                        "Courier/AppDelegate.swift", "Courier/Model/Parcel.swift", "Courier/Model/ParcelStore.swift",
                        "Courier/Push/AppDelegate+Push.swift", "Courier/Support/Log.swift",
                        "Courier/Support/Notification+Names.swift", "Courier/Sync/APIClient.swift",
                        "Courier/Sync/BackgroundDownloader.swift", "Courier/Sync/SyncManager.swift",
                        "Courier/Sync/SyncScreenModel.swift", "Courier/Sync/UploadQueue.swift",
                        "Courier/UI/LockController.swift",
                    ])
                #expect(found.paths("seam").count == 8)
                #expect(found.paths("empty") == ["Courier/Support/MenuBar.swift"])
                #expect(
                    found.paths("view") == [
                        "Courier/UI/FeedViewController.swift", "Courier/UI/ParcelCell.swift",
                        "Courier/UI/SettingsView.swift",
                    ])
                #expect(found.passedOver.map(\.path) == ["CourierTests", "Pods"])
                #expect(found.package?.module == "Courier")
                #expect(found.package?.subject == "AppDelegate, of Courier/AppDelegate.swift")
                let built = try OtherPackage.test(package, in: system)
                #expect(built.exit == .code(0), "\(built.out.suffix(3000))\(built.err.suffix(3000))")
                for test in ["restsInTheBackground", "restsInTheBackgroundAsAProcess"] {
                    #expect(built.out.contains("\(test)() passed"), "\(built.out.suffix(1000))")
                }
                let building =
                    found.paths("builds").map { "\(Self.tree)/\($0)" }
                    + [package + "/Sources/Courier/URLSession+Roost.swift"]
                let alone = try compile(building, in: system)
                #expect(alone.exit == .code(0), "\(alone.err)")
                // One file is not compiled here, and the reason is named.
                let hidden = found.files.first { $0.path == "Courier/Support/Haptics.swift" }?.obstacles ?? []
                #expect(hidden.map(\.name) == ["#if os(iOS)"] && hidden.map(\.kind) == ["condition"])
                for path in found.paths("seam", "view") where path != "Courier/Support/Haptics.swift" {
                    let (exit, _, err) = try compile(building + ["\(Self.tree)/\(path)"], in: system)
                    #expect(exit != .code(0), "\(path) compiles, but the scan says that it does not")
                    // The compiler stops at an import; otherwise it reports a line that the scan has named.
                    let lines = found.files.first { $0.path == path }?.obstacles.map(\.line) ?? []
                    #expect(lines.contains { err.contains("\(path):\($0):") }, "\(path): \(lines)\n\(err.prefix(2000))")
                }
            }
        }

        /// The compiler rejects each name that is said to be absent, and knows each name of the toolchain.
        @Test func theCompilerAgreesOnNames() throws {
            try TestSystem.run(starting: false) { system in
                let file = system.directory + "/absent.swift"
                let head = "import FoundationNetworking\nimport UIKit\n@MainActor func all() {\n"
                let lines = AbsentName.all.map(\.example)
                try (head + lines.joined(separator: "\n") + "\n}\n").write(
                    toFile: file, atomically: true, encoding: .utf8)
                let (exit, _, err) = try compile([file], in: system)
                #expect(exit != .code(0))
                for (index, line) in lines.enumerated() {
                    #expect(err.contains("absent.swift:\(index + 4):"), "compiles: \(line)")
                }
                let known = system.directory + "/known.swift"
                let types = ToolchainNames.types.union(ToolchainNames.foundationNetworking).sorted()
                let imports = [
                    "Dispatch", "Foundation", "FoundationNetworking", "Observation", "RegexBuilder", "Synchronization",
                ]
                let text =
                    imports.map { "import \($0)\n" }.joined() + types.map { "typealias A_\($0) = \($0)\n" }.joined()
                try text.write(toFile: known, atomically: true, encoding: .utf8)
                let checked = try compile([known], in: system)
                let unknown = checked.err.split(separator: "\n").filter { $0.contains("error: cannot find type") }
                #expect(unknown.isEmpty, "\(unknown.joined(separator: "\n"))")
            }
        }

        @Test func scanPrintsAList() throws {
            try TestSystem.run(starting: false) { system in
                let (exit, out, err) = try system.run([TestSystem.program, "scan", Self.tree])
                #expect(exit == .code(0) && err.isEmpty, "\(err)")
                let lines = out.split(separator: "\n").map(String.init)
                #expect(lines.first == "Build as they are" && lines.contains("  Courier/AppDelegate.swift"))
                let place = lines.first { $0.hasPrefix("  Courier/Support/Haptics.swift:1 ") } ?? ""
                #expect(place.contains(" #if os(iOS) ") && place.contains("#if os(iOS) || os(Linux)"), "\(place)")
                #expect(
                    lines.last?.hasSuffix(": 12 build as they are, 8 need a seam, 3 are views, 1 is empty here") == true
                )
            }
        }

        // MARK: Bad input

        @Test func refusals() throws {
            try TestSystem.run(starting: false) { system in
                let top = system.directory + "/bad"
                for folder in ["empty", "app", "full", "hidden/.git", "only", "only/Tests"] {
                    try FileManager.default.createDirectory(
                        atPath: "\(top)/\(folder)", withIntermediateDirectories: true)
                }
                for (path, text) in [
                    ("app/A.swift", "struct A {}"), ("full/x", ""), ("hidden/.git/A.swift", ""),
                    ("only/Tests/A.swift", ""),
                    ("seam.swift", "import UIKit"),
                ] { try text.write(toFile: "\(top)/\(path)", atomically: true, encoding: .utf8) }
                try FileManager.default.createDirectory(atPath: top + "/web", withIntermediateDirectories: true)
                try "import WebKit".write(toFile: top + "/web/W.swift", atomically: true, encoding: .utf8)
                let cases: [([String], Int32, String)] = [
                    ([top + "/none"], 1, "No such file or directory"), ([top + "/seam.swift"], 1, "is not a folder"),
                    ([top + "/empty"], 1, "no Swift file"), ([top + "/hidden"], 1, "no Swift file"),
                    ([top + "/only"], 1, "skipped Tests: tests"), ([], 64, "Missing expected argument"),
                    ([top + "/app", "--write", top + "/full"], 1, "is not empty"),
                    ([top + "/app", "--write", top + "/app"], 1, "is not empty"),
                    ([top + "/app", "--write", top + "/seam.swift"], 1, "is not a folder"),
                    ([top + "/app", "--write", top + "/none/deep"], 1, "No such file or directory"),
                    ([top + "/app", "--write", "/proc/x"], 1, "/proc/x"),
                    ([top + "/web", "--write", top + "/new"], 1, "no file builds as it is"),
                    ([top + "/app", "--name", "a/b"], 64, "slash"),
                    ([top + "/app", "--write", top + "/new", "--roost", "/nonexistent"], 1, "no checkout of Roost"),
                ]
                for (arguments, code, word) in cases {
                    let (exit, out, err) = try system.run([TestSystem.program, "scan"] + arguments)
                    #expect(exit == .code(code) && err.contains(word) && out.isEmpty, "\(arguments): \(out)\(err)")
                }
                #expect(!FileManager.default.fileExists(atPath: top + "/new"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: top + "/full") == ["x"])
            }
        }

        /// Unreadable files are named, and the rest is scanned.
        @Test func oddFilesArePassedOver() throws {
            try TestSystem.run(starting: false) { system in
                let top = system.directory + "/odd"
                let files = FileManager.default
                try files.createDirectory(atPath: top + "/in/ner", withIntermediateDirectories: true)
                try Data([0x6c, 0xff, 0xfe, 0x0a]).write(to: URL(fileURLWithPath: top + "/Latin.swift"))
                try Data([0xef, 0xbb, 0xbf] + "struct A {}\n".utf8).write(to: URL(fileURLWithPath: top + "/Mark.swift"))
                try files.createSymbolicLink(atPath: top + "/in/ner/around", withDestinationPath: "../..")
                try files.createSymbolicLink(atPath: top + "/Link.swift", withDestinationPath: "Mark.swift")
                #expect(mkfifo(top + "/Pipe.swift", 0o600) == 0)
                try "".write(toFile: top + "/Empty.swift", atomically: true, encoding: .utf8)
                try "let x = 1".write(toFile: top + "/in/a\nb.swift", atomically: true, encoding: .utf8)
                let line = "struct S { let text = \"\\(1)\"; func f() { print(text) } }\n"
                let long = "enum Long {\n" + String(repeating: line, count: 100_000).replacing("S", with: "T") + "}\n"
                try long.write(toFile: top + "/Long.swift", atomically: true, encoding: .utf8)
                let found = try scan(system, top)
                #expect(found.paths("builds") == ["Empty.swift", "Long.swift", "Mark.swift", "in/a\nb.swift"])
                #expect(found.files.first { $0.path == "Long.swift" }?.lines == 100_002)
                let why = Dictionary(uniqueKeysWithValues: found.passedOver.map { ($0.path, $0.why) })
                #expect(Set(why.keys) == ["Latin.swift", "Link.swift", "Pipe.swift", "in/ner/around"])
                #expect(why["Latin.swift"]?.contains("not in UTF-8") == true)
                #expect(why["in/ner/around"]?.contains("links are not followed") == true)
                let shown = try system.run([TestSystem.program, "scan", top])
                #expect(shown.out.contains("in/a\\u{a}b.swift"), "\(shown.out)")
            }
        }

        /// Root may read everything, so the test runs the command as another user.
        @Test(.enabled(if: geteuid() == 0)) func unreadableFilesAreListed() throws {
            try TestSystem.run(starting: false) { system in
                let top = "/tmp/roost-scan-\(UInt64.random(in: .min ... .max))"
                defer { try? FileManager.default.removeItem(atPath: top) }
                try FileManager.default.createDirectory(atPath: top + "/locked", withIntermediateDirectories: true)
                try "struct A {}".write(toFile: top + "/A.swift", atomically: true, encoding: .utf8)
                try "struct B {}".write(toFile: top + "/B.swift", atomically: true, encoding: .utf8)
                chmod(top, 0o755)
                chmod(top + "/locked", 0o700)
                chmod(top + "/B.swift", 0o600)
                chmod(top + "/A.swift", 0o644)
                let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
                // The program may be in a folder that only root may enter.
                let program = top + "/roost"
                try FileManager.default.copyItem(atPath: TestSystem.program, toPath: program)
                chmod(program, 0o755)
                let (exit, out, err) = try system.run(nobody + [program, "scan", top])
                #expect(exit == .code(0), "\(err)")
                #expect(
                    out.contains("B.swift  Permission denied") && out.contains("locked   Permission denied"), "\(out)")
                let locked = try system.run(nobody + [program, "scan", top + "/locked"])
                #expect(locked.exit == .code(1) && locked.err.contains("Permission denied"), "\(locked.err)")
            }
        }
    }
}
