public import LifeCycleModel
public import LifeCycleSimulation

extension ExplorationRequest {
    /// Runs the request, and passes its output to `tell` text by text. Returns a sentence about the failure; nil if no
    /// rule was broken. `clock` is the time, `concurrently` runs the exhaustive search, and `text` formats the report
    /// of random histories. Throws the errors of `text`, and `ReportProblem` for a file.
    public func run(
        clock: @escaping @Sendable () -> Nanoseconds,
        concurrently: Exhaustive.Concurrently = { count, body in (0..<count).forEach(body) },
        text: (Explorer.Report) throws -> String,
        tell: (String) -> Void
    ) throws -> String? {
        switch kind {
        case .exhaustive(let bound):
            let start = clock()
            // The output is passed on now, because the next length may take minutes.
            let exhaustive = Exhaustive()
            tell(ExhaustiveReport.alphabets(of: exhaustive))
            let report = exhaustive.explore(within: bound, clock: clock, concurrently: concurrently) {
                tell(ExhaustiveReport.line($0))
            }
            tell(ExhaustiveReport.text(report, in: clock() - start))
            return report.failure.map { _ in "a rule was broken" }
        case .digest(let seeds, let steps):
            let digest = Explorer(steps: steps).digest(seeds: seeds)
            tell("\(digest)")
            return digest.brokenSeed.map { "an invariant was broken with seed \($0)" }
        case .random(let seeds, let steps, let expectsAll):
            let report = Explorer(steps: steps).explore(seeds: seeds)
            tell(try text(report))
            if report.failure != nil { return "an invariant was broken" }
            return expectsAll && !report.missing.isEmpty ? "not everything was reached" : nil
        case .shard(let shard, let path):
            // The place is checked first, because the report may be written hours later.
            try ReportFile.checkPlace(path)
            let report = Explorer(steps: shard.steps).explore(seeds: shard.ownSeeds, isDigested: true)
            try ReportFile.write(ShardReport(of: shard, report), to: path)
            tell(try text(report))
            return report.failure.map { _ in "an invariant was broken" }
        case .merge(let files, let expectsAll):
            let (report, steps) = try ReportFile.merge(files)
            tell(try text(report))
            if let failure = report.failure {
                return "an invariant was broken: `explore --seeds \(failure.seed) --steps \(steps)` shows it again"
            }
            return expectsAll && !report.missing.isEmpty ? "not everything was reached" : nil
        }
    }
}
