import Foundation

/// From the start of `roost up` to its first answer, with 500 apps: with 64 scheduled notifications in each, and with
/// none. Then counts context switches while no notification is due.
struct StartBenchmark {
    let bench: Bench
    static let rounds = 7

    func run() throws -> [Measurement] {
        let text = try Programs.run(
            "/usr/bin/python3",
            [
                "\(bench.yardsticks)/filled_start.py", "\(bench.programs)/roost", try bench.directory("start"),
                "\(Self.rounds)",
            ])
        let lines = Programs.figures(in: text)
        let switches = lines.compactMap { $0["switches"] }
        guard switches.count == 1 else { throw BenchError("filled_start.py: \(text)") }
        return [
            Measurement(
                "roost up, 500 apps, 64 notifications in each", unit: "ms", rounds: lines.compactMap { $0["filled"] },
                target: .atMost(500)),
            Measurement("with no notification", unit: "ms", rounds: lines.compactMap { $0["empty"] }),
            Measurement("context switches in 15 s", unit: "", rounds: switches, target: .atMost(0)),
        ]
    }
}
