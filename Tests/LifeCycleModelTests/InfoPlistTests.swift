import FoundationEssentials
import LifeCycleModel
import Testing

/// An XML property list with `body` in its dictionary.
private func xml(_ body: String) -> [UInt8] {
    let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        """
    return Array("\(head)<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
}

private func string(_ key: String, _ value: String) -> String { "<key>\(key)</key><string>\(value)</string>" }

/// The keys that every valid `Info.plist` has.
private let required = string("CFBundleIdentifier", "com.example.Notes") + string("CFBundleExecutable", "Notes")

private func error(_ bytes: [UInt8]) -> ManifestError? {
    do {
        _ = try AppManifest(infoPlist: bytes)
        return nil
    } catch {
        return error
    }
}

@Suite struct InfoPlistTests {
    @Test func readsEveryKeyThatMeansSomething() throws {
        let manifest = try AppManifest(
            infoPlist: xml(
                required + string("CFBundleDisplayName", "Notes 📝") + string("CFBundleName", "unused")
                    + "<key>UIBackgroundModes</key><array><string>location</string><string>fetch</string>"
                    + "<string>fetch</string></array><key>UIApplicationExitsOnSuspend</key><true/>"
                    + "<key>RoostAdopted</key><true/><key>LSRequiresIPhoneOS</key><true/>"
                    + "<key>UIDeviceFamily</key><array><integer>1</integer><real>2.5</real></array>"))
        #expect(
            manifest
                == AppManifest(
                    identifier: BundleIdentifier("com.example.Notes")!, executable: "Notes", displayName: "Notes 📝",
                    backgroundModes: [.fetch, .location], exitsOnSuspend: true, isAdopted: true))
    }

    /// An empty list is not the same as a missing list.
    @Test func readsWhichTasksMayBeScheduled() throws {
        let key = "<key>BGTaskSchedulerPermittedIdentifiers</key>"
        let two = "<array><string>com.example.b</string><string>com.example.a</string></array>"
        #expect(try AppManifest(infoPlist: xml(required)).taskIdentifiers == nil)
        #expect(try AppManifest(infoPlist: xml(required + key + "<array/>")).taskIdentifiers == [])
        #expect(
            try AppManifest(infoPlist: xml(required + key + two)).taskIdentifiers == ["com.example.b", "com.example.a"])
        let wrong = ManifestError.Problem.wrongType(expected: "an array of strings")
        for value in ["<true/>", "<string>x</string>", "<array><integer>1</integer></array>"] {
            #expect(error(xml(required + key + value))?.problem == wrong, "\(value)")
        }
        let long = "<array><string>" + String(repeating: "x", count: 1_025) + "</string></array>"
        #expect(error(xml(required + key + long))?.problem == .tooLong(limit: 1_024))
    }

    @Test func optionalKeysMayBeMissing() throws {
        let manifest = try AppManifest(infoPlist: xml(required))
        #expect(manifest == AppManifest(identifier: BundleIdentifier("com.example.Notes")!, executable: "Notes"))
    }

    @Test func readsBinary() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let values = [
            "CFBundleIdentifier": "com.example.Notes", "CFBundleExecutable": "Заметки", "CFBundleName": "메모",
        ]
        let manifest = try AppManifest(infoPlist: [UInt8](encoder.encode(values)))
        #expect(manifest.executable == "Заметки")
        #expect(manifest.displayName == "메모")
    }

    @Test func readsTextAfterAByteOrderMarkAndBlanks() throws {
        _ = try AppManifest(infoPlist: [0xEF, 0xBB, 0xBF] + xml(required))
        _ = try AppManifest(infoPlist: Array("\n  <plist><dict>\(required)</dict></plist>".utf8))
    }

    @Test(arguments: [
        ("CFBundleDisplayName", "A", "A"), ("CFBundleName", "B", "B"), ("CFBundleDisplayName", "", "Notes"),
        ("CFBundleName", "Übung &amp; Co. \u{202E}", "Übung & Co. \u{202E}"),
    ])
    func findsTheNameToShow(key: String, value: String, shown: String) throws {
        #expect(try AppManifest(infoPlist: xml(required + string(key, value))).displayName == shown)
    }

    @Test(arguments: [
        ("", ManifestError.Problem.empty),
        ("CFBundleIdentifier", .notAPropertyList("it starts neither with < nor with bplist")),
        ("{ CFBundleIdentifier = \"a.b\"; }", .notAPropertyList("it starts neither with < nor with bplist")),
        ("<plist>\0</plist>", .notAPropertyList("it holds a zero byte")),
        ("<plist><array/></plist>", .notADictionary),
        ("<plist><string>a</string></plist>", .notADictionary),
    ])
    func refusesNonDictionaries(text: String, problem: ManifestError.Problem) {
        #expect(error(Array(text.utf8)) == ManifestError(problem))
    }

    @Test(arguments: [
        "<plist><dict><key>CFBundleIdentifier</key>", "<html></html>", "<plist", "<plist></plist>", "bplist00",
        "bplist00garbage that goes on for more than thirty-two bytes, so that it could have a trailer",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict/></plist>",
    ])
    func refusesInvalidPropertyLists(text: String) {
        let found = error(Array(text.utf8))
        switch found?.problem {
        case .notAPropertyList, .notADictionary: break
        default: Issue.record("\(text): \(String(describing: found))")
        }
        #expect(found?.key == nil)
    }

    @Test func refusesPropertyListsThatAreTooLarge() {
        let largest = AppManifest.largestInfoPlist
        #expect(error([UInt8](repeating: 32, count: largest + 1))?.problem == .tooLarge(bytes: largest + 1))
        let nest = String(repeating: "<array>", count: 60_000) + String(repeating: "</array>", count: 60_000)
        #expect(error(xml(required + "<key>x</key>" + nest))?.problem == .tooManyContainers)
        let flat = String(repeating: "<dict/>", count: 900)
        #expect(error(xml(required + "<key>x</key><array>\(flat)</array>")) == nil)
    }

    @Test(arguments: [
        ("../x"), (".."), ("."), ("a/b"), ("/etc"), (""), ("a..b"), (".a"), ("a."), ("a b"), ("a_b"), ("é.b"), ("-a"),
        ("a.-b"), (String(repeating: "a", count: 156)),
    ])
    func refusesIdentifiers(text: String) {
        let bytes = xml(string("CFBundleIdentifier", text) + string("CFBundleExecutable", "Notes"))
        #expect(error(bytes) == ManifestError(key: "CFBundleIdentifier", .invalidIdentifier(text)))
    }

    @Test(arguments: [
        ("", ManifestError.Problem.invalidFileName("")), (".", .invalidFileName(".")), ("..", .invalidFileName("..")),
        ("../sh", .invalidFileName("../sh")), ("/bin/sh", .invalidFileName("/bin/sh")), ("a/", .invalidFileName("a/")),
        (String(repeating: "ü", count: 128), .tooLong(limit: 255)),
    ])
    func refusesExecutables(text: String, problem: ManifestError.Problem) {
        let bytes = xml(string("CFBundleIdentifier", "a.b") + string("CFBundleExecutable", text))
        #expect(error(bytes) == ManifestError(key: "CFBundleExecutable", problem))
    }

    @Test func refusesNULInAnExecutable() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let bytes = try encoder.encode(["CFBundleIdentifier": "a.b", "CFBundleExecutable": "a\0b"])
        #expect(error([UInt8](bytes)) == ManifestError(key: "CFBundleExecutable", .nulCharacter))
    }

    @Test(arguments: [
        ("CFBundleIdentifier", string("CFBundleExecutable", "x"), ManifestError.Problem.missing),
        ("CFBundleExecutable", string("CFBundleIdentifier", "a.b"), .missing),
        ("CFBundleIdentifier", "<key>CFBundleIdentifier</key><integer>3</integer>", .wrongType(expected: "a string")),
        (
            "CFBundleExecutable", string("CFBundleIdentifier", "a.b") + "<key>CFBundleExecutable</key><true/>",
            .wrongType(expected: "a string")
        ),
        ("CFBundleName", required + "<key>CFBundleName</key><array/>", .wrongType(expected: "a string")),
        (
            "UIBackgroundModes", required + string("UIBackgroundModes", "fetch"),
            .wrongType(expected: "an array of strings")
        ),
        (
            "UIBackgroundModes", required + "<key>UIBackgroundModes</key><array><integer>1</integer></array>",
            .wrongType(expected: "an array of strings")
        ),
        (
            "UIBackgroundModes", required + "<key>UIBackgroundModes</key><array><string>Fetch</string></array>",
            .unknownBackgroundMode("Fetch")
        ),
        (
            "UIApplicationExitsOnSuspend", required + string("UIApplicationExitsOnSuspend", "YES"),
            .wrongType(expected: "a Boolean, <true/> or <false/>")
        ),
        (
            "RoostAdopted", required + "<key>RoostAdopted</key><integer>1</integer>",
            .wrongType(expected: "a Boolean, <true/> or <false/>")
        ),
    ])
    func namesTheKeyThatIsWrong(key: String, body: String, problem: ManifestError.Problem) {
        #expect(error(xml(body)) == ManifestError(key: key, problem))
    }

    private static let sceneManifest = "UIApplicationSceneManifest"

    private static func scenes(_ body: String) -> [UInt8] {
        xml(required + "<key>\(sceneManifest)</key>\(body)")
    }

    @Test(arguments: [
        "<dict/>", "<dict><key>UIApplicationSupportsMultipleScenes</key><false/></dict>",
        "<dict><key>UISceneConfigurations</key><dict/></dict>",
        """
        <dict><key>UIApplicationSupportsMultipleScenes</key><true/><key>UISceneConfigurations</key><dict>
        <key>UIWindowSceneSessionRoleApplication</key><array><dict>
        <key>UISceneConfigurationName</key><string>Default Configuration</string>
        <key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
        <key>UISceneStoryboardFile</key><string>Main</string></dict></array></dict></dict>
        """,
    ])
    func aSceneManifestMeansScenes(body: String) throws {
        #expect(try AppManifest(infoPlist: Self.scenes(body)).usesScenes)
        #expect(try !AppManifest(infoPlist: xml(required)).usesScenes)
    }

    @Test(arguments: [
        "<true/>", "<string>yes</string>", "<array/>", "<integer>1</integer>",
        "<dict><key>UISceneConfigurations</key><array/></dict>",
        "<dict><key>UISceneConfigurations</key><string>Main</string></dict>",
        "<dict><key>UISceneConfigurations</key><dict><key>Role</key><string>a</string></dict></dict>",
        "<dict><key>UISceneConfigurations</key><dict><key>Role</key><array><string>a</string></array></dict></dict>",
        """
        <dict><key>UISceneConfigurations</key><dict><key>Role</key><array><dict>
        <key>UISceneDelegateClassName</key><integer>7</integer></dict></array></dict></dict>
        """,
    ])
    func anAbsurdSceneManifestIsNamed(body: String) {
        let found = error(Self.scenes(body))
        #expect(found?.key == Self.sceneManifest)
        #expect(found?.description.contains("a dictionary whose UISceneConfigurations") == true)
    }

    @Test func errorsSayWhatToDo() {
        #expect(
            ManifestError(key: "UIBackgroundModes", .unknownBackgroundMode("gps")).description
                == "UIBackgroundModes has the entry \"gps\", which is no background mode; the modes are audio, location, "
                + "voip, newsstand-content, external-accessory, bluetooth-central, bluetooth-peripheral, fetch, "
                + "remote-notification, processing, nearby-interaction, network-authentication, push-to-talk")
        #expect(
            ManifestError(key: "CFBundleIdentifier", .missing).description
                == "CFBundleIdentifier is missing: add it, as a string")
        let long = ManifestError(key: "CFBundleExecutable", .invalidFileName(String(repeating: "/\u{1B}", count: 500)))
        #expect(long.description.utf8.count < 600)
        #expect(!long.description.unicodeScalars.contains("\u{1B}"))
    }

    /// Random changes to a valid file may give any result, but no crash.
    @Test func survivesDamage() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let values = ["CFBundleIdentifier": "a.b", "CFBundleExecutable": "Заметки", "CFBundleName": "x"]
        let originals = [xml(required), [UInt8](try encoder.encode(values))]
        var generator = SplitMix(state: 0x0520)
        for round in 0..<4_000 {
            var bytes = originals[round % 2]
            for _ in 0...(generator.next() % 4) {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            _ = error(bytes)
        }
    }
}

/// A small generator with a seed, so that a failure can be repeated.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
