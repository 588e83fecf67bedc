public import LifeCycleModel

extension ExplorationRequest {
    /// Runs what is asked for, tells it text by text, and gives what is wrong, in a sentence; nil where nothing is. Time
    /// is what `clock` reads; `text` puts the report of random histories into words.
    public func run(
        clock: () -> Nanoseconds, text: (Explorer.Report) throws -> String,
        tell: (String) -> Void
    ) rethrows -> String? {
        switch kind {
        case .exhaustive(let bound):
            let start = clock()
            // The next length may take minutes.
            let report = Exhaustive().explore(within: bound, clock: clock) { tell(ExhaustiveReport.line($0)) }
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
        }
    }
}
