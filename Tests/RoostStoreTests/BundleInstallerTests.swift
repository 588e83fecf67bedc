import Foundation
import Glibc
import LifeCycleModel
import Testing

@testable import RoostStore

/// A way to damage a bundle, and the error that is then reported.
struct Spoiled: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: BundleError.Code
    var subject: String
    var reason: String
    var spoil: @Sendable (SampleBundle) throws -> Void

    init(
        _ name: String, _ code: BundleError.Code, _ subject: String, _ reason: String,
        _ spoil: @escaping @Sendable (SampleBundle) throws -> Void
    ) {
        testDescription = name
        self.code = code
        self.subject = subject
        self.reason = reason
        self.spoil = spoil
    }

    static let all: [Spoiled] = [
        Spoiled("no Info.plist", .badManifest, "/Info.plist", "it is missing: add") { try $0.remove("Info.plist") },
        Spoiled("Info.plist is a folder", .badManifest, "/Info.plist", "regular file") {
            try $0.remove("Info.plist")
            try $0.write("Info.plist/x")
        },
        Spoiled("Info.plist is a link", .badManifest, "/Info.plist", "regular file") {
            try $0.write("Other.plist")
            try $0.link("Info.plist", to: "Other.plist")
        },
        Spoiled("empty Info.plist", .badManifest, "/Info.plist", "is empty") { try $0.write("Info.plist") },
        Spoiled("Info.plist too large", .badManifest, "/Info.plist", "more than 1048576") {
            try $0.write("Info.plist", String(repeating: " ", count: 1 << 21))
        },
        Spoiled("identifier that leaves its folder", .badManifest, "/Info.plist", "CFBundleIdentifier \"../x\"") {
            try $0.plist("<key>CFBundleIdentifier</key><string>../x</string>")
        },
        Spoiled("no executable", .badExecutable, "/Notes", "it is missing: CFBundleExecutable names \"Notes\"") {
            try $0.remove("Notes")
        },
        Spoiled(
            "executable whose name speaks to a terminal", .badExecutable, "/Notes\u{1B}[31m",
            "Notes\\u{1b}[31m: it is missing: CFBundleExecutable names \"Notes\\u{1b}[31m\""
        ) {
            try $0.plist(
                """
                <key>CFBundleIdentifier</key><string>com.example.Notes</string>
                <key>CFBundleExecutable</key><string>Notes\u{1B}[31m</string>
                """)
        },
        Spoiled("executable is a folder", .badExecutable, "/Notes", "this is a folder") {
            try $0.remove("Notes")
            try $0.write("Notes/Notes", mode: 0o755)
        },
        Spoiled("not executable", .badExecutable, "/Notes", "chmod +x") { try $0.write("Notes", "x", mode: 0o644) },
        Spoiled("executable by others only", .badExecutable, "/Notes", "chmod +x") {
            try $0.write("Notes", "x", mode: 0o655)
        },
        Spoiled("empty executable", .badExecutable, "/Notes", "it is empty") { try $0.write("Notes", mode: 0o755) },
        Spoiled("executable is a pipe", .badExecutable, "/Notes", "not a regular file") {
            try $0.remove("Notes")
            #expect(mkfifo($0.path + "/Notes", 0o755) == 0)
        },
        Spoiled("executable leads out", .badExecutable, "/Notes", "a symbolic link out of the bundle") {
            try $0.link("Notes", to: "/bin/sh")
        },
        Spoiled("executable leads out by a relative path", .badExecutable, "/Notes", "out of the bundle") {
            try $0.folder.write("Notes.app2/sh", "x".utf8, mode: 0o755)
            try $0.link("Notes", to: "../Notes.app2/sh")
        },
        Spoiled("executable leads nowhere", .badExecutable, "/Notes", "it is missing") {
            try $0.link("Notes", to: "nowhere")
        },
        Spoiled("executable leads to itself", .badExecutable, "/Notes", "link to itself") {
            try $0.link("Notes", to: "Notes")
        },
        Spoiled("absolute link", .unsafeContent, "/data", "leads to /etc/passwd") {
            try $0.link("data", to: "/etc/passwd")
        },
        Spoiled("link to above", .unsafeContent, "/deep/data", "outside the bundle") {
            try $0.write("deep/x")
            try $0.link("deep/data", to: "../../x")
        },
        Spoiled("link that leaves through another", .unsafeContent, "/out", "may be outside") {
            try $0.write("a/b/x")
            try $0.link("a/b/up", to: "../..")
            try $0.link("out", to: "a/b/up/..")
        },
        Spoiled("a pipe inside", .unsafeContent, "/pipe", "a pipe, socket or device") {
            #expect(mkfifo($0.path + "/pipe", 0o600) == 0)
        },
        Spoiled("a file of holes, longer than any disk", .tooLarge, "/holes", "larger than 4 GiB") {
            try $0.write("holes")
            #expect(truncate($0.path + "/holes", 5 << 40) == 0)
        },
        Spoiled("folders too deep", .tooLarge, "", "more than 64 deep") {
            try $0.write(String(repeating: "d/", count: 65) + "x")
        },
    ]
}

