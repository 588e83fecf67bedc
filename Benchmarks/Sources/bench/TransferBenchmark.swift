import Foundation

/// Downloads by the engine in its own process, compared with curl and aria2, from nginx with all files in memory. Then
/// the service's work after the last download.
struct TransferBenchmark {
    let bench: Bench
    static let rounds = 5
    /// Short files take a hundredth of the time, and vary more.
    static let roundsOfSmall = 21
    /// A session's default number of connections to one host.
    static let atOnce = 6
    /// The service's limit of concurrent transfers.
    static let mostAtOnce = 16

    /// The same downloads for all three programs.
    private struct Contest {
        let name: String
        let files: Int
        let bytes: Int
        let engine: [String]
        let curl: [String]
        let aria2: [String]
        /// The targets for the ratio to curl: of the duration, and below of the processor time.
        let wall: Target?
        let cpu: Target?
        var beatsAria2 = true
        var rounds = TransferBenchmark.rounds
    }

    func run() throws -> [Measurement] {
        let memory = "\(bench.work)/memory"
        let kind = try Programs.run("/usr/bin/stat", ["-f", "-c", "%T", memory + "/."])
        guard kind.hasPrefix("tmpfs") else { throw BenchError("\(memory) is on \(kind), and should be in memory") }
        let server = try TransferServer(bench, in: memory + "/server")
        defer { server.end() }
        var measurements: [Measurement] = []
        for contest in contests(server) { measurements += try run(contest, in: memory + "/taken") }
        measurements += try growth(server, in: memory + "/taken")
        return try measurements + throughTheService(server)
    }

    private func contests(_ server: TransferServer) -> [Contest] {
        func big(_ name: String, _ url: String, curl: [String] = [], wall: Target?, cpu: Target?) -> Contest {
            Contest(
                name: name, files: 1, bytes: TransferServer.size, engine: ["1", url + "big"],
                curl: curl + ["-o", "big", url + "big"], aria2: [url + "big"], wall: wall, cpu: cpu)
        }
        let small = (0..<TransferServer.smallCount).map { server.http + "s\($0)" }
        let list = "\(bench.work)/memory/list"
        try? small.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
        /// Without options curl has 50 transfers at once.
        func many(_ what: String, _ count: Int, curl: [String] = [], most: Double) -> Contest {
            Contest(
                name: "2,000 × 64 KiB, \(what)", files: small.count, bytes: small.count * TransferServer.smallSize,
                engine: ["\(count)"] + small, curl: ["-Z"] + curl + ["--remote-name-all"] + small,
                aria2: ["-j\(count)", "-i", list], wall: .ratioAtMost(most), cpu: nil, beatsAria2: false,
                rounds: Self.roundsOfSmall)
        }
        return [
            big("1 GiB, HTTP", server.http, wall: .ratioAtMost(1.25), cpu: .ratioAtMost(1.25)),
            big("1 GiB, HTTPS", server.https, wall: .ratioAtMost(0.8), cpu: .ratioAtMost(0.9)),
            big("1 GiB, HTTPS, HTTP/2 offered", server.http2, wall: nil, cpu: nil),
            many("\(Self.mostAtOnce) at once, curl's 50", Self.mostAtOnce, most: 1),
            many(
                "\(Self.atOnce) at once, as curl's", Self.atOnce, curl: ["--parallel-max", "\(Self.atOnce)"], most: 1.1),
        ]
    }

    // MARK: Beside the others

