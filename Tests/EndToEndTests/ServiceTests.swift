import Foundation
import Glibc
import LifeCycleModel
import Testing

extension EndToEnd {
    /// Roost under a service manager.
    @Suite struct ServiceTests {
        /// The protocol of `sd_notify`, for the guardian alone.
        @Test func managerIsTold() throws {
            try TestSystem.run(starting: false) { system in
                let path = system.directory + "/notify"
                let manager = try NotifySocket(path)
                system.addedEnvironment["NOTIFY_SOCKET"] = path
                try system.start()
                let guardian = try #require(system.guardian)
                let ready = try manager.next()
                #expect(ready.contains("READY=1") && ready.contains("MAINPID=\(guardian.pid)"), "\(ready)")
                try system.install("Clock")
                try system.launch(.clock)
                for pid in [try #require(system.supervisor).pid, try system.pid(.clock)] {
                    let environment = try #require(Kernel.text("/proc/\(pid)/environ"))
                    #expect(!environment.contains("NOTIFY_SOCKET"), "nobody else speaks for the service")
                }
                #expect(try system.terminate() == .code(0))
                #expect(try manager.next().contains("STOPPING=1"))
            }
        }

        /// The unit that is shipped, by systemd's own judgement.
        @Test func unitIsValid() throws {
            try TestSystem.run(starting: false) { system in
                let tool = try system.run(["sh", "-c", "command -v systemd-analyze"])
                guard tool.exit == .code(0) else {
                    guard ProcessInfo.processInfo.environment["CI"] != "true" else {
                        throw TestFailure(description: "there is no systemd-analyze: scripts/setup installs it")
                    }
                    try Test.cancel("there is no systemd-analyze (Debian's package systemd)")
                }
                let shipped = try #require(Kernel.text(Self.unit))
                #expect(shipped.contains("Delegate=yes"))
                #expect(shipped.contains("ExecStopPost=/usr/local/bin/roost thaw --all"))
                // The program is where it was built.
                let text = shipped.replacingOccurrences(of: "/usr/local/bin/roost", with: TestSystem.program)
                #expect(try verify(text, in: system) == "")
                let broken = text.replacingOccurrences(of: "Type=notify", with: "Type=notfy")
                #expect(try verify(broken, in: system) != "", "the judge sees nothing")
            }
        }

        private func verify(_ text: String, in system: TestSystem) throws -> String {
            let file = system.directory + "/roost.service"
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            let (exit, out, err) = try system.run(["systemd-analyze", "--user", "verify", file])
            // systemd knows it from 254 on; an older one says so, and passes it over.
            let said = (out + err).split(separator: "\n").filter { !$0.contains("'DelegateSubgroup'") }
                .joined(separator: "\n")
            return exit == .code(0) ? said : "\(exit) \(said)"
        }

        private static let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("share/systemd/roost.service").path
    }
}

/// A socket as a service manager has it.
private final class NotifySocket {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

    init(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw TestFailure(description: "\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// The lines of the next message.
    func next() throws -> [String] {
        waitForAny(of: [descriptor], until: Deadline())
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { throw TestFailure(description: "the service manager is told nothing") }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
