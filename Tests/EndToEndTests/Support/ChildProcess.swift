import CRoost
import Glibc

struct TestFailure: Error, CustomStringConvertible { let description: String }

/// The way a process ended.
enum Exit: Hashable {
    case code(Int32)
    case signal(Int32)
}

/// A process held by a pidfd, whether or not it is a child.
final class HeldProcess {
    let pid: Int32
    /// Becomes readable once the process is gone.
    let descriptor: Int32

    /// Nil if there is no such process.
    init?(_ pid: Int32) {
        var pidfd: Int32 = -1
        guard pid > 0, croost_pidfd_open(pid, &pidfd) == 0 else { return nil }
        self.pid = pid
        descriptor = pidfd
    }

    /// Takes ownership of a pidfd.
    init(taking descriptor: Int32, of pid: Int32) {
        self.pid = pid
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var isGone: Bool { croost_wait_for(descriptor, Int16(POLLIN), 0) == 0 }

    func send(_ signal: Int32) { croost_pidfd_send_signal(descriptor, signal) }

    /// Waits for the end of the process; throws if it does not end in time.
    func waitUntilGone(within seconds: Double = Deadline.patience) throws {
        guard croost_wait_for(descriptor, Int16(POLLIN), Int64(seconds * 1e9)) == 0 else {
            throw TestFailure(description: "process \(pid) still exists after \(seconds) s")
        }
    }
}

/// A program that a test runs, with its output in a file.
final class ChildProcess {
    let held: HeldProcess
    private var ended: Exit?

    var pid: Int32 { held.pid }

    /// Starts the program that `command` begins with, from PATH. The program inherits none of the other tests'
    /// descriptors.
    init(_ command: [String], environment: [String: String], output: String, errors: String? = nil) throws {
        let log = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard log >= 0 else { throw TestFailure(description: "\(output): \(String(cString: strerror(errno)))") }
        defer { close(log) }
        let redirected = errors.map { [#"exec "$@" 2>>"$0""#, $0] } ?? [#"exec "$@""#, "sh"]
        let arguments = (["sh", "-c"] + redirected + command).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var started = croost_started()
        var failed = CROOST_STEP_NONE
        let code = arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
                "/bin/sh".withCString { shell in
                    "/".withCString { directory in
                        var launch = croost_launch(
                            executable: shell, arguments: arguments.baseAddress, environment: variables.baseAddress,
                            directory: directory, log: log, cgroup: -1, passed: -1, open_files: 0, sibling: 0,
                            bounds: nil)
                        return croost_start(&launch, &started, &failed)
                    }
                }
            }
        }
        guard code == 0 else {
            throw TestFailure(description: "\(command[0]) can't be started: \(String(cString: strerror(code)))")
        }
        held = HeldProcess(taking: started.pidfd, of: started.pid)
    }

    /// Waits for the end of the process, and reaps it.
    @discardableResult func exit(within seconds: Double = Deadline.patience) throws -> Exit {
        if let ended { return ended }
        try held.waitUntilGone(within: seconds)
        var status = croost_exit()
        guard croost_pidfd_wait(held.descriptor, &status) == 0 else {
            throw TestFailure(description: "the exit status of process \(pid) is unknown")
        }
        let exit = status.is_signal != 0 ? Exit.signal(status.value) : .code(status.value)
        ended = exit
        return exit
    }

    /// Kills the process with SIGKILL and waits until it is gone.
    func kill() {
        guard ended == nil else { return }
        held.send(SIGKILL)
        _ = try? exit()
    }
}
