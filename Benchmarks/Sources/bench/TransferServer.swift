import Foundation

/// nginx with files in memory, over HTTP, over HTTPS, and over HTTPS with HTTP/2.
final class TransferServer {
    static let size = 1 << 30
    static let smallSize = 64 << 10
    static let smallCount = 2000

    /// The path of the CA certificate.
    let roots: String
    let port: UInt16
    private let bench: Bench
    private let process: Process

    var http: String { "http://localhost:\(port)/" }
    var https: String { "https://localhost:\(port + 1)/" }
    var http2: String { "https://localhost:\(port + 2)/" }

    init(_ bench: Bench, in directory: String) throws {
        self.bench = bench
        roots = directory + "/ca.pem"
        port = UInt16.random(in: 20_000..<30_000)
        for path in [directory, directory + "/files"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            // nginx's worker runs as another user.
            chmod(path, 0o755)
        }
        try Self.makeFiles(in: directory + "/files")
        try Self.makeCertificate(in: directory)
        try Self.configuration(directory, port: port)
            .write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
        process = try Programs.start(
            "/usr/sbin/nginx", ["-p", directory, "-c", directory + "/nginx.conf", "-e", directory + "/errors"],
            output: directory + "/output", work: bench.work)
        let (http, process) = (http, process)
        _ = try Programs.wait("nginx", seconds: 10) { () -> Bool? in
            guard process.isRunning else {
                let errors = try? String(contentsOfFile: directory + "/errors", encoding: .utf8)
                throw BenchError("nginx: \(errors ?? "")")
            }
            return (try? Programs.run("/usr/bin/curl", ["-sfo", "/dev/null", http + "s0"])) != nil ? true : nil
        }
    }

    func end() { Programs.end(process, work: bench.work) }

    /// Files of random bytes, which cannot be compressed.
    private static func makeFiles(in directory: String) throws {
        guard let random = FileHandle(forReadingAtPath: "/dev/urandom") else { throw BenchError("no /dev/urandom") }
        let files = [("big", size), ("middle", size / 16)] + (0..<smallCount).map { ("s\($0)", smallSize) }
        for (name, size) in files {
            let path = "\(directory)/\(name)"
            try Data().write(to: URL(fileURLWithPath: path))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for _ in stride(from: 0, to: size, by: min(size, 16 << 20)) {
                try file.write(contentsOf: random.read(upToCount: min(size, 16 << 20)) ?? Data())
            }
            try file.close()
        }
    }

    private static func makeCertificate(in directory: String) throws {
        let script = """
            set -e
            curve="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
            openssl req -x509 $curve -keyout ca.key -out ca.pem -days 30 -subj /CN=ca
            openssl req $curve -keyout server.key -out server.csr -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
                -copy_extensions copy -out server.pem
            """
        try Programs.run("/bin/sh", ["-c", "cd \"$0\"\n" + script, directory])
    }

    private static func configuration(_ directory: String, port: UInt16) -> String {
        """
        daemon off;
        worker_processes 1;
        pid \(directory)/pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            sendfile on;
            keepalive_requests 100000;
            client_body_temp_path \(directory)/body;
            proxy_temp_path \(directory)/proxy;
            fastcgi_temp_path \(directory)/fastcgi;
            uwsgi_temp_path \(directory)/uwsgi;
            scgi_temp_path \(directory)/scgi;
            ssl_certificate \(directory)/server.pem;
            ssl_certificate_key \(directory)/server.key;
            root \(directory)/files;
            server { listen 127.0.0.1:\(port); listen 127.0.0.1:\(port + 1) ssl; }
            server { listen 127.0.0.1:\(port + 2) ssl http2; }
        }
        """
    }
}
