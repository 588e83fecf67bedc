import Foundation

/// Freezing and thawing by the adapter, compared with C on the same cgroups.
struct FreezeBenchmark {
    let bench: Bench

    func run() throws -> [Measurement] {
        let text = try Programs.run(
            "\(bench.programs)/freezer", ["\(bench.yardsticks)/victim", "\(bench.work)/victims.log"])
        let titles = [
            ("freeze1", "freeze → frozen, 1 thread"), ("thaw1", "thaw → first instruction, 1 thread"),
            ("freeze8", "freeze → frozen, 8 threads"), ("thaw8", "thaw → first instruction, 8 threads"),
            ("freeze64", "freeze → frozen, 64 threads"), ("thaw64", "thaw → first instruction, 64 threads"),
            ("refreeze", "freeze → frozen, 3 ms after a thaw"), ("apps", "100 apps frozen"),
        ]
        return titles.map { name, title in
            let lines = Programs.figures(in: text).filter { $0["\(name).roost"] != nil }
            return Measurement(
                title, unit: "µs", rounds: Programs.rounds(lines, "\(name).roost", "\(name).c", scale: 1e-3),
                against: "C", target: .ratioAtMost(1.5))
        }
    }
}

/// From the start of an app's process to the first line of `didFinishLaunching`. The yardstick is the first line of
/// `main` of the same file, started by a C program. The kernel reports when each process started.
struct LaunchBenchmark {
    let bench: Bench
    static let rounds = 20

    func run() throws -> [Measurement] {
        let births = "\(bench.work)/births.log"
        let watcher = try Programs.start(
            "\(bench.yardsticks)/births", [], output: births, work: bench.work)
        defer { Programs.end(watcher, work: bench.work) }
        _ = try Programs.wait("the kernel to tell of births", seconds: 5) { () -> Bool? in
            let text = try String(contentsOfFile: births, encoding: .utf8)
            guard watcher.isRunning else { throw BenchError("births: \(text)") }
            return text.hasPrefix("watching") ? true : nil
        }
        let system = try RunningSystem(bench, name: "launch")
        defer { system.end() }
        let program = "\(bench.programs)/FirstLine"
        let app = try system.install("first", executable: program)
        var yardsticks: [[String: Double]] = []
        for round in 1...Self.rounds {
            yardsticks += Programs.figures(in: try Programs.run("\(bench.yardsticks)/spawn", [program, "main"]))
            try system.launch(app)
            _ = try Programs.wait("the app's \(round). launch", seconds: 10) { () -> Bool? in
                Programs.figures(in: try system.output(of: app)).count >= round ? true : nil
            }
            try system.command("quit", app)
            try system.wait(for: [app], toBe: "notRunning")
        }
        let launches = Programs.figures(in: try system.output(of: app))
        let born = Dictionary(
            Programs.figures(in: try String(contentsOfFile: births, encoding: .utf8)).compactMap { line in
                line["pid"].flatMap { pid in line["at"].map { (pid, $0) } }
            }
        ) { $1 }
        func since(_ name: String, _ line: [String: Double]) -> Double? {
            line["pid"].flatMap { born[$0] }.flatMap { birth in line[name].map { ($0 - birth) / 1e3 } }
        }
        let alone = yardsticks.compactMap { since("main", $0) }
        let pairs = zip(launches, alone).compactMap { line, alone -> (Double, Double, Double)? in
            guard let first = since("first", line), let main = since("main", line) else { return nil }
            return (first, main, alone)
        }
        guard pairs.count == Self.rounds else { throw BenchError("only \(pairs.count) launches were measured") }
        return [
            Measurement(
                "didFinishLaunching", unit: "µs", rounds: pairs.map { ($0.0, $0.1) }, against: "main, same launch",
                target: .ratioAtMost(1.4)),
            Measurement(
                "didFinishLaunching", unit: "µs", rounds: pairs.map { ($0.0, $0.2) }, against: "main, by C",
                target: .ratioAtMost(1.5)),
            Measurement(
                "main, in the system", unit: "µs", rounds: pairs.map { ($0.1, $0.2) }, against: "main, by C"),
        ]
    }
}
