import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests against a widely used server.
    static var whereNginxIs: Self {
        .enabled("there is no nginx: scripts/test installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || Nginx.program != nil
        }
    }
}

/// A real nginx that serves a directory: by HTTP, by HTTPS, by HTTPS with HTTP/2 on offer, and by HTTP/2 alone. The
/// server ends with this object.
final class Nginx {
    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let directory: TemporaryDirectory
    let certificates: Certificates
    private let process = Process()
    /// Accepts only clients that offer HTTP/2.
    private let front = Process()
    private let frontInput = Pipe()
    private let ports: [Int]

    /// The protocol of the requests.
    enum Way: Int, CaseIterable { case plain, secure, eitherVersion, http2 }

    init() throws {
        directory = try TemporaryDirectory()
        certificates = try Certificates()
        ports = try Self.freePorts(5)
        try FileManager.default.createDirectory(
            atPath: directory.path + "/files", withIntermediateDirectories: false)
        // If the test runs as root, nginx's worker is another user.
        chmod(directory.path, 0o755)
        try Data(configuration().utf8).write(to: URL(fileURLWithPath: directory.path + "/nginx.conf"))
        process.executableURL = URL(fileURLWithPath: try #require(Self.program, "there is no nginx"))
        process.arguments = [
            "-p", directory.path, "-c", directory.path + "/nginx.conf", "-e", directory.path + "/error.log",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilItListens()
        try startFront()
    }

    private func startFront() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("http2_only.py").path
        let certificate = try certificates.server()
        let output = Pipe()
        front.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        front.arguments = [
            "python3", script, certificate.file, certificate.key, "\(ports[Way.http2.rawValue])", "\(ports[4])",
        ]
        front.standardInput = frontInput
        front.standardOutput = output
        try front.run()
        try #require(!output.fileHandleForReading.availableData.isEmpty, "the proxy in front of nginx did not start")
    }

    deinit {
        try? frontInput.fileHandleForWriting.close()
        front.waitUntilExit()
        process.terminate()
        process.waitUntilExit()
    }

    private func configuration() throws -> String {
        let certificate = try certificates.server()
        return """
            daemon off;
            worker_processes 1;
            pid \(directory.path)/pid;
            events { worker_connections 1024; }
            http {
                log_format bytes '$server_protocol $status $body_bytes_sent $request_uri';
                access_log \(directory.path)/access.log bytes;
                client_body_temp_path \(directory.path)/t1;
                proxy_temp_path \(directory.path)/t2;
                fastcgi_temp_path \(directory.path)/t3;
                uwsgi_temp_path \(directory.path)/t4;
                scgi_temp_path \(directory.path)/t5;
                sendfile on;
                keepalive_requests 10000;
                server {
                    listen 127.0.0.1:\(ports[0]);
                    listen 127.0.0.1:\(ports[1]) ssl;
                    listen 127.0.0.1:\(ports[2]) ssl http2;
                    listen 127.0.0.1:\(ports[4]) http2;
                    ssl_certificate \(certificate.file);
                    ssl_certificate_key \(certificate.key);
                    root \(directory.path)/files;
                    location /slow/ { alias \(directory.path)/files/; limit_rate 8m; }
                    location /slower/ { alias \(directory.path)/files/; limit_rate 1m; }
                }
            }
            """
    }

    /// Ports that were free a moment ago. They are outside the range from which the kernel takes the ports of clients:
    /// no connection of another test can get one before its server has it.
    private static func freePorts(_ count: Int) throws -> [Int] {
        var held: [Int32] = []
        defer { held.forEach { close($0) } }
        var ports: [Int] = []
        for _ in 0..<1000 where ports.count < count {
            let port = Int.random(in: 10_000..<30_000)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            held.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            if code == 0 { ports.append(port) }
        }
        try #require(ports.count == count, "there are no free ports")
        return ports
    }

    private func waitUntilItListens() throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while !FileManager.default.fileExists(atPath: directory.path + "/pid") {
            try #require(process.isRunning && ContinuousClock.now < deadline, "nginx did not start")
            sched_yield()
        }
    }

    func url(_ path: String, by way: Way = .plain) -> String {
        "\(way == .plain ? "http" : "https")://localhost:\(ports[way.rawValue])\(path)"
    }

    /// Makes a file of random bytes.
    func put(_ name: String, size: Int) throws -> [UInt8] {
        let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        defer { try? random.close() }
        let bytes = try #require(try random.read(upToCount: size))
        try #require(bytes.count == size)
        try bytes.write(to: URL(fileURLWithPath: directory.path + "/files/" + name))
        return [UInt8](bytes)
    }

    struct Entry: Equatable {
        var version: String
        var status: Int
        var bytes: Int
        var path: String
    }

    /// The answers so far; an entry appears once its request is done.
    func log() -> [Entry] {
        let text = FileManager.default.contents(atPath: directory.path + "/access.log") ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 4, let status = Int(words[1]), let bytes = Int(words[2]) else { return nil }
            return Entry(version: String(words[0]), status: status, bytes: bytes, path: String(words[3]))
        }
    }
}
