import Dispatch
import ExploreCommand
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

do {
    let request = try ExplorationRequest(arguments: Array(CommandLine.arguments.dropFirst()))
    let finding = try request.run(
        clock: awakeTime, concurrently: DispatchQueue.concurrentPerform, text: ExplorationReport.text
    ) {
        print($0)
        // The next may be long in coming.
        fflush(nil)
    }
    if let finding { fail(finding, code: 1) }
} catch {
    fail("\(error)", code: 2)
}
