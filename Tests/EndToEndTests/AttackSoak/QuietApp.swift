import CRoost
import Foundation
import Glibc
import LifeCycleModel

/// The well-behaved app. The attackers must not change the latency of its callbacks.
final class QuietApp {
    static let identifier = BundleIdentifier.named("org.roost.soak.Quiet")

    /// The times from the user's action to the callback in the app, in nanoseconds.
    private(set) var latencies: [Int64] = []
    private let inbox: Int32
    private let port: UInt16

    init() throws {
        let inbox = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(inbox, $0, size) == 0 ? getsockname(inbox, $0, &size) : -1
            }
        }
        guard code == 0 else { throw TestFailure(description: "no port for the quiet app: errno \(errno)") }
        self.inbox = inbox
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(inbox) }

    func install(in system: TestSystem) throws {
        try ProgramBundle(identifier: Self.identifier, program: "quiet", preamble: "port = \(port)\n")
            .install(in: system)
    }

    /// Waits for the callback, ignoring others. Returns when it reached the app, by CLOCK_MONOTONIC.
    func waitForCallback(_ name: String) throws -> Int64 {
        let deadline = Deadline()
        while !deadline.isOver {
            waitForAny(of: [inbox], until: deadline)
            if let callback = next(), callback.name == name { return callback.came }
        }
        throw TestFailure(description: "\(name) did not reach the quiet app in \(Deadline.patience) s")
    }

    /// Discards the callbacks that have come so far.
    func forgetCallbacks() { while next() != nil {} }

    /// Records the latency of a callback, from the user's action at `start`.
    func count(from start: Int64, to came: Int64) { latencies.append(came - start) }

    private func next() -> (name: String, came: Int64)? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(inbox, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return nil }
        let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        guard words.count == 2, let came = Int64(words[1]) else { return nil }
        return (String(words[0]), came)
    }

    /// The latency that this percentage of the callbacks does not exceed, in milliseconds.
    func percentile(_ percent: Int) -> Double {
        let sorted = latencies.sorted()
        guard !sorted.isEmpty else { return 0 }
        return Double(sorted[min(sorted.count - 1, sorted.count * percent / 100)]) / 1e6
    }
}
