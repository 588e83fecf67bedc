import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// Roost under a service manager.
    @Suite struct ServiceTests {
        /// The protocol of `sd_notify`, which only the guardian speaks.
        @Test func theServiceManagerIsNotified() throws {
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
                    #expect(!environment.contains("NOTIFY_SOCKET"), "only the guardian notifies the service manager")
                }
                #expect(try system.terminate() == .code(0))
                #expect(try manager.next().contains("STOPPING=1"))
            }
        }

        /// systemd itself accepts the shipped unit.
        @Test(.whereSystemdIsInstalled) func unitIsValid() throws {
            try TestSystem.run(starting: false) { system in
                let shipped = try #require(Kernel.text(Self.unit))
                #expect(shipped.contains("Delegate=yes"))
                #expect(shipped.contains("ExecStopPost=/usr/local/bin/roost thaw --all"))
                // Uses the program that was built.
                let text = shipped.replacingOccurrences(of: "/usr/local/bin/roost", with: TestSystem.program)
                #expect(try verify(text, in: system) == "")
                let broken = text.replacingOccurrences(of: "Type=notify", with: "Type=notfy")
                #expect(try verify(broken, in: system) != "", "the broken unit is reported")
            }
        }

        /// The shipped unit starts under a real systemd, is restarted after a SIGKILL, reloads and stops. Its app stays
        /// frozen until the stop.
        @Test(.whereSystemdIsInstalled) func unitRuns() throws {
            if let obstacle = SetUp.unified.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(inSubtree: true, starting: false) { system in
                let shipped = try #require(Kernel.text(Self.unit))
                try UserManager.install(
                    shipped.replacingOccurrences(of: "/usr/local/bin/roost", with: TestSystem.program),
                    called: "roost.service", for: system)
                let manager = try UserManager(for: system)
                try manager.control("start", "roost")
                try system.connect()
                let guardian = try #require(try system.status().guardian)
                #expect(try manager.property("MainPID", of: "roost") == "\(guardian)")

                try system.install("Clock")
                try system.launch(.clock)
                try system.suspend(.clock)
                let app = try system.pid(.clock)
                try system.expectFrozen(.clock)

                try #require(HeldProcess(guardian)).send(SIGKILL)
                let next = try untilAnother(than: guardian, of: system, \.guardian)
                #expect(try manager.property("MainPID", of: "roost") == "\(next)")
                #expect(try manager.property("NRestarts", of: "roost") == "1")
                #expect(try system.until(.clock, is: .suspended).pid == app)
                try system.expectFrozen(.clock)

                let supervisor = try system.status().pid
                try manager.control("reload", "roost")
                _ = try untilAnother(than: supervisor, of: system, \.supervisor)
                #expect(try system.status().guardian == next)
                #expect(try system.until(.clock, is: .suspended).pid == app)
                try system.expectFrozen(.clock)

                let process = try system.process(.clock)
                try manager.control("stop", "roost")
                try process.waitUntilGone()
                #expect(try manager.property("ActiveState", of: "roost") == "inactive")
                #expect(try manager.property("Result", of: "roost") == "success")
            }
        }

        /// Waits until a process other than `pid` serves; returns its pid.
        private func untilAnother(
            than pid: Int32, of system: TestSystem, _ which: KeyPath<SystemStatus, Int32?>
        ) throws -> Int32 {
            try system.until("another process answers", lookingAgainAfter: 0.2) {
                guard (try? system.connect()) != nil, let now = try? system.status()[keyPath: which], now != pid else {
                    return nil
                }
                return now
            }
        }

        private func verify(_ text: String, in system: TestSystem) throws -> String {
            let file = system.directory + "/roost.service"
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            let (exit, out, err) = try system.run(["systemd-analyze", "--user", "verify", file])
            // systemd knows this option from version 254 on. Older versions report it, and ignore it.
            let said = (out + err).split(separator: "\n").filter { !$0.contains("'DelegateSubgroup'") }
                .joined(separator: "\n")
            return exit == .code(0) ? said : "\(exit) \(said)"
        }

        private static let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("share/systemd/roost.service").path
    }
}

extension SystemStatus {
    fileprivate var supervisor: Int32? { pid }
}

/// The socket of a service manager.
final class NotifySocket {
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

    /// Waits until a message contains this line.
    func wait(for line: String) throws {
        while try !next().contains(line) {}
    }

    /// The lines of the next message.
    func next() throws -> [String] {
        waitForAny(of: [descriptor], until: Deadline())
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { throw TestFailure(description: "the service manager received nothing") }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
