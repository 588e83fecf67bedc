import Glibc
import Synchronization

/// Ctrl-C and its kin while the demonstration runs: noticed at the next wait, so that everything is cleaned up.
enum DemoInterruption {
    private static let flag = Atomic<Bool>(false)

    /// Whether a signal has asked for the end.
    static var hasCome: Bool { flag.load(ordering: .relaxed) }

    /// From here on SIGINT, SIGTERM and SIGHUP only set the flag, and a broken pipe is nothing.
    static func watch() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Storing to an atomic is all a signal handler may do here, and all it does.
            signal(number) { _ in DemoInterruption.flag.store(true, ordering: .relaxed) }
        }
    }
}
