import CRoostTesting
import Glibc
import LifeCycleModel

/// A process that a test has started. The process leads its own process group, so its children are stopped and killed
/// with it.
final class ChildProcess {
    /// The error if a process could not be started.
    struct StartError: Error {
        let errno: Int32
    }

    let pid: pid_t
    private var status: ExitStatus?

    /// Starts an executable; its output goes to the file at `output`.
    init(executable: String, environment: [String], directory: String, output: String) throws(StartError) {
        var pid: pid_t = 0
        let result = Self.withStrings([executable]) { arguments in
            Self.withStrings(environment) { variables in
                croost_testing_spawn(executable, arguments, variables, directory, output, &pid)
            }
        }
        guard result == 0 else { throw StartError(errno: result) }
        self.pid = pid
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            // The array has at least one entry, the nil at its end.
            buffer.baseAddress.map(body)!
        }
    }

    /// The exit status; nil while the process runs.
    func reap() -> ExitStatus? {
        if let status { return status }
        var word: Int32 = 0
        guard waitpid(pid, &word, WNOHANG) == pid else { return nil }
        return note(word)
    }

    private func note(_ word: Int32) -> ExitStatus {
        let signal = word & 0x7f
        let result = signal == 0 ? ExitStatus.exited(code: (word >> 8) & 0xff) : .signaled(signal)
        status = result
        return result
    }

    /// Stops the process group, and returns when the leader has stopped.
    func stop() {
        guard status == nil else { return }
        kill(-pid, SIGSTOP)
        var info = siginfo_t()
        // WNOWAIT leaves the stop event in place; `reap` looks only for the exit.
        waitid(P_PID, id_t(pid), &info, WSTOPPED | WEXITED | WNOWAIT)
    }

    func resume() {
        guard status == nil else { return }
        kill(-pid, SIGCONT)
    }

    func terminate() {
        guard status == nil else { return }
        kill(pid, SIGTERM)
    }

    /// Kills the process group, and returns when the leader is gone.
    func end() {
        guard status == nil else { return }
        kill(-pid, SIGKILL)
        var word: Int32 = 0
        while waitpid(pid, &word, 0) == -1, errno == EINTR {}
        _ = note(word)
    }
}
