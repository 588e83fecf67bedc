import Glibc
import Synchronization

/// Ctrl-C and its kin while the demonstration runs: noticed at the next wait, so that everything is cleaned up.
enum DemoInterruption {
    private static let last = Atomic<Int32>(0)

    /// The signal that has asked for the end; nil while none has.
    static var number: Int32? {
        let number = last.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// From here on SIGINT, SIGTERM and SIGHUP are only noted, and a broken pipe is nothing.
    static func watch() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Storing to an atomic is all a signal handler may do here, and all it does.
            signal(number) { DemoInterruption.last.store($0, ordering: .relaxed) }
        }
    }
}
