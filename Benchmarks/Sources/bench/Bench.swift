import Foundation

/// Runs the named benchmarks, or all of them. The command prints each result and writes it as JSON. A missed target is
/// reported, but is not a failure: these programs measure speed and do not assert it.
@main
struct Bench {
    /// A benchmark: its name, its title, and the function that runs it.
    struct Entry: Sendable {
        let name: String
        let title: String
        let run: @Sendable (Bench) throws -> [Measurement]
    }

    static let all = [
        Entry(name: "brain", title: "Events through the brain") { try BrainBenchmark(bench: $0).run() },
        Entry(name: "world", title: "The virtual world, and SimPy's event loop") {
            try WorldBenchmark(bench: $0).run()
        },
        Entry(name: "begin", title: "A begin with an answer, from a C app") { try BeginBenchmark(bench: $0).run() },
        Entry(name: "pair", title: "Begin and end in the foreground") { try PairBenchmark(bench: $0).run() },
        Entry(name: "freeze", title: "Freezing and thawing") { try FreezeBenchmark(bench: $0).run() },
        Entry(name: "launch", title: "The first line of didFinishLaunching") {
            try LaunchBenchmark(bench: $0).run()
        },
        Entry(name: "front", title: "The app in front, beside 20 busy ones") { try FrontBenchmark(bench: $0).run() },
        Entry(name: "wake", title: "20 apps that wake every 10 ms") { try WakeBenchmark(bench: $0).run() },
        Entry(name: "wakes", title: "From the command to the callback") { try WakesBenchmark(bench: $0).run() },
        Entry(name: "start", title: "The start, with 32,000 local notifications") {
            try StartBenchmark(bench: $0).run()
        },
        Entry(name: "transfer", title: "Downloads, beside curl and aria2") {
            try TransferBenchmark(bench: $0).run()
        },
        Entry(name: "stress", title: "A quiet caller beside two that flood") {
            try StressBenchmark(bench: $0).run()
        },
        Entry(name: "idle", title: "50 suspended apps") { try IdleBenchmark(bench: $0).run() },
    ]

    /// The directories of `roost`, of the apps and tools of this package, and below of the yardsticks.
    let programs: String
    let yardsticks: String
    /// A directory for files of the run. The caller removes it.
    let work: String
    /// The path of the JSON file.
    let results: String

    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 4 else {
            complain("usage: bench PROGRAMS YARDSTICKS WORK RESULTS [NAME...]; scripts/bench calls it")
            exit(64)
        }
        let bench = Bench(
            programs: arguments[0], yardsticks: arguments[1], work: arguments[2], results: arguments[3])
        arguments.removeFirst(4)
        if let unknown = arguments.first(where: { name in !all.contains { $0.name == name } }) {
            complain("there is no benchmark called \(unknown); there are \(all.map(\.name).joined(separator: ", "))")
            exit(64)
        }
        var failed = false
        var missed: [Measurement] = []
        for entry in all where arguments.isEmpty || arguments.contains(entry.name) {
            say("\n\(entry.name): \(entry.title)")
            do {
                let measurements = try entry.run(bench)
                say(Report.table(measurements))
                try Report.write(measurements, as: entry.name, to: bench.results)
                missed += measurements.filter { $0.isMet == false }
            } catch {
                complain("\(entry.name): \(error)")
                failed = true
            }
        }
        if !missed.isEmpty {
            say("\nMissed targets: \(missed.map(\.what).joined(separator: "; "))")
        }
        // A benchmark that could not run is a failure.
        if failed { exit(1) }
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    static func complain(_ line: String) { FileHandle.standardError.write(Data("bench: \(line)\n".utf8)) }

    /// A directory for this run.
    func directory(_ name: String) throws -> String {
        let path = "\(work)/\(name)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: name.hasSuffix("/run") ? 0o700 : 0o711])
        return path
    }
}
