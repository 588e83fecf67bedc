import Foundation
import Glibc

/// A server that misbehaves as each URL says. The script in RoostTransfersTests lists the parameters. The process ends
/// with this object.
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

    /// A URL with the server's behavior at each request for this path: `name=value` parts, by the names in the script.
    /// The last step repeats.
    func url(_ path: String, _ steps: String..., scheme: String = "http") -> String {
        "\(scheme)://localhost:\(port)/\(path)?\(steps.joined(separator: "%7C"))"
    }
}
