import CRoostTesting
import Glibc
import LifeCycleModel

/// A process that a test has started, the leader of a group of its own, so that its children are stopped and killed with
/// it.
final class ChildProcess {
    /// A process could not be started.
    struct StartError: Error {
        let errno: Int32
    }

    let pid: pid_t
    private var status: ExitStatus?

    /// Starts an executable; what it prints goes to the file at `output`.
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
            // One entry at least, the nil at the end.
            buffer.baseAddress.map(body)!
        }
    }

    /// How it ended; nil while it runs.
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

    /// Stops all of it, and returns when it stands still.
    func stop() {
        guard status == nil else { return }
        kill(-pid, SIGSTOP)
        var info = siginfo_t()
        // The leader's stop is an event; it is left for nobody, the exit is looked for on its own.
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

    /// Ends all of it, and returns when the leader is gone.
    func end() {
        guard status == nil else { return }
        kill(-pid, SIGKILL)
        var word: Int32 = 0
        while waitpid(pid, &word, 0) == -1, errno == EINTR {}
        _ = note(word)
    }
}