@Suite struct BundleInstallerTests {
    private let folder = TemporaryFolder()
    private let source = TemporaryFolder()
    private let identifier = BundleIdentifier("com.example.Notes")!
    private var installer: BundleInstaller {
        BundleInstaller(directory: folder.path) { try? FileManager.default.removeItem(atPath: $0) }
    }
    private var place: String { folder("com.example.Notes/Notes.app") }

    @Test func installsAndFinds() throws {
        let bundle = try SampleBundle(in: source)
        try bundle.write("Resources/é/data", "content", mode: 0o640)
        try bundle.link("Resources/link", to: "../Notes")
        try bundle.link("Resources/é/nowhere", to: "./missing//file")
        let installed = try installer.install(from: bundle.path + "//", replacing: false)
        #expect(installed.path == place)
        #expect(installed.executable == place + "/Notes")
        #expect(installed.manifest.identifier == identifier)
        #expect(installed.manifest.isAdopted && !installed.isBuiltOnRoostKit)
        #expect(try folder.contents(of: "com.example.Notes/Notes.app") == source.contents(of: "Notes.app"))
        #expect(try folder.contents(of: "com.example.Notes").first == "Notes.app")
        var status = stat()
        #expect(stat(place + "/Resources/é/data", &status) == 0 && status.st_mode == S_IFREG | 0o640)
        #expect(stat(place + "/Resources/link", &status) == 0 && status.st_mode == S_IFREG | 0o755)
        #expect(try installer.bundle(of: identifier) == installed)
        #expect(try installer.bundle(of: #require(BundleIdentifier("com.example.Other"))) == nil)
    }

    @Test func recognizesAppsBuiltOnRoostKit() throws {
        let notes = SampleELF.note("GNU") + SampleELF.note("Roost")
        let bundle = try SampleBundle(in: source, executable: SampleELF.file(notes, inSegment: false))
        var installed = try installer.install(from: bundle.path, replacing: false)
        #expect(installed.isBuiltOnRoostKit && !installed.manifest.isAdopted)
        let stubborn = try SampleBundle(
            in: source, name: "Other.app", identifier: "a.b", executable: SampleELF.file(notes),
            extra: "<key>RoostAdopted</key><true/>")
        installed = try installer.install(from: stubborn.path, replacing: false)
        #expect(installed.isBuiltOnRoostKit && installed.manifest.isAdopted)
    }

    @Test(arguments: ["日本語 Ünï👩‍👩‍👧.app", " .app", "a.b.app", "e\u{301}.app", "-rf.app", "a\nb.app"])
    func takesAnyName(name: String) throws {
        let bundle = try SampleBundle(in: source, name: name)
        let installed = try installer.install(from: bundle.path, replacing: false)
        #expect(installed.path.utf8.elementsEqual(folder("com.example.Notes/" + name).utf8))
        #expect(try installer.bundle(of: identifier) == installed)
    }

    @Test(arguments: [
        ("Missing.app", "there is no such folder"), ("file.app", "this is not a folder"),
        ("Notes", "must end in .app"), ("", "must end in .app"), ("Notes.app/Notes", "must end in .app"),
        (".app", "must end in .app"), (".x.app", "must not begin with a full stop"), ("NotesXapp", "must end in .app"),
        ("Notes.APP", "must end in .app"), ("dangling.app", "there is no such folder"), ("a\0.app", "must end in .app"),
    ])
    func refusesInvalidBundles(name: String, reason: String) throws {
        _ = try SampleBundle(in: source)
        try source.write("file.app", [1])
        try source.write(".x.app/Info.plist", [])
        symlink("nowhere", source("dangling.app"))
        let error = #expect(throws: BundleError.self) { try installer.install(from: source(name), replacing: false) }
        #expect(error?.code == .notABundle)
        #expect(error?.reason.contains(reason) == true, "\(error!)")
        #expect(throws: BundleError.self) { try installer.install(from: "", replacing: false) }
        #expect(throws: BundleError.self) { try installer.install(from: "/", replacing: false) }
    }

