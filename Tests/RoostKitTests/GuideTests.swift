import Foundation
import Testing

/// All Swift in the guide "Bring your iOS code" compiles, as in an app's own file.
@Suite struct GuideTests {
    private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/bring-your-ios-code.md").standardizedFileURL

    /// The pieces of Swift in the guide.
    private static let snippets: [String] = {
        let text = (try? String(contentsOf: guide, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n```").enumerated().compactMap { index, part in
            guard index % 2 == 1, part.hasPrefix("swift\n") else { return nil }
            return String(part.dropFirst("swift\n".count))
        }
    }()

    /// The folder with the built modules.
    private static func buildFolder() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent()
    }

    /// Compiles a text as a file of an app whose UIKit is RoostKit; returns the compiler's output.
    private static func compile(_ text: String, mode: String) throws -> (isGood: Bool, output: String) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("roostkit-\(UUID().uuidString).swift")
        let log = file.appendingPathExtension("log")
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: log)
        }
        try Data(text.utf8).write(to: file)
        try Data().write(to: log)
        let build = try buildFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors", "-swift-version", mode,
            "-module-alias", "UIKit=RoostKit", "-I", build.appendingPathComponent("Modules").path, "-Xcc",
            "-fmodule-map-file=\(build.path)/CRoostNote.build/module.modulemap", file.path,
        ]
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus == 0, (try? String(contentsOf: log, encoding: .utf8)) ?? "")
    }

    @Test(arguments: snippets.indices, ["5", "6"]) func everyPieceCompiles(_ index: Int, mode: String) throws {
        let result = try Self.compile(Self.snippets[index], mode: mode)
        #expect(result.isGood, "\(Self.snippets[index])\n\(result.output)")
    }

    @Test func theGuideHasPieces() { #expect(Self.snippets.count >= 6) }

    /// Names that are missing according to the guide are missing. Otherwise the guide is out of date.
    @Test(arguments: [
        "class A: NSObject { @objc func a() {} }", "class A: NSObject { func a() {}; func b() { _ = #selector(a) } }",
        "class A: UIView { @IBOutlet var a: UIView! }", "let a = UIButton()", "import SwiftUI", "import CoreData",
        "func a(_ a: NSUserActivity) {}", "@UIApplicationMain class A: UIResponder, UIApplicationDelegate {}",
    ])
    func whatIsMissingIsMissing(_ text: String) throws {
        let result = try Self.compile("import UIKit\n\(text)\n", mode: "6")
        #expect(!result.isGood && result.output.contains("error:"), "\(result.output)")
    }
}
