import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let phone = named("org.roost.example.Phone")
}

extension TestSystem {
    /// Installs the telephone of the examples with an account at this port, opens it, and suspends it once it is
    /// registered.
    fileprivate func suspendPhone(_ port: UInt16) throws {
        try install("Phone")
        let file = documents(.phone) + "/server.txt"
        try "# mine\nsip:phone@127.0.0.1:\(port)\n".write(toFile: file, atomically: true, encoding: .utf8)
        give(file)
        try launch(.phone)
        try untilPrinted(.phone, "registered")
        try untilPrinted(.phone, "kept")
        try suspend(.phone)
    }

    /// A call that the user answers and the caller ends. It finds the process frozen.
    fileprivate func answerCall(of peer: SIPp) throws {
        let printed = log(.phone).count
        try peer.expect(.ready)
        try until(.phone, is: .suspended)
        try expectFrozen(.phone)
        try peer.go()
        try peer.expect(.ringing)
        try untilPrinted(.phone, "Ada calls", from: printed)
        try until("the call rings") { try summary(.phone).assertions.contains("a phone call") ? true : nil }
        let answered = try roost("call", "answer")
        #expect(answered.exit == .code(0), "\(answered.err)")
        try peer.expect(.talking)
        try untilPrinted(.phone, "connected", from: printed)
        try expectRunning(.phone)
        try peer.go()
    }
}

extension EndToEnd {
    /// The telephone of the examples, and sipp as its registrar and caller.
    @Suite(.whereSIPpIsInstalled) struct PhoneTests {
        /// The number of calls. The variable is for measurements.
        private static let calls =
            ProcessInfo.processInfo.environment["ROOST_SIP_CALLS"].flatMap { Int($0) } ?? 100

        /// Each `INVITE` wakes the frozen process once, and is answered by 100, 180 and 200.
        @Test func eachCallReachesTheFrozenApp() throws {
            try TestSystem.run(settings: ["voipWakes=10000"]) { system in
                let peer = try SIPp(calls: Self.calls, in: system.directory + "/sipp")
                try system.suspendPhone(peer.port)
                let pid = try system.pid(.phone)
                for _ in 0..<Self.calls { try system.answerCall(of: peer) }
                try peer.expect(.done)
                let exit = try peer.exit()
                #expect(exit == .code(0), "\(peer.log)")
                let latencies = peer.latencies.sorted()
                #expect(latencies.count == Self.calls)
                // sipp's end ends the connection.
                try system.untilPrinted(.phone, "not connected: ")
                #expect(try system.pid(.phone) == pid)
                let wakes = try system.drainDecisions().count { $0.text.hasPrefix("data has arrived on socket") }
                #expect(wakes == Self.calls)
                let worst = try #require(latencies.last)
                print("INVITE to 180: median \(latencies[latencies.count / 2]) ms, at most \(worst) ms")
            }
        }

        /// The server ends while the app is suspended. The app connects to the next one.
        @Test func theServerRestarts() throws {
            try TestSystem.run { system in
                let first = try SIPp(calls: 1, in: system.directory + "/first")
                try system.suspendPhone(first.port)
                try system.answerCall(of: first)
                try first.expect(.done)
                let exit = try first.exit()
                #expect(exit == .code(0), "\(first.log)")
                let second = try SIPp(calls: 1, port: first.port, in: system.directory + "/second")
                try system.answerCall(of: second)
                try second.expect(.done)
                #expect(try second.exit() == .code(0), "\(second.log)")
            }
        }
    }
}
