import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// `roost new`: its result, and its refusals.
    @Suite struct NewTests {
        /// Runs `roost new` in a folder of the test.
        private func new(
            _ system: TestSystem, _ arguments: String..., in folder: String? = nil
        ) throws -> (exit: Exit, out: String, err: String) {
            let script = #"cd "$0" && exec "$@""#
            return try system.run(
                ["sh", "-c", script, folder ?? system.directory, TestSystem.program, "new"] + arguments
                    + ["--roost", OtherPackage.checkout])
        }

        /// A new app is made, built, tested and run with the commands that `roost new` prints.
        @Test func fromNothingToActive() throws {
            try TestSystem.run(starting: false) { system in
                let made = try new(system, "우리 앱 & <Notes>")
                #expect(made.exit == .code(0), "\(made.err)")
                #expect(made.out.contains("roost run '우리 앱 & <Notes>'"), "\(made.out)")
                let app = system.directory + "/우리 앱 & <Notes>"
                let scratch = OtherPackage.scratch
                let built = try OtherPackage.test(app, in: system)
                #expect(built.exit == .code(0), "\(built.out.suffix(3000))\(built.err.suffix(3000))")
                for test in ["greets", "writesItsDiary", "forgetsWhatItKeptInMemoryAlone"] {
                    #expect(built.out.contains("\(test)() passed"), "\(built.out.suffix(1000))")
                }
                let out = system.directory + "/run.out"
                system.follow(system.directory)
                let child = try ChildProcess(
                    [TestSystem.program, "run", app, "--scratch-path", scratch], environment: system.environment,
                    output: out)
                try system.until("the app prints its greeting", also: [child.held]) {
                    child.held.isGone || Kernel.text(out)?.contains("output   Hello.") == true ? true : nil
                }
                child.held.send(SIGINT)
                #expect(try child.exit() == .code(128 + SIGINT), "\(Kernel.text(out) ?? "")")
                let said = Kernel.text(out) ?? ""
                #expect(said.contains("open 우리 앱 & <Notes>") && said.contains("inactive → active"), "\(said)")
            }
        }

        /// The new app's tests are real: they find an error in its background code.
        @Test func itsTestsFindAForgottenTask() throws {
            try TestSystem.run(starting: false) { system in
                #expect(try new(system, "Forgetful", "--background-downloads").exit == .code(0))
                let app = system.directory + "/Forgetful"
                // The names of background downloads are available, also in a file that imports their double.
                try """
                import Foundation
                import FoundationNetworking

                func session() -> URLSession { URLSession(configuration: .background(withIdentifier: "s")) }
                """.write(toFile: app + "/Sources/Forgetful/Session.swift", atomically: true, encoding: .utf8)
                let file = app + "/Sources/Forgetful/Diary.swift"
                let code = Kernel.text(file) ?? ""
                let wrong = code.replacing(".\")\n            end()\n", with: ".\")\n")
                try #require(wrong != code)
                try wrong.write(toFile: file, atomically: true, encoding: .utf8)
                let built = try OtherPackage.test(app, in: system)
                #expect(
                    built.exit != .code(0) && built.out.contains("writesItsDiary() failed"), "\(built.out.suffix(3000))"
                )
                #expect(built.out.contains("greets() passed"))
            }
        }

        @Test(arguments: [
            ("Notes", "Notes", "com.example.Notes"), ("my notes", "MyNotes", "com.example.MyNotes"),
            ("내 앱", "App", "com.example.App"), ("class", "ClassApp", "com.example.ClassApp"),
            ("7 Days", "App7Days", "com.example.App7Days"),
            ("Foundation", "FoundationApp", "com.example.FoundationApp"),
            ("a_b", "a_b", "com.example.a-b"), ("quote\"d\\", "QuoteD", "com.example.QuoteD"),
        ])
        func names(name: String, module: String, identifier: String) throws {
            try TestSystem.run(starting: false) { system in
                let made = try new(system, name)
                #expect(made.exit == .code(0), "\(made.err)")
                #expect(made.out.contains("the module \(module), the app \(identifier)\n"), "\(made.out)")
                let folder = system.directory + "/" + name
                let plist = try #require(FileManager.default.contents(atPath: "\(folder)/Sources/\(module)/Info.plist"))
                let manifest = try AppManifest(infoPlist: Array(plist))
                #expect(manifest.displayName == name && manifest.executable == module)
                #expect(manifest.identifier.rawValue == identifier)
            }
        }

        @Test func refusals() throws {
            try TestSystem.run(starting: false) { system in
                let cases: [(String, Int32, String)] = [
                    ("", 64, "needs a name"), ("a/b", 64, "slash"), ("..", 64, "full stop"), (".x", 64, "full stop"),
                    (" x", 64, "space"), ("a\nb", 64, "line end"), ("X.app", 64, ".app"),
                    (String(repeating: "x", count: 201), 64, "200"), ("state-of-things", 0, ""),
                    ("state-of-things", 1, "File exists"), ("t.txt", 1, "File exists"),
                ]
                try "mine".write(toFile: system.directory + "/t.txt", atomically: true, encoding: .utf8)
                for (name, code, word) in cases {
                    let (exit, _, err) = try new(system, name)
                    #expect(exit == .code(code), "\(name): \(err)")
                    #expect(word.isEmpty || err.contains(word), "\(name): \(err)")
                }
                #expect(Kernel.text(system.directory + "/t.txt") == "mine")
                let bad = try system.roost("new", "X", "--roost", "/nonexistent")
                #expect(bad.exit == .code(1) && bad.err.contains("no checkout of Roost"), "\(bad.err)")
                let identifier = try new(system, "X", "--identifier", "not..one")
                #expect(identifier.exit == .code(64) && identifier.err.contains("not..one"), "\(identifier.err)")
                let nowhere = try new(system, "X", in: "/proc")
                #expect(nowhere.exit == .code(1) && nowhere.err.contains("/proc/X"), "\(nowhere.err)")
            }
        }

        @Test func fromARepository() throws {
            try TestSystem.run(starting: false) { system in
                let script = #"cd "$0" && exec "$@""#
                let made = try system.run([
                    "sh", "-c", script, system.directory, TestSystem.program, "new", "Far", "--roost",
                    "https://example.com/somebody/roost.git",
                ])
                #expect(made.exit == .code(0), "\(made.err)")
                let package = Kernel.text(system.directory + "/Far/Package.swift") ?? ""
                #expect(package.contains(#".package(url: "https://example.com/somebody/roost.git", branch: "main")"#))
                #expect(package.contains(#"package: "roost")"#), "\(package)")
            }
        }
    }
}
