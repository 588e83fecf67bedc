import Foundation
import Glibc

/// A server that misbehaves as each URL tells it to: the script of RoostTransfersTests, which says how. It ends with this.
final class BadWebServer {
    private let process = Process()
    private let input = Pipe()
    let port: Int

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
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw TestFailure(description: "the bad server said “\(line)”")
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What it does at each request for this path: `name=value` parts, as the script has them; the last one repeats.
    func url(_ path: String, _ steps: String..., scheme: String = "http") -> String {
        "\(scheme)://localhost:\(port)/\(path)?\(steps.joined(separator: "%7C"))"
    }
}