    @Test(arguments: Spoiled.all)
    func refuses(spoiled: Spoiled) throws {
        let bundle = try SampleBundle(in: source)
        try spoiled.spoil(bundle)
        let error = #expect(throws: BundleError.self) { try installer.install(from: bundle.path, replacing: false) }
        #expect(error?.code == spoiled.code)
        if !spoiled.subject.isEmpty { #expect(error?.subject == bundle.path + spoiled.subject) }
        #expect(error?.description.contains(spoiled.reason) == true, "\(error!)")
        #expect(try folder.contents().isEmpty, "a failure leaves nothing behind")
    }

    @Test(arguments: Spoiled.all)
    func aFailedReplacementLeavesTheInstalledBundle(spoiled: Spoiled) throws {
        let installed = try installer.install(from: SampleBundle(in: source).path, replacing: false)
        let before = try folder.contents()
        let bundle = try SampleBundle(in: TemporaryFolder())
        try spoiled.spoil(bundle)
        #expect(throws: BundleError.self) { try installer.install(from: bundle.path, replacing: true) }
        #expect(try folder.contents() == before)
        #expect(try installer.bundle(of: identifier) == installed)
    }

    @Test func replacesOnlyWhenAsked() throws {
        _ = try installer.install(from: SampleBundle(in: source).path, replacing: false)
        let bundle = try SampleBundle(in: TemporaryFolder())
        try bundle.write("new")
        let error = #expect(throws: BundleError.self) { try installer.install(from: bundle.path, replacing: false) }
        #expect(error?.code == .alreadyInstalled)
        #expect(try !folder.contents().contains("com.example.Notes/Notes.app/new"))
        _ = try installer.install(from: bundle.path, replacing: true)
        #expect(
            try folder.contents(of: "com.example.Notes") == [
                "Notes.app", "Notes.app/Info.plist", "Notes.app/Notes", "Notes.app/new",
            ])
        let renamed = try SampleBundle(in: TemporaryFolder(), name: "Better.app")
        #expect(
            try installer.install(from: renamed.path, replacing: true).path == folder("com.example.Notes/Better.app"))
        #expect(
            try folder.contents(of: "com.example.Notes") == ["Better.app", "Better.app/Info.plist", "Better.app/Notes"])
    }

    @Test func replacesAnAppByItself() throws {
        let installed = try installer.install(from: SampleBundle(in: source).path, replacing: false)
        #expect(try installer.install(from: installed.path, replacing: true) == installed)
    }

    @Test func dropsSetUserID() throws {
        let bundle = try SampleBundle(in: source)
        chmod(bundle.path + "/Notes", 0o6755)
        let installed = try installer.install(from: bundle.path, replacing: false)
        var status = stat()
        #expect(stat(installed.executable, &status) == 0 && status.st_mode & 0o7777 == 0o755)
    }

    @Test func completesInterruptedInstallations() throws {
        let installed = try installer.install(from: SampleBundle(in: source).path, replacing: false)
        // Interrupted while copying.
        try folder.write("com.example.Notes/.new-aaaaaa/Notes.app/Info.plist", [])
        try folder.write("com.example.First/.new-aaaaaa/First.app/Info.plist", [])
        // Interrupted after the new bundle came, before the old one was removed.
        try folder.write("com.example.Notes/.old-aaaaaa/Notes.app/Info.plist", [])
        try installer.recover { $0 == identifier }
        #expect(try installer.bundle(of: identifier) == installed)
        #expect(
            try folder.contents() == [
                "com.example.Notes", "com.example.Notes/Notes.app", "com.example.Notes/Notes.app/Info.plist",
                "com.example.Notes/Notes.app/Notes",
            ])
        // Interrupted after the old bundle was moved aside, before the new one came.
        let aside = folder("com.example.Notes/.old-bbbbbb")
        #expect(mkdir(aside, 0o700) == 0 && rename(place, aside + "/Notes.app") == 0)
        #expect(try installer.bundle(of: identifier) == nil)
        try installer.recover { $0 == identifier }
        #expect(try installer.bundle(of: identifier) == installed)
    }

    @Test func anUnrecordedFirstInstallationIsRemoved() throws {
        let bundle = try SampleBundle(in: source)
        _ = try installer.install(from: bundle.path, replacing: false)
        try installer.recover { _ in false }
        #expect(try folder.contents().isEmpty)
        _ = try installer.install(from: bundle.path, replacing: false)
        installer.wasRecorded(identifier)
        // The store was lost, so no app is recorded.
        try installer.recover { _ in false }
        #expect(try installer.bundle(of: identifier) != nil)
        // Interrupted while it was replaced; the app was installed before.
        _ = try installer.install(from: bundle.path, replacing: true)
        try installer.recover { _ in false }
        #expect(try installer.bundle(of: identifier) != nil)
    }

    @Test(arguments: [true, false])
    func refusesAnIdentifierThatDiffersByCaseAlone(replacing: Bool) throws {
        _ = try installer.install(from: SampleBundle(in: source).path, replacing: false)
        let bundle = try SampleBundle(in: TemporaryFolder(), identifier: "com.Example.notes")
        let error = #expect(throws: BundleError.self) {
            try installer.install(from: bundle.path, replacing: replacing)
        }
        #expect(error?.reason.contains("the installed com.example.Notes by case alone") == true, "\(error!)")
    }
}
