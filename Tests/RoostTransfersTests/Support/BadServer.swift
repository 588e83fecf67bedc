import Foundation
import Testing

/// `bad_server.py`, as a process that ends with this object.
final class BadServer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    let port: Int
    private let scheme: String

    /// Starts a server, with TLS if it has a certificate. It sends `answer` as it is to every request but those for the
    /// log. `settings` are environment variables that the script reads.
    init(
        certificate: (file: String, key: String)? = nil, answer: String? = nil, settings: [String: String] = [:]
    ) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("bad_server.py").path
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script] + (certificate.map { [$0.file, $0.key] } ?? [])
        process.environment = ProcessInfo.processInfo.environment.merging(
            settings.merging(["ANSWER": answer ?? ""].filter { !$0.value.isEmpty }) { $1 }
        ) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "the server said “\(line)”")
        scheme = certificate == nil ? "http" : "https"
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The behavior at one request, by the names in the script.
    typealias Step = [String: String]

    func url(_ path: String, _ steps: Step...) -> String {
        let query = steps.map { step in
            step.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
        }
        return "\(scheme)://localhost:\(port)\(path)?\(query.joined(separator: "%7C"))"
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isLetter || character.isNumber
                ? String(character) : "%" + String(byte, radix: 16, uppercase: true).leftPadded
        }.joined()
    }

    struct Request: Decodable, Equatable {
        var method: String
        var fields: [String: String]
        /// The client's port, which tells its connections apart.
        var port: Int
    }

    /// The requests for a path so far.
    func requests(_ path: String) throws -> [Request] {
        let socket = try Self.exchange("GET /log\(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", port: port)
        let body = try #require(socket.range(of: "\r\n\r\n")).upperBound
        return try JSONDecoder().decode([Request].self, from: Data(socket[body...].utf8))
    }

    private static func exchange(_ text: String, port: Int) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0)
        try #require(write(descriptor, text, text.utf8.count) == text.utf8.count)
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        // The server leaves the connection open, so its announced length marks the end.
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            answer += chunk[..<count]
            let text = String(decoding: answer, as: UTF8.self)
            if let head = text.range(of: "\r\n\r\n"),
                let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.output.1) }),
                text[head.upperBound...].utf8.count >= length
            {
                break
            }
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Waits until the server has sent an answer that no request asked for.
    func waitForUnasked() throws { try wait(for: "unasked", count: 1) }

    /// Waits until the server has left so many connections.
    func waitUntilLeft(_ count: Int) throws { try wait(for: "left", count: count) }

    private func wait(for line: String, count: Int) throws {
        var entry = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        var text = ""
        while text.split(separator: "\n").count(where: { $0 == line }) < count {
            try #require(poll(&entry, 1, 60_000) == 1)
            text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
    }

    /// The bytes of a resource, equal to the script's.
    static func content(_ size: Int, version: Int = 1) -> [UInt8] {
        let shift = (version * 4099) % 65536
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + pattern.count)
        bytes += pattern[shift...]
        while bytes.count < size { bytes += pattern }
        bytes.removeLast(bytes.count - size)
        return bytes
    }

    private static let pattern = (0..<65536).map { UInt8(truncatingIfNeeded: $0 * 31 + ($0 >> 8)) }
}

extension String {
    fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
