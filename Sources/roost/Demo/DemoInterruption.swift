import Glibc
import Synchronization

/// Signals such as Ctrl-C during the demonstration. The next wait notices them, so that cleanup still runs.
enum DemoInterruption {
    private static let last = Atomic<Int32>(0)

    /// The signal that was received; nil for none.
    static var number: Int32? {
        let number = last.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// From now on, SIGINT, SIGTERM and SIGHUP are only recorded, and SIGPIPE is ignored.
    static func watch() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Storing to an atomic is allowed in a signal handler.
            signal(number) { DemoInterruption.last.store($0, ordering: .relaxed) }
        }
    }
}
