import CRoost
import Glibc

/// Descriptors 0, 1 and 2.
enum StandardStreams {
    /// Takes the place of those that are closed, before anything is opened: else the next file or socket would get the
    /// number of one of them, and what we print would go there. What is printed fails as it would have.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes what is not written yet. Throws an exit code, the reason being said already, where it could not all be
    /// written: who has what we print in a file must know that it is not whole. A reader who has gone, and an output
    /// that was closed, want no more of it.
    static func finish() throws {
        let code = croost_finish_output()
        if ![0, EBADF, EPIPE].contains(code) { throw unprinted(code) }
    }

    /// What there is to say where standard output takes no more.
    static func unprinted(_ code: Int32) -> any Error {
        Failure.failed("what there is to print can't all be written: \(String(cString: strerror(code)))")
    }
}
