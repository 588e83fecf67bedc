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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        posix_spawn_file_actions_addchdir_np(&actions, directory)
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What the test's process blocks or ignores is no matter of the app's.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid: pid_t = 0
        let result = Self.withStrings([executable]) { arguments in
            Self.withStrings(environment) { variables in
                posix_spawn(&pid, executable, &actions, &attributes, arguments, variables)
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
