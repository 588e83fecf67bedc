internal import CRoost
internal import Glibc
public import RoostPorts

/// Carriers as children of the calling process, for programs without a guardian: tests and benchmarks.
public final class ChildCarriers: CarrierStarter {
    private let program: String
    private var children: [Int64: Int32] = [:]

    /// `program` is the path of `roost-carry`.
    public init(program: String) { self.program = program }

    deinit { for number in Array(children.keys) { endCarrier(number) } }

    /// The pids of the running carriers, sorted.
    public var pids: [Int32] { children.values.sorted() }

    /// Starts a carrier, and returns the caller's end of its stream.
    public func startCarrier(_ number: Int64) throws(SystemError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else {
            throw .now("start roost-carry", "socketpair")
        }
        defer { close(ends[1]) }
        var pid: Int32 = 0
        let name = strdup("roost-carry")
        defer { free(name) }
        let code = croost_spawn(program, [name, nil], nil, ends[1], &pid)
        guard code == 0 else {
            close(ends[0])
            throw SystemError(doing: "start roost-carry", subject: program, errno: code)
        }
        children[number] = pid
        return ends[0]
    }

    /// Kills the carrier with this number, and waits until it has exited.
    public func endCarrier(_ number: Int64) {
        guard let pid = children.removeValue(forKey: number) else { return }
        kill(pid, SIGKILL)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }
}