    private func run(_ contest: Contest, in directory: String) throws -> [Measurement] {
        let roots = "\(bench.work)/memory/server/ca.pem"
        let programs: [(path: String, arguments: [String])] = [
            ("\(bench.programs)/carry", [directory, roots] + contest.engine),
            ("/usr/bin/curl", ["-sf", "--output-dir", directory, "--cacert", roots] + contest.curl),
            (
                "/usr/bin/aria2c",
                ["-q", "-d", directory, "--file-allocation=none", "--ca-certificate=" + roots] + contest.aria2
            ),
        ]
        var used: [[Measured.Usage]] = []
        for _ in 0..<contest.rounds {
            used.append(
                try programs.map { path, arguments in
                    try Self.empty(directory)
                    let usage = try Measured.run(path, arguments)
                    let got = try Self.sizes(in: directory)
                    guard got.count == contest.files, got.reduce(0, +) == contest.bytes else {
                        throw BenchError("\(path) has brought \(got.count) files of \(got.reduce(0, +)) bytes")
                    }
                    return usage
                })
        }
        try Self.empty(directory)
        func compared(_ what: String, _ value: (Measured.Usage) -> Double, with other: Int, _ target: Target?)
            -> Measurement
        {
            Measurement(
                "\(contest.name): \(what)", unit: "s", rounds: used.map { (value($0[0]), value($0[other])) },
                against: ["", "curl", "aria2"][other], target: target)
        }
        let beaten: Target? = contest.beatsAria2 ? .ratioAtMost(1) : nil
        return [
            compared("time", \.wall, with: 1, contest.wall), compared("processor", \.cpu, with: 1, contest.cpu),
            compared("time", \.wall, with: 2, beaten), compared("processor", \.cpu, with: 2, beaten),
        ]
    }

    private static func empty(_ directory: String) throws {
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// The sizes of the downloaded files.
    private static func sizes(in directory: String) throws -> [Int] {
        guard let all = FileManager.default.enumerator(atPath: directory) else { throw BenchError("no \(directory)") }
        var sizes: [Int] = []
        while all.nextObject() != nil {
            guard let attributes = all.fileAttributes, attributes[.type] as? FileAttributeType == .typeRegular else {
                continue
            }
            sizes.append((attributes[.size] as? Int) ?? 0)
        }
        return sizes
    }

    // MARK: Memory

    /// The memory of the carrier, and the growth of the process that owns the transfers.
    private func growth(_ server: TransferServer, in directory: String) throws -> [Measurement] {
        let all = (0..<TransferServer.smallCount).map { server.http + "s\($0)" }
        let cases: [(String, [String])] = [
            ("64 MiB, HTTP", ["1", server.http + "middle"]), ("1 GiB, HTTP", ["1", server.http + "big"]),
            ("64 MiB, HTTPS", ["1", server.https + "middle"]), ("1 GiB, HTTPS", ["1", server.https + "big"]),
            ("2,000 × 64 KiB", ["\(Self.atOnce)"] + all),
        ]
        return try cases.map { name, arguments in
            let grown = try (0..<3).map { _ in
                try Self.empty(directory)
                let text = try Programs.run("\(bench.programs)/carry", [directory, server.roots] + arguments)
                guard let line = Programs.figures(in: text).first, let before = line["before"], let peak = line["peak"]
                else { throw BenchError("carry: \(text)") }
                return (peak - before) / 1024
            }
            try Self.empty(directory)
            return Measurement("\(name): memory grows by", unit: "MiB", rounds: grown, target: .atMost(32))
        }
    }

    // MARK: The service

    /// The service downloads 2,000 files for an app, and is then idle.
    private func throughTheService(_ server: TransferServer) throws -> [Measurement] {
        let system = try RunningSystem(bench, name: "transfer")
        defer { system.end() }
        let app = try system.install(
            "downloads", executable: "\(bench.programs)/Downloads",
            settings: ["url": server.http + "s", "count": "\(TransferServer.smallCount)"])
        try system.command("launch", app)
        let lines = Programs.figures(in: try system.output(of: app, until: "done", seconds: 60))
        guard let seconds = lines.compactMap({ $0["seconds"] }).first else { throw BenchError("no time was reported") }
        let service = system.pids
        // Threads and connections stay for 2 s, for the next transfer. The last threads, which end them, stay for 5 s
        // more.
        usleep(10_000_000)
        let before = Proc.contextSwitches(of: service)
        usleep(15_000_000)
        let after = Proc.contextSwitches(of: service)
        return [
            Measurement(
                "2,000 × 64 KiB, by the service, with the app notified of each", unit: "s", rounds: [seconds]),
            Measurement(
                "context switches in 15 s, 10 s after the last download", unit: "of all threads",
                rounds: [Proc.contextSwitches(from: before, to: after)], target: .atMost(0)),
        ]
    }
}
