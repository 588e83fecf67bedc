import Foundation

/// The foreground app computes. 20 background apps alternate between idling and computing.
struct FrontBenchmark {
    let bench: Bench
    static let rounds = 4

    func run() throws -> [Measurement] {
        let word = try Word(bench, name: "front-word")
        let system = try RunningSystem(bench, name: "front", settings: ["backgroundTime=10m"])
        defer { system.end() }
        for number in 1...20 {
            let app = try system.install(
                "spin\(number)", executable: "\(bench.yardsticks)/app",
                settings: ["mode": "spin"], sharing: word)
            try system.command("launch", app)
            try system.wait(for: [app], toBe: "active")
        }
        let front = try system.install(
            "front", executable: "\(bench.yardsticks)/app", settings: ["mode": "front"], sharing: word)
        try system.command("launch", front)
        try system.wait(for: [front], toBe: "active")
        for _ in 0..<Self.rounds {
            try word.set(0)
            usleep(1_500_000)
            try word.set(1)
            usleep(2_000_000)
        }
        try word.set(2)
        let lines = Programs.figures(in: try system.output(of: front, until: "done", seconds: 10))
        // Consecutive lines with the same word: alone, with the others, alone, …
        var stretches: [(word: Double, speeds: [Double])] = []
        for line in lines {
            guard let value = line["word"], let speed = line["speed"] else { continue }
            if stretches.last?.word != value { stretches.append((value, [])) }
            stretches[stretches.count - 1].speeds.append(speed)
        }
        // The first tenths of a second of a stretch are left out, because the other apps wake up or fall asleep then.
        let speeds = stretches.map { ($0.word, Report.median(Array($0.speeds.dropFirst(2)))) }
        let rounds = zip(speeds.filter { $0.0 == 1 }, speeds.filter { $0.0 == 0 }).map {
            (measured: $0.1, yardstick: $1.1)
        }
        guard rounds.count == Self.rounds else { throw BenchError("only \(rounds.count) rounds were measured") }
        return [
            Measurement(
                "a loop in front", unit: "portions/s", rounds: rounds, against: "alone", target: .ratioAtLeast(0.9))
        ]
    }
}

/// 20 apps wake a hundred times a second each, and are then suspended. Measures the context switches of the whole
/// machine.
struct WakeBenchmark {
    let bench: Bench

    func run() throws -> [Measurement] {
        let word = try Word(bench, name: "wake-word")
        let system = try RunningSystem(bench, name: "wake", settings: ["backgroundTime=10m"])
        defer { system.end() }
        let apps = try (1...20).map { number in
            try system.install(
                "wake\(number)", executable: "\(bench.yardsticks)/app",
                settings: ["mode": "wake"], sharing: word)
        }
        var rounds: [(running: Double, frozen: Double, idle: Double)] = []
        let idle = Proc.contextSwitchesPerSecond(over: 3)
        for _ in 0..<3 {
            try word.set(0)
            for app in apps {
                try system.command("launch", app)
                try system.wait(for: [app], toBe: "active")
            }
            try system.command("home")
            try system.wait(for: apps, toBe: "background")
            let running = Proc.contextSwitchesPerSecond(over: 3)
            try word.set(2)
            try system.wait(for: apps, toBe: "suspended")
            rounds.append((running, Proc.contextSwitchesPerSecond(over: 3), idle))
        }
        return [
            Measurement(
                "running", unit: "switches/s", rounds: rounds.map { ($0.running, $0.idle) },
                against: "before the first launch"),
            Measurement(
                "suspended", unit: "switches/s", rounds: rounds.map { ($0.frozen, $0.running) }, against: "running"),
        ]
    }
}

/// The cost of a system with 50 suspended apps, compared with a waiting epoll loop in C.
struct IdleBenchmark {
    let bench: Bench
    static let seconds = 60.0

    func run() throws -> [Measurement] {
        let word = try Word(bench, name: "idle-word")
        let system = try RunningSystem(bench, name: "idle")
        defer { system.end() }
        let apps = try (1...50).map { number in
            try system.install(
                "idle\(number)", executable: "\(bench.yardsticks)/app",
                settings: ["mode": "idle"], sharing: word)
        }
        for app in apps { try system.command("launch", app) }
        try system.command("home")
        try system.wait(for: apps, toBe: "suspended")
        let echo = try Programs.start(
            "\(bench.yardsticks)/echo", ["\(try bench.directory("idle-echo"))/socket"],
            output: "\(bench.work)/idle-echo.log", work: bench.work)
        defer { Programs.end(echo, work: bench.work) }
        // By then the work of the last command is done, and idle threads have ended.
        usleep(12_000_000)
        let service = system.pids
        let yardstick = [echo.processIdentifier]
        func memory(_ name: String, _ pids: [Int32]) -> Double {
            pids.map { Proc.mebibytes(name, of: $0) }.reduce(0, +)
        }
        let before = (Proc.contextSwitches(of: service), Proc.contextSwitches(of: yardstick))
        usleep(UInt32(Self.seconds * 1e6))
        let after = (Proc.contextSwitches(of: service), Proc.contextSwitches(of: yardstick))
        return [
            Measurement(
                "context switches in \(Int(Self.seconds)) s", unit: "of all threads",
                rounds: [
                    (
                        Proc.contextSwitches(from: before.0, to: after.0),
                        Proc.contextSwitches(from: before.1, to: after.1)
                    )
                ], against: "an epoll loop in C",
                target: .atMost(2)),
            Measurement(
                "private memory (RssAnon)", unit: "MiB",
                rounds: [(memory("RssAnon", service), memory("RssAnon", yardstick))],
                against: "an epoll loop in C", target: .atMost(5)),
            Measurement(
                "resident memory (VmRSS)", unit: "MiB",
                rounds: [(memory("VmRSS", service), memory("VmRSS", yardstick))], against: "an epoll loop in C",
                target: .atMost(32)),
            Measurement(
                "the same, what is shared counted once (Pss)", unit: "MiB",
                rounds: [
                    (
                        service.map(Proc.proportional(of:)).reduce(0, +),
                        yardstick.map(Proc.proportional(of:)).reduce(0, +)
                    )
                ], against: "an epoll loop in C"),
            // The guardian is the first process. Without downloads there is no carrier.
            Measurement(
                "the supervisor alone: private memory (RssAnon)", unit: "MiB",
                rounds: [memory("RssAnon", Array(service.dropFirst()))]),
            Measurement(
                "the supervisor alone: resident memory (VmRSS)", unit: "MiB",
                rounds: [memory("VmRSS", Array(service.dropFirst()))], target: .atMost(16)),
        ]
    }
}
