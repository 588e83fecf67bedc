import Foundation
import Testing

/// The Swift in the guide to Newsstand compiles, as in an app's file.
@Suite struct GuideTests {
    private static let pieces: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/newsstand.md").standardizedFileURL
        let guide = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return guide.components(separatedBy: "\n```").filter { $0.hasPrefix("swift\n") }
            .map { String($0.dropFirst("swift\n".count)) + "\n" }
    }()

    @Test(arguments: ["5", "6"]) func theAppCompiles(mode: String) throws {
        let piece = try #require(Self.pieces.first)
        let files = FileManager.default
        let directory = files.temporaryDirectory.appendingPathComponent("newsstand-\(UUID().uuidString)")
        try files.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: directory) }
        let (source, log) = (directory.appendingPathComponent("App.swift"), directory.appendingPathComponent("log"))
        for (file, text) in [(source, piece), (log, "")] { try Data(text.utf8).write(to: file) }
        let tests = try files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let build = URL(fileURLWithPath: tests).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors", "-swift-version", mode,
            "-module-alias", "UIKit=RoostKit", "-module-alias", "NewsstandKit=RoostNewsstandKit", "-I",
            build.appendingPathComponent("Modules").path, "-Xcc",
            "-fmodule-map-file=\(build.path)/CRoostNote.build/module.modulemap", source.path,
        ]
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }
}
