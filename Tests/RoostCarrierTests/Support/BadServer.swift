import Foundation
import Testing

/// The server of RoostTransfersTests, which misbehaves as each URL says. The process ends with this object.
final class BadServer {
    private let process = Process()
    private let input = Pipe()
    private let port: Int

    init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("RoostTransfersTests/bad_server.py").path
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "the server said “\(line)”")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// A URL with the server's behavior at each request for this path: `name=value` parts, by the names in the script.
    /// The last step repeats.
    func url(_ path: String, _ steps: String...) -> String {
        "http://localhost:\(port)/\(path)?\(steps.joined(separator: "%7C"))"
    }
}
