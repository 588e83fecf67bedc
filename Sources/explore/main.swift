import Glibc
import LifeCycleModel
import LifeCycleSimulation

// The pure part's own way to explore, without any dependency: `roost explore` does the same with more manners.

func fail(_ message: String, code: Int32) -> Never {
    // What was printed comes before what is wrong with it.
    fflush(nil)
    let line = "explore: \(message)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
}

/// CLOCK_MONOTONIC.
func awakeTime() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
}

func exploreAll(_ bound: ExplorationRequest.Bound) {
    let start = awakeTime()
    let report = Exhaustive().explore(within: bound, clock: awakeTime) {
        print(ExhaustiveReport.line($0))
        // The next may take minutes.
        fflush(nil)
    }
    print(ExhaustiveReport.text(report, in: awakeTime() - start))
    if report.failure != nil { fail("a rule was broken", code: 1) }
}

let request: ExplorationRequest
do {
    request = try ExplorationRequest(arguments: Array(CommandLine.arguments.dropFirst()))
} catch {
    fail(error.description, code: 64)
}
switch request.kind {
case .exhaustive(let bound): exploreAll(bound)
case .digest(let seeds, let steps):
    let digest = Explorer(steps: steps).digest(seeds: seeds)
    print(digest)
    if let seed = digest.brokenSeed { fail("an invariant was broken with seed \(seed)", code: 1) }
case .random(let seeds, let steps, let expectsAll):
    let report = Explorer(steps: steps).explore(seeds: seeds)
    print(ExplorationReport.text(report))
    if report.failure != nil { fail("an invariant was broken", code: 1) }
    if expectsAll, !report.missing.isEmpty { fail("not everything was reached", code: 1) }
}
