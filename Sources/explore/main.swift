import Dispatch
import ExploreCommand
import Glibc
import LifeCycleModel
import LifeCycleSimulation

// The exploration as a program without dependencies. `roost explore` is the same with a better command line.

func fail(_ message: String, code: Int32) -> Never {
    // The output comes before the message.
    fflush(nil)
    let line = "explore: \(message)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
}

/// The time of CLOCK_MONOTONIC.
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
        // The next text may take long.
        fflush(nil)
    }
    if let finding { fail(finding, code: 1) }
} catch {
    fail("\(error)", code: 2)
}
