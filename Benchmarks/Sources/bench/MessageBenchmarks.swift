import Foundation

/// A begin with an answer, from an app in C through the real service. The yardsticks are an epoll echo and a message
/// bus.
struct BeginBenchmark {
    let bench: Bench

    func run() throws -> [Measurement] {
        let directory = try bench.directory("begin-yardsticks")
        let bus = "unix:path=\(directory)/bus"
        let daemon = try Programs.start(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(bus)"],
            output: "\(directory)/bus.log", work: bench.work)
        defer { Programs.end(daemon, work: bench.work) }
        let echo = try Programs.start(
            "\(bench.yardsticks)/echo", ["\(directory)/echo"], output: "\(directory)/echo.log", work: bench.work)
        defer { Programs.end(echo, work: bench.work) }
        for socket in ["bus", "echo"] {
            _ = try Programs.wait("the socket \(socket)", seconds: 5) {
                FileManager.default.fileExists(atPath: "\(directory)/\(socket)") ? true : nil
            }
        }
        let inhibit = try Programs.start(
            "\(bench.yardsticks)/inhibit", [], environment: ["DBUS_SESSION_BUS_ADDRESS": bus],
            output: "\(directory)/inhibit.log", work: bench.work)
        defer { Programs.end(inhibit, work: bench.work) }
        let settings = ["bus": bus, "echo": "\(directory)/echo"]
        // They take turns, so that changes over time affect both.
        var lines: [Bool: [[String: Double]]] = [:]
        for turn in 0..<Self.turns {
            for isBesideQueued in [false, true] {
                let system = try RunningSystem(
                    bench, name: "begin-\(turn)-\(isBesideQueued)", optional: ["requestRate=none"])
                defer { system.end() }
                if isBesideQueued { try queue(in: system) }
                let app = try system.install(
                    "begin", executable: "\(bench.yardsticks)/begin", settings: settings)
                try system.command("launch", app)
                lines[isBesideQueued, default: []] += Programs.figures(
                    in: try system.output(of: app, until: "done", seconds: 60))
            }
        }
        let (plain, queued) = (lines[false] ?? [], lines[true] ?? [])
        func measured(_ what: String, _ lines: [[String: Double]]) -> [Measurement] {
            [
                Measurement(
                    what, unit: "µs", rounds: Programs.rounds(lines, "roost", "echo", scale: 1e-3),
                    against: "epoll echo in C", target: .ratioAtMost(1.8)),
                Measurement(
                    what, unit: "µs", rounds: Programs.rounds(lines, "roost", "dbus", scale: 1e-3),
                    against: "D-Bus Inhibit", target: .ratioAtMost(0.5)),
            ]
        }
        let pairs = zip(queued, plain).map { ["queued": $0["roost"] ?? .nan, "plain": $1["roost"] ?? .nan] }
        return measured("begin, answered", plain) + measured(Self.besideQueued, queued) + [
            Measurement(
                Self.besideQueued, unit: "µs", rounds: Programs.rounds(pairs, "queued", "plain", scale: 1e-3),
                against: "without them", target: .ratioAtMost(1.1))
        ]
    }

    private static let turns = 2
    private static let downloads = 1000
    private static let besideQueued = "begin, answered, beside 1,000 queued downloads"

    /// An app begins downloads that wait for a network.
    private func queue(in system: RunningSystem) throws {
        try system.command("settings", "network", "none")
        let app = try system.install(
            "downloads", executable: "\(bench.programs)/Downloads",
            settings: ["url": "http://roost.invalid/", "count": "\(Self.downloads)"])
        try system.command("launch", app)
        _ = try Programs.wait("\(Self.downloads) downloads to be queued", seconds: 60) {
            try system.waitingDownloads() == Self.downloads ? true : nil
        }
    }
}

/// `beginBackgroundTask` and `endBackgroundTask` in RoostKit, while the app is active.
struct PairBenchmark {
    let bench: Bench

    func run() throws -> [Measurement] {
        let system = try RunningSystem(bench, name: "pair")
        defer { system.end() }
        let app = try system.install("pair", executable: "\(bench.programs)/TaskPairs")
        try system.command("launch", app)
        let lines = Programs.figures(in: try system.output(of: app, until: "done", seconds: 60))
        return [
            Measurement(
                "begin and end, named", unit: "ns", rounds: Programs.rounds(lines, "named", "table"),
                against: "a locked table", target: .atMost(1000)),
            Measurement(
                "begin and end, name made", unit: "ns", rounds: Programs.rounds(lines, "unnamed", "table"),
                against: "a locked table", target: .atMost(1000)),
        ]
    }
}

/// Nanoseconds for each event in the brain, by the number of apps.
struct BrainBenchmark {
    let bench: Bench

    func run() throws -> [Measurement] {
        Programs.figures(in: try Programs.run("\(bench.programs)/brain", [])).reduce(into: []) { rows, line in
            guard let apps = line["apps"] else { return }
            rows.append(
                Measurement(
                    "\(Int(apps)) apps", unit: "ns/event", rounds: Programs.rounds([line], "brain", "table"),
                    against: "a dictionary's update"))
        }
    }
}

/// Events a second in the virtual world without checks and in the brain alone, compared with SimPy's bare event loop.
/// Also the duration of a phone's week.
struct WorldBenchmark {
    let bench: Bench

    func run() throws -> [Measurement] {
        let rounds = try (0..<5).map { _ in
            let text = try Programs.run("\(bench.programs)/brain", ["world"])
            let yardstick = try Programs.run(
                "\(bench.yardsticks)/simpy/bin/python", ["\(bench.yardsticks)/simpy_loop.py"])
            return Programs.figures(in: text + yardstick).reduce(into: [:]) { $0.merge($1) { $1 } }
        }
        let counts = try ["events", "acts", "tasks", "wakes", "locks"].map { name in
            guard let count = rounds.first?[name] else { throw BenchError("brain world printed no \(name)") }
            return "\(Int(count)) \(name)"
        }
        let week = "a week: \(counts.joined(separator: ", "))"
        return [
            Measurement(
                "the world, unchecked, 100 apps", unit: "events/s", rounds: Programs.rounds(rounds, "world", "simpy"),
                against: "SimPy's event loop", target: .ratioAtLeast(0.57)),
            Measurement(
                "the brain alone, 100 apps", unit: "events/s", rounds: Programs.rounds(rounds, "brain", "simpy"),
                against: "SimPy's event loop", target: .ratioAtLeast(1)),
            Measurement(
                week, unit: "s", rounds: Programs.rounds(rounds, "week", "checked"), against: "with every check",
                target: .atMost(1)),
        ]
    }
}
