import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Valid but absurd bundles: an `Info.plist` with every possible value, names with every possible byte, and files
    /// that are not bundles. Each costs its installer an error message, and affects nothing else.
    @Suite struct BadBundleTests {
        // MARK: Info.plist

        private static let wrong = [
            "<integer>7</integer>", "<true/>", "<string>text</string>", "<array><integer>1</integer></array>",
            "<dict><key>a</key><string>b</string></dict>", "<data>AAAA</data>", "<real>nan</real>",
            "<date>2020-01-01T00:00:00Z</date>",
        ]

        /// Keys with the values in `wrong` that are valid for them.
        private static let keys: [(key: String, right: [String])] = [
            ("CFBundleIdentifier", ["<string>text</string>"]), ("CFBundleExecutable", ["<string>text</string>"]),
            ("CFBundleDisplayName", ["<string>text</string>"]), ("CFBundleName", ["<string>text</string>"]),
            ("UIBackgroundModes", []), ("UIApplicationExitsOnSuspend", ["<true/>"]), ("RoostAdopted", ["<true/>"]),
            ("UIApplicationSceneManifest", ["<dict><key>a</key><string>b</string></dict>"]),
        ]

        private static func scenes(_ configurations: String) -> String {
            "<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key>\(configurations)</dict>"
        }

        private static let delegate = "<key>UISceneDelegateClassName</key>"
        private static let role = "<key>UIWindowSceneSessionRoleApplication</key>"
        private static let longText = String(repeating: "가", count: 300_000)

        private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

        /// An addition to a sound `Info.plist`, and words of the refusal; no words if the bundle is still valid.
        private struct Addition {
            var what: String
            var xml: String
            var words: [String] = []
        }

        private static let additions: [Addition] = [
            Addition(
                what: "configurations that are text", xml: scenes("<string>x</string>"),
                words: ["UIApplicationSceneManifest"]),
            Addition(
                what: "a role that is a dictionary", xml: scenes("<dict>\(role)<dict/></dict>"),
                words: ["UIApplicationSceneManifest"]),
            Addition(
                what: "a configuration that is a number",
                xml: scenes("<dict>\(role)<array><integer>1</integer></array></dict>"),
                words: ["UIApplicationSceneManifest"]),
            Addition(
                what: "a class that is a number",
                xml: scenes("<dict>\(role)<array><dict>\(delegate)<integer>1</integer></dict></array></dict>"),
                words: ["UIApplicationSceneManifest"]),
            Addition(what: "an unheard-of role", xml: scenes("<dict><key>x\n\ny</key><array/></dict>")),
            Addition(
                what: "one mode a thousand times",
                xml: "<key>UIBackgroundModes</key><array>\(many("<string>audio</string>", 1000))</array>"),
            Addition(
                what: "an unknown mode", xml: "<key>UIBackgroundModes</key><array><string>📺\nx</string></array>",
                words: ["UIBackgroundModes", "📺"]),
            Addition(what: "a deep value", xml: "<key>x</key>\(many("<array>", 900))\(many("</array>", 900))"),
            Addition(
                what: "a value without a ground",
                xml: "<key>x</key>\(many("<array>", 60_000))\(many("</array>", 60_000))",
                words: ["arrays and dictionaries"]),
            Addition(
                what: "a name of 900 kB", xml: "<key>CFBundleName</key><string>\(longText)</string>",
                words: ["CFBundleName", "1024"]),
            Addition(what: "900 kB that mean nothing", xml: "<key>x</key><string>\(longText)</string>"),
            Addition(
                what: "more than 1 MiB", xml: "<key>x</key><string>\(longText)\(longText)</string>",
                words: ["1048576"]),
            Addition(
                what: "an executable of 900 kB", xml: "<key>CFBundleExecutable</key><string>\(longText)</string>",
                words: ["CFBundleExecutable"]),
            Addition(
                what: "a name with a line break", xml: "<key>CFBundleDisplayName</key><string>two\nlines</string>"),
            Addition(what: "an empty key", xml: "<key></key><string></string>"),
        ]

        /// Entities of entities: ten billion times a text of 1000 bytes.
        private static var bomb: String {
            var entities = "<!ENTITY b0 \"\(many("x", 1000))\">"
            for level in 1...10 { entities += "<!ENTITY b\(level) \"\(many("&b\(level - 1);", 10))\">" }
            return plist(sound() + "<key>x</key><string>&b10;</string>", before: "<!DOCTYPE plist [\(entities)]>")
        }

        private static var entityOfFile: String {
            plist(
                sound() + "<key>CFBundleName</key><string>&f;</string>",
                before: "<!DOCTYPE plist [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>")
        }

        /// Whole files that are not valid property lists for an app.
        private static var files: [(what: String, bytes: [UInt8])] {
            var utf16: [UInt8] = [0xFF, 0xFE]
            for unit in plist(sound()).utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
            var cut = Array(plist("<key>CFBundleIdentifier</key><string>").utf8)
            cut += [0xFF, 0xC0]
            return [
                ("entities upon entities", Array(bomb.utf8)), ("an entity from a file", Array(entityOfFile.utf8)),
                ("half a binary one", Array("bplist00".utf8) + [0xD1, 1, 2]), ("UTF-16", utf16),
                ("bytes that are no text", cut), ("an array at the top", Array("<plist><array/></plist>".utf8)),
            ]
        }

        private static func plist(_ keys: String, before: String = "") -> String {
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(before)<plist version=\"1.0\"><dict>\(keys)</dict></plist>\n"
        }

        /// A sound property list, except for the key `without`.
        private static func sound(without key: String = "") -> String {
            [("CFBundleIdentifier", "org.roost.test.Absurd"), ("CFBundleExecutable", "run")].filter { $0.0 != key }
                .map { "<key>\($0.0)</key><string>\($0.1)</string>" }.joined()
        }

        @Test func absurdPropertyLists() throws {
            try TestSystem.runWithBystander { system in
                let bundle = try makeBundle("Absurd.app", system)
                for (key, right) in Self.keys {
                    for value in Self.wrong where !right.contains(value) {
                        let text = Self.plist(Self.sound(without: key) + "<key>\(key)</key>\(value)")
                        try install(bundle, system, "\(key) \(value)", Array(text.utf8), refusedWith: [key])
                    }
                }
                for addition in Self.additions {
                    let key = addition.xml.contains("CFBundleExecutable") ? "CFBundleExecutable" : ""
                    let text = Self.plist(Self.sound(without: key) + addition.xml)
                    try install(
                        bundle, system, addition.what, Array(text.utf8),
                        refusedWith: addition.words.isEmpty ? nil : addition.words)
                }
                for (what, bytes) in Self.files { try install(bundle, system, what, bytes, refusedWith: []) }
                // If a key appears twice, one value counts; the reader of property lists chooses it.
                let twice = "<key>CFBundleIdentifier</key><string>org.roost.test.Absurd</string>"
                let text = Self.plist(Self.sound() + twice)
                try install(bundle, system, "a key twice", Array(text.utf8), refusedWith: nil)
                try expectNothingLeft(system)
            }
        }

        /// Installs a bundle with this `Info.plist`. `words` are the words of the refusal; nil if it succeeds.
        private func install(
            _ bundle: String, _ system: TestSystem, _ what: String, _ plist: [UInt8], refusedWith words: [String]?
        ) throws {
            try Data(plist).write(to: URL(fileURLWithPath: bundle + "/Info.plist"))
            switch try system.ask(.install(path: bundle, replacing: false)) {
            case .failed(let failure):
                #expect(failure.code == .badBundle, "\(what)")
                #expect(words != nil, "\(what) is refused: \(failure.message.prefix(500))")
                for word in (words ?? []) + ["Info.plist"] {
                    #expect(failure.message.contains(word), "\(what): \(failure.message.prefix(500))")
                }
                #expect(failure.message.utf8.count < 4096, "\(what)")
            case .installed(let app, _, _):
                #expect(words == nil, "\(what) is installed")
                let table = try system.roost("ps").out
                #expect(table.split(separator: "\n").count == 4, "\(what): a line for each app\n\(table)")
                try system.tell(.uninstall(app.identifier))
            case let reply: throw TestFailure(description: "\(what): \(reply)")
            }
        }

        /// Makes a bundle with a script as its executable, in the test's directory.
        private func makeBundle(_ name: String, _ system: TestSystem, executable: String = "run") throws -> String {
            let bundle = "\(system.directory)/bundles/\(name)"
            guard mkdir(bundle, 0o755) == 0 else { throw TestFailure(description: "\(bundle): errno \(errno)") }
            let keys =
                Self.sound(without: "CFBundleExecutable")
                + "<key>CFBundleExecutable</key><string>\(executable)</string>"
            try Data(Self.plist(keys).utf8).write(to: URL(fileURLWithPath: bundle + "/Info.plist"))
            let script = "#!/bin/sh\nprintf '%s\\n' \"$0\"\nexec sleep 1000\n"
            try Data(script.utf8).write(to: URL(fileURLWithPath: "\(bundle)/\(executable)"))
            chmod("\(bundle)/\(executable)", 0o755)
            return bundle
        }

        private func expectNothingLeft(_ system: TestSystem) throws {
            let left = try FileManager.default.contentsOfDirectory(atPath: system.state + "/bundles")
            #expect(left.sorted() == [BundleIdentifier.counter, .second].map(\.rawValue).sorted(), "\(left)")
        }

        // MARK: Names

        private static let names = [
            "a b  c", "line\nbreak", "카운터 앱", "-rf", "--", "$(touch x)", "a'b\"c\\d", "\u{1B}[31mred", "e\u{301}",
            String(repeating: "n", count: 251), String(repeating: "앱", count: 83),
        ]

        /// Bundles, their executables and their other files may have any name that Linux allows.
        @Test func oddNames() throws {
            try TestSystem.runWithBystander { system in
                let app = BundleIdentifier.named("org.roost.test.Absurd")
                for name in Self.names {
                    let executable = name.unicodeScalars.contains { $0.value == 0x1B } ? "run" : name
                    let bundle = try makeBundle(name + ".app", system, executable: executable)
                    try Data().write(to: URL(fileURLWithPath: "\(bundle)/x\n\(name.prefix(20))"))
                    // By its path, and by its name alone from its own folder.
                    let installed = try system.run(
                        [
                            "sh", "-c", "cd \"$0\" && exec \"$1\" install -- \"$2\"", system.directory + "/bundles",
                            TestSystem.program, name + ".app",
                        ])
                    #expect(installed.exit == .code(0), "\(name): \(installed.err)")
                    #expect(try system.roost("install", "--replace", bundle).exit == .code(0), "\(name)")
                    try system.launch(app)
                    try system.untilPrinted(app, "/")
                    #expect(system.log(app).joined(separator: "\n").hasSuffix("/" + executable), "\(system.log(app))")
                    #expect(try system.roost("uninstall", "\(app)").exit == .code(0))
                    try FileManager.default.removeItem(atPath: bundle)
                }
                try system.launch(.counter)
                try expectNothingLeft(system)
            }
        }

        /// Things that are not bundles, or that reach out of their bundle.
        private static let places: [(what: String, make: @Sendable (String) throws -> Void, words: [String])] = [
            ("a pipe", { mkfifo($0, 0o600) }, ["folder"]),
            ("a file", { try Data().write(to: URL(fileURLWithPath: $0)) }, ["folder"]),
            ("a link to a device", { symlink("/dev/zero", $0) }, ["folder"]),
            ("a link to nothing", { symlink("nothing", $0) }, []),
            ("a link to itself", { symlink($0, $0) }, []),
            ("an empty folder", { mkdir($0, 0o755) }, ["Info.plist"]),
            (
                "a plist that is a pipe",
                {
                    mkdir($0, 0o755); mkfifo($0 + "/Info.plist", 0o600)
                }, ["Info.plist"]
            ),
            (
                "a plist that is a device",
                {
                    mkdir($0, 0o755); symlink("/dev/zero", $0 + "/Info.plist")
                }, ["Info.plist"]
            ),
            (
                "a plist that is a folder",
                {
                    mkdir($0, 0o755); mkdir($0 + "/Info.plist", 0o755)
                }, ["Info.plist"]
            ),
        ]

        /// Files that are added to a sound bundle.
        private static let contents: [(what: String, add: @Sendable (String) -> Void, words: [String])] = [
            ("a link to the root", { symlink("/", $0 + "/root") }, ["/root"]),
            ("a link upwards", { symlink("../../../../etc/passwd", $0 + "/up") }, ["/up"]),
            ("a link up and in again", { symlink("../Absurd.app/run", $0 + "/in") }, ["/in"]),
            (
                "a link over a link",
                {
                    symlink("..", $0 + "/a"); symlink("a/a/etc", $0 + "/b")
                }, []
            ),
            ("a pipe", { mkfifo($0 + "/pipe\nline", 0o600) }, ["pipe"]),
            (
                "the executable is a link out",
                {
                    unlink($0 + "/run"); symlink("/bin/sh", $0 + "/run")
                }, ["/run"]
            ),
            (
                "the executable is a folder",
                {
                    unlink($0 + "/run"); mkdir($0 + "/run", 0o755)
                }, ["/run"]
            ),
        ]

        @Test func invalidBundlesAreRefused() throws {
            try TestSystem.runWithBystander { system in
                let bundle = system.directory + "/bundles/Absurd.app"
                func expectRefusal(_ what: String, _ words: [String]) throws {
                    let (exit, out, err) = try system.roost("install", bundle)
                    #expect(exit == .code(1) && out.isEmpty, "\(what): \(out)\(err)")
                    for word in words + ["Absurd.app"] { #expect(err.contains(word), "\(what): \(err)") }
                    try FileManager.default.removeItem(atPath: bundle)
                    try system.ask(.list)
                }
                for (what, make, words) in Self.places {
                    try make(bundle)
                    try expectRefusal(what, words)
                }
                for (what, add, words) in Self.contents {
                    add(try makeBundle("Absurd.app", system))
                    try expectRefusal(what, words)
                }
                for path in ["/dev/zero", "/proc", "/" + String(repeating: "x/", count: 3000)] {
                    let (exit, _, err) = try system.roost("install", path)
                    #expect(exit == .code(1) && !err.isEmpty, "\(path.prefix(80)): \(err)")
                }
                try expectNothingLeft(system)
            }
        }
    }
}
