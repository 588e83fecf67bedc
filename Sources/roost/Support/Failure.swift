import ArgumentParser
import Glibc
import RoostPorts

/// Errors of commands: a message on standard error and an exit code. With `--json`, the message is JSON on standard
/// output, with a code for programs.
enum Failure {
    /// A refusal or a failure. `code` is the reply's code if the system refused.
    static func failed(_ message: String, code: String = "failed") -> ExitCode { say(message, code, 1) }
    /// Wrong input in a file, for a command that checks rules.
    static func wrongInput(_ message: String) -> ExitCode { say(message, "wrongInput", 2) }
    /// An error of the operating system; a refusal, with `advice`, if a running system holds the state directory.
    static func refused(_ error: SystemError, ifInUse advice: String = "end it first") -> ExitCode {
        error.errno == EWOULDBLOCK
            ? failed("\(error); \(advice)", code: "refused") : failed(error.description, code: "systemFault")
    }
    /// No system is running.
    static func noSystem(_ message: String) -> ExitCode { say(message, "noSystem", EX_UNAVAILABLE) }

    /// Whether the command line has `--json`, even if the rest is wrong.
    static let isJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")

    /// Prints the message as text or JSON, and returns the exit code.
    @discardableResult static func say(_ message: String, _ code: String, _ exit: Int32) -> ExitCode {
        if isJSON, let line = try? Output.jsonLine(["error": ["code": code, "message": message]]) {
            print(line)
        } else {
            writeError("roost: \(message)\n")
        }
        return ExitCode(exit)
    }
}

/// Writes to standard error, unbuffered.
func writeError(_ text: String) {
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
