import Foundation
import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// Links as the kernel reports them, in a network namespace of the test's own.
@Suite struct NetworkLinkTests {
    @Test(
        .enabled(if: geteuid() == 0, "needs root, for a network namespace"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip"), "needs iproute2's ip"))
    func aLinkComesAndGoes() async throws {
        let atFirst = try await Namespace.run {
            let links = try NetworkLinks()
            let atFirst = links.isConnected()
            for (command, isConnected) in [
                // Loopback alone leads nowhere.
                ("link set lo up", false),
                ("link add out0 type ifb", false), ("link set out0 up", false),
                ("address add 192.0.2.7/24 dev out0", true),
                ("link set out0 down", false), ("link set out0 up", true),
                ("address del 192.0.2.7/24 dev out0", false), ("address add 2001:db8::7/64 dev out0 nodad", true),
                ("link del out0", false),
            ] {
                try Namespace.ip(command)
                try Self.follow(links, until: isConnected, after: command)
            }
            return atFirst
        }
        #expect(!atFirst)
    }

    /// Reads the kernel's messages until the machine is connected or disconnected. The kernel reports a carrier only
    /// some time after the command.
    private static func follow(_ links: NetworkLinks, until isConnected: Bool, after command: String) throws {
        repeat {
            guard isReadable(links.descriptor) else { throw Silent(command: command) }
        } while links.isConnected() != isConnected
        // Reading consumes all messages, otherwise the event loop would never sleep.
        for _ in 0..<100 where isReadable(links.descriptor, within: 0) { _ = links.isConnected() }
        guard !isReadable(links.descriptor, within: 0) else { throw NeverDrained(command: command) }
    }

    struct Silent: Error { let command: String }
    struct NeverDrained: Error { let command: String }

    private static func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 5000) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, milliseconds) == 1
    }
}

/// A thread in its own network namespace, which its child processes share.
private enum Namespace {
    struct Failure: Error { let text: String }

    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                // Only for this thread, and removed with it. Glibc's Swift module does not declare the call.
                typealias Unshare = @convention(c) (Int32) -> Int32
                let newNetwork: Int32 = 0x4000_0000
                let symbol = dlsym(nil, "unshare")
                guard symbol != nil, unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else {
                    return continuation.resume(throwing: Failure(text: String(cString: strerror(errno))))
                }
                continuation.resume(with: Result { try body() })
            }
        }
    }

    /// Uses `posix_spawn` on this thread, because Foundation starts processes on another thread.
    static func ip(_ command: String) throws {
        let arguments = ["/usr/sbin/ip"] + command.split(separator: " ").map(String.init)
        var pid: pid_t = 0
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let code = posix_spawn(&pid, arguments[0], nil, nil, words, environ)
        var status: Int32 = -1
        guard code == 0, waitpid(pid, &status, 0) == pid, status == 0 else {
            throw Failure(text: "ip \(command): \(code), \(status)")
        }
    }
}

/// Power supplies as in sysfs, in a directory that replaces it.
@Suite struct PowerSupplyTests {
    private let sysfs: Scratch

    init() throws { sysfs = try Scratch() }

    private func supply(_ name: String, _ files: [String: String]) {
        sysfs.directory(name)
        for (file, text) in files { sysfs.file("\(name)/\(file)", text + "\n") }
    }

    private func state() throws -> (source: String, level: Int32)? {
        try PowerSupplies(directory: sysfs.path).state().map { ($0.source.rawValue, $0.batteryLevel) }
    }

    @Test func withoutABatteryThereIsNoState() throws {
        #expect(try state() == nil)
        supply("AC", ["type": "Mains", "online": "1"])
        #expect(try state() == nil)
        supply("mouse", ["type": "Battery", "scope": "Device", "capacity": "3", "status": "Discharging"])
        #expect(try state() == nil, "a mouse's battery is not the device's")
    }

    @Test(arguments: [
        ("1", "Charging", "external"), ("1", "Full", "external"), ("0", "Discharging", "battery"),
        ("1", "Discharging", "external"), ("0", "Not charging", "external"),
    ])
    func theSourceDependsOnSupplyAndBattery(online: String, status: String, source: String) throws {
        supply("AC", ["type": "Mains", "online": online])
        supply("BAT0", ["type": "Battery", "present": "1", "capacity": "57", "status": status])
        let state = try #require(try state())
        #expect(state == (source, 57))
    }

    @Test func ofSeveralBatteriesTheMeanCounts() throws {
        for (name, level) in [("BAT0", "80"), ("BAT1", "21")] {
            supply(name, ["type": "Battery", "capacity": level, "status": "Discharging"])
        }
        supply("BAT2", ["type": "Battery", "present": "0", "capacity": "0"])
        supply("BAT3", ["type": "Battery", "capacity": "much"])
        let state = try #require(try state())
        #expect(state == ("battery", 50))
    }
}
