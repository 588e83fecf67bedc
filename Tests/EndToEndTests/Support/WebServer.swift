import Foundation
import Glibc
import LifeCycleModel
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests against a widely used server.
    static var whereNginxIs: Self {
        .enabled("there is no nginx: scripts/test installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || WebServer.program != nil
        }
    }
}

/// nginx on its own port. The server serves the files of one directory, at a limited rate.
final class WebServer {
    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let port: UInt16
    private let host: String
    private let directory: String
    private let process: ChildProcess

    /// Serves the files of `directory`, which is created, at this rate in bytes a second each. If a process is given,
    /// the server is in that process's network, at an address that may appear later.
    init(in directory: String, rate: String, inNetworkOf process: Int32? = nil, at host: String = "127.0.0.1") throws {
        self.directory = directory
        self.host = host
        port = try Self.freePort()
        for path in [directory, directory + "/files"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            chmod(path, 0o755)
        }
        let configuration = """
            daemon off;
            master_process off;
            pid \(directory)/pid;
            error_log \(directory)/errors;
            events { }
            http {
                log_format sent '$status $body_bytes_sent $http_range';
                access_log \(directory)/sent sent;
                client_body_temp_path \(directory)/body;
                proxy_temp_path \(directory)/proxy;
                fastcgi_temp_path \(directory)/fastcgi;
                uwsgi_temp_path \(directory)/uwsgi;
                scgi_temp_path \(directory)/scgi;
                server {
                    listen \(process == nil ? host + ":" : "")\(port) sndbuf=256k;
                    root \(directory)/files;
                    limit_rate \(rate);
                }
            }
            """
        try configuration.write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
        self.process = try ChildProcess(
            (process.map { ["nsenter", "-t", "\($0)", "-n"] } ?? []) + [
                Self.program ?? "nginx", "-p", directory, "-c", directory + "/nginx.conf", "-e", directory + "/errors",
            ],
            environment: ProcessInfo.processInfo.environment, output: directory + "/output")
        let deadline = Deadline()
        // nginx writes the file once it listens.
        while Kernel.text(directory + "/pid")?.isEmpty ?? true {
            guard !self.process.held.isGone, !deadline.isOver else {
                let said = (Kernel.text(directory + "/output") ?? "") + (Kernel.text(directory + "/errors") ?? "")
                throw TestFailure(description: "nginx does not answer: \(said)")
            }
            sched_yield()
        }
    }

    deinit {
        resume()
        process.held.send(SIGTERM)
        _ = try? process.exit()
    }

    func url(_ name: String) -> String { "http://\(host):\(port)/\(name)" }
    func path(_ name: String) -> String { "\(directory)/files/\(name)" }

    /// From now on the server answers nothing, but accepts connections.
    func pause() { process.held.send(SIGSTOP) }
    func resume() { process.held.send(SIGCONT) }

    /// Makes a file of this many incompressible bytes.
    func make(_ name: String, bytes: Int) throws {
        guard let random = FileHandle(forReadingAtPath: "/dev/urandom") else {
            throw TestFailure(description: "there is no /dev/urandom")
        }
        try Data().write(to: URL(fileURLWithPath: path(name)))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
        var rest = bytes
        while rest > 0, let piece = try random.read(upToCount: min(rest, 1 << 20)) {
            try file.write(contentsOf: piece)
            rest -= piece.count
        }
        try file.close()
        chmod(path(name), 0o644)
    }

    /// Each answer so far: its status, the bytes sent of its body, and the requested range.
    var answers: [(status: Int, bytes: Int, range: String)] {
        (Kernel.text(directory + "/sent") ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let status = Int(parts[0]), let bytes = Int(parts[1]) else { return nil }
            return (status, bytes, String(parts[2]))
        }
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard code == 0 else { throw TestFailure(description: "there is no port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
