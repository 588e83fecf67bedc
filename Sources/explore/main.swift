import Glibc
import LifeCycleSimulation

// The pure part's own way to explore, without any dependency: `roost explore` does the same with more manners.

func fail(_ message: String, code: Int32) -> Never {
    let line = "explore: \(message)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
}

var seeds: ClosedRange<UInt64> = 1...100
var steps = 1000
/// Whether it counts as a failure that something was never reached.
var expectsAll = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    let value = arguments.popFirst() ?? ""
    switch argument {
    case "--seeds":
        guard let range = ExplorationReport.seeds(from: value) else {
            fail("--seeds takes A...B, not \"\(value)\"", code: 64)
        }
        seeds = range
    case "--steps":
        guard let count = Int(value), count > 0 else {
            fail("--steps takes a number above zero, not \"\(value)\"", code: 64)
        }
        steps = count
    case "--expect":
        guard value == "all" else { fail("--expect takes all, not \"\(value)\"", code: 64) }
        expectsAll = true
    default:
        fail("unknown argument \"\(argument)\"; usage: explore [--seeds A...B] [--steps N] [--expect all]", code: 64)
    }
}
let report = Explorer(steps: steps).explore(seeds: seeds)
print(ExplorationReport.text(report))
if report.failure != nil { fail("an invariant was broken", code: 1) }
if expectsAll, !report.missing.isEmpty { fail("not everything was reached", code: 1) }
