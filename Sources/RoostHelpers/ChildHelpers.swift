internal import CRoost
internal import Glibc
public import RoostPorts

/// Helpers as children of the calling process, for programs without a guardian: tests and benchmarks.
public final class ChildHelpers: HelperStarter {
    private let program: String
    private let name: String
    private var children: [Int64: Int32] = [:]

    /// `program` is the path of the helper's program.
    public init(program: String) {
        self.program = program
        name = program.split(separator: "/").last.map(String.init) ?? program
    }

    deinit { for number in Array(children.keys) { endHelper(number) } }

    /// The pids of the running helpers, sorted.
    public var pids: [Int32] { children.values.sorted() }

    /// Starts a helper, and returns the caller's end of its stream.
    public func startHelper(_ number: Int64) throws(SystemError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else {
            throw .now("start \(name)", "socketpair")
        }
        defer { close(ends[1]) }
        var pid: Int32 = 0
        let word = strdup(name)
        defer { free(word) }
        let code = croost_spawn(program, [word, nil], nil, ends[1], &pid)
        guard code == 0 else {
            close(ends[0])
            throw SystemError(doing: "start \(name)", subject: program, errno: code)
        }
        children[number] = pid
        return ends[0]
    }

    /// Kills the helper with this number, and waits until it has exited.
    public func endHelper(_ number: Int64) {
        guard let pid = children.removeValue(forKey: number) else { return }
        kill(pid, SIGKILL)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }
}
