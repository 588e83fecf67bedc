import ArgumentParser
import Glibc
import RoostPorts

/// How a command fails: a sentence on standard error, and an exit code.
enum Failure {
    /// Refused or failed.
    static func failed(_ message: String) -> ExitCode { say(message, ExitCode(1)) }
    /// Wrong input, found only after the arguments were parsed.
    static func wrongArgument(_ message: String) -> ExitCode { say(message, ExitCode(EX_USAGE)) }
    /// A file of wrong input, for a command that checks the rules.
    static func wrongInput(_ message: String) -> ExitCode { say(message, ExitCode(2)) }
    /// What the operating system refused; with `advice` if a system holds the state directory.
    static func refused(_ error: SystemError, ifInUse advice: String = "end it first") -> ExitCode {
        failed(error.description + (error.errno == EWOULDBLOCK ? "; \(advice)" : ""))
    }
    /// No system runs that could be asked.
    static func noSystem(_ message: String) -> ExitCode { say(message, ExitCode(EX_UNAVAILABLE)) }

    private static func say(_ message: String, _ code: ExitCode) -> ExitCode {
        writeError("roost: \(message)\n")
        return code
    }
}

/// Writes to standard error, unbuffered.
func writeError(_ text: String) {
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
