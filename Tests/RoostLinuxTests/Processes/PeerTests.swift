import CRoost
import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// The process at the other end of a Unix socket, as the kernel knows it.
@Suite struct PeerTests {
    /// Whether the kernel itself holds a socket's peer: SO_PEERPIDFD, from Linux 6.5 on.
    private static let kernelHoldsPeers: Bool = {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return false }
        defer { for end in ends { close(end) } }
        var pidfd: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(ends[0], SOL_SOCKET, 77, &pidfd, &size) == 0 else { return false }
        close(pidfd)
        return true
    }()

    /// The process id of a pidfd.
    private func pid(of pidfd: Int32) -> Int32? {
        let lines = Files.text("/proc/self/fdinfo/\(pidfd)")?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("Pid:") }?.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) }
    }

    /// Another process may have the peer's process id by now.
    @Test(.enabled("needs Linux 6.5") { Self.kernelHoldsPeers })
    func thePeerIsFoundDespiteAReusedProcessID() throws {
        let bench = try Bench(signals: true)
        let another = try bench.start("/bin/sleep", ["60"])
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var pidfd: Int32 = -1
        try #require(croost_peer_pidfd(ends[0], another.handle.pid, &pidfd) == 0)
        defer { close(pidfd) }
        #expect(pid(of: pidfd) == getpid())
    }

    /// A peer that has gone yields no pidfd, or a pidfd that reports its end. Such a peer never yields the pidfd of a
    /// live process.
    @Test func aPeerThatHasGoneIsNotAlive() throws {
        let bench = try Bench(signals: true)
        let path = bench.scratch.path + "/socket"
        let listening = try listening(at: path)
        defer { close(listening) }
        let script = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
        let client = try bench.start("/usr/bin/env", ["python3", "-c", script, path])
        #expect(try bench.exit(client.launch, client.handle) == .exited(code: 0))
        let accepted = croost_accept(listening)
        try #require(accepted >= 0)
        defer { close(accepted) }
        var credentials = croost_peer()
        try #require(croost_peer_credentials(accepted, &credentials) == 0)
        #expect(credentials.pid == client.handle.pid)
        var pidfd: Int32 = -1
        let code = croost_peer_pidfd(accepted, credentials.pid, &pidfd)
        defer { if code == 0 { close(pidfd) } }
        #expect(code != 0 || poll(pidfd, POLLIN))
    }

    private func listening(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(descriptor, 1) == 0)
        return descriptor
    }
}
