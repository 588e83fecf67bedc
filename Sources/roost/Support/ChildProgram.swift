import CRoost
import Glibc

/// A child process, held by a pidfd. The child starts with no signals blocked or ignored.
final class ChildProgram {
    /// Readable once the process has ended.
    let pidfd: Int32
    private let pid: Int32
    private let leadsSession: Bool
    private var exit: croost_exit?

    /// The destination of the program's output.
    enum Output {
        /// All output goes to this process's standard error.
        case errors
        /// Standard output goes to a file, standard error to this process's standard error.
        case file(String)
        /// All output goes to a file.
        case log(String)
    }

    /// Starts a program, which is looked up in PATH if `path` has no slash. Throws an exit code after printing the
    /// error.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], output: Output,
        inOwnSession: Bool = false
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        switch output {
        case .errors: posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        case .file(let path), .log(let path):
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            if case .log = output { posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO) }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnSession ? 0x80 : 0)  // POSIX_SPAWN_SETSID
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let texts = arguments.map { strdup($0) } + [nil]
        let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, path, &actions, &attributes, texts, variables)
        guard code == 0 else { throw Failure.failed("cannot start \(path): \(String(cString: strerror(code)))") }
        var descriptor: Int32 = -1
        let opened = croost_pidfd_open(pid, &descriptor)
        guard opened == 0 else {
            Glibc.kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw Failure.failed("cannot open a pidfd for \(path): \(String(cString: strerror(opened)))")
        }
        self.pid = pid
        leadsSession = inOwnSession
        pidfd = descriptor
    }

    deinit { close(pidfd) }

    /// Sends a signal; no effect after the end.
    func send(_ signal: Int32) { croost_pidfd_send_signal(pidfd, signal) }

    /// Waits for the end.
    func wait() { _ = croost_wait_for(pidfd, Int16(POLLIN), .max) }

    /// The exit code, or 128 plus the number of the ending signal, as in shells; nil while it runs.
    var exitCode: Int32? { status.map { $0.is_signal != 0 ? 128 + $0.value : $0.value } }

    /// The end as text; nil while it runs.
    var end: String? { status.map { $0.is_signal != 0 ? "signal \($0.value)" : "exit code \($0.value)" } }

    private var status: croost_exit? {
        if exit == nil, croost_wait_for(pidfd, Int16(POLLIN), 0) == 0 {
            var status = croost_exit()
            // Processes that the child has started end with it. The child's pid cannot be reused until the child is
            // reaped.
            if leadsSession { Glibc.kill(-pid, SIGKILL) }
            if croost_pidfd_wait(pidfd, &status) == 0 { exit = status }
        }
        return exit
    }
}
