import ArgumentParser
import CRoost
import Glibc

/// Descriptors 0, 1 and 2.
enum StandardStreams {
    /// Opens /dev/null for each closed standard descriptor, before anything else is opened. Otherwise the next file or
    /// socket would get such a number, and receive this program's output. With the chosen mode, output still fails.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is `descriptor`.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Flushes standard output. On failure, prints an error and throws an exit code, because an output file would be
    /// incomplete. A closed output or a reader that has gone is not an error.
    static func finish() throws {
        let code = croost_finish_output()
        if ![0, EBADF, EPIPE].contains(code) { throw unprinted(code) }
    }

    /// Reports a failed write to standard output, and returns the exit code.
    static func unprinted(_ code: Int32) -> any Error {
        // The error is never JSON, which would go to the same output.
        writeError("roost: the output is incomplete: \(String(cString: strerror(code)))\n")
        return ExitCode(1)
    }
}
