import Foundation

/// How long a quiet caller waits for an answer while two processes keep the system as busy as they can.
struct StressBenchmark {
    let bench: Bench

    /// The activity of the two processes.
    private enum Level: String, CaseIterable {
        case nothing = "nothing else"
        case strangers = "2 × 128 strangers that ask and never read"
        case callers = "2 × 128 callers that ask for lists and never read"
        case apps = "an app in front that sends 250 KiB messages"
    }

    private static let calls = 3000

    func run() throws -> [Measurement] { try Level.allCases.flatMap(measure) }

    private func measure(_ level: Level) throws -> [Measurement] {
        let system = try RunningSystem(bench, name: "stress-\(level)")
        defer { system.end() }
        let flood = "\(bench.yardsticks)/flood"
        var attackers: [Process] = []
        defer { for attacker in attackers { Programs.end(attacker, work: bench.work) } }
        func attack(_ arguments: [String]) throws {
            let output = "\(system.directory)/flood-\(attackers.count).log"
            attackers.append(try Programs.start(flood, arguments, output: output, work: bench.work))
            _ = try Programs.wait("the flood", seconds: 20) {
                (try? String(contentsOfFile: output, encoding: .utf8))?.contains("floods") == true ? true : nil
            }
        }
        switch level {
        case .nothing: break
        case .strangers: for _ in 1...2 { try attack(["\(try system.sockets())/apps", "128"]) }
        case .callers: for _ in 1...2 { try attack(["\(try system.sockets())/control", "128", try system.cookie()]) }
        case .apps: try system.command("launch", try system.install("flood", executable: flood))
        }
        let quiet = try system.connect()
        defer { quiet.close() }
        let call = try UnixSocket.call("roost.Control.Status")
        var waits: [Double] = []
        for _ in 0..<Self.calls {
            let begun = Programs.monotonic
            try quiet.tell(call)
            waits.append((Programs.monotonic - begun) / 1e6)
            usleep(1000)
        }
        waits.sort()
        return [
            Measurement("\(level.rawValue), p50", unit: "ms", rounds: [waits[waits.count / 2]]),
            Measurement(
                "\(level.rawValue), p99", unit: "ms", rounds: [waits[waits.count * 99 / 100]], target: .atMost(20)),
            Measurement("\(level.rawValue), longest", unit: "ms", rounds: [waits[waits.count - 1]]),
        ]
    }
}
