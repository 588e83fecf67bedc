import Foundation
import LifeCycleModel
import RoostWire

/// An app that is a Python program speaking the wire by itself, from a file beside this one.
struct ProgramBundle {
    let identifier: BundleIdentifier
    /// The file's name, without its extension.
    let program: String
    /// The lines put above the program.
    let preamble: String

    /// The program's file among the tests' sources.
    static func source(_ program: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(program + ".py").path
    }

    /// Makes the bundle in a test's directory, and installs it.
    func install(in system: TestSystem) throws {
        let files = FileManager.default
        let bundle = "\(system.directory)/bundles/\(identifier).app"
        let built = TestSystem.products.appendingPathComponent("DownloadTestApp").path
        try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        // It becomes the program beside it.
        try files.copyItem(atPath: built, toPath: bundle + "/app")
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>app</string>
            <key>UIBackgroundModes</key><array><string>fetch</string><string>remote-notification</string></array>
            </dict></plist>
            """
        try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
        let text = try String(contentsOfFile: Self.source(program), encoding: .utf8)
        try (preamble + text).write(toFile: bundle + "/program.py", atomically: false, encoding: .utf8)
        for path in ["", "/Info.plist", "/app", "/program.py"] { system.give(bundle + path) }
        try system.tell(.install(path: bundle, replacing: false))
    }
}
