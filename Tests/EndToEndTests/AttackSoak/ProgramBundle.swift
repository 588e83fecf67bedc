import Foundation
import LifeCycleModel
import RoostWire

/// An app that is a Python program and speaks the wire protocol itself. The program is a file in this folder.
struct ProgramBundle {
    let identifier: BundleIdentifier
    /// The file's name, without its extension.
    let program: String
    /// Lines that are inserted before the program.
    let preamble: String

    /// The path of the program, among the tests' sources.
    static func source(_ program: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(program + ".py").path
    }

    /// Makes the bundle in a test's directory and installs it.
    func install(in system: TestSystem) throws {
        let files = FileManager.default
        let bundle = "\(system.directory)/bundles/\(identifier).app"
        let built = TestSystem.products.appendingPathComponent("DownloadTestApp").path
        try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        // The app executes the program beside it.
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
