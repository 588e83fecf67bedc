import Foundation
import Testing

/// Certificates made for the test: an authority, and servers that it certifies.
struct Certificates {
    let directory: TemporaryDirectory
    var root: String { directory.path + "/ca.pem" }

    init() throws {
        directory = try TemporaryDirectory()
        try run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key",
            "-out", "ca.pem", "-days", "30", "-subj", "/CN=A test's authority")
    }

    /// A certificate for a host, valid from now on for this many days.
    func server(_ host: String = "localhost", days: Int = 30) throws -> (file: String, key: String) {
        let name = "\(host)\(days)"
        try run(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(name).key",
            "-out", "\(name).csr", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)")
        try run(
            "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-days", "\(days)", "-copy_extensions", "copy", "-out", "\(name).pem")
        return (directory.path + "/\(name).pem", directory.path + "/\(name).key")
    }

    private func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }
}
