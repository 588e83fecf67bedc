internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The supervisor's end of the connection to the guardian, which reaps the apps.
public final class GuardianLink: ExitRecords {
    /// The descriptor, which reports a hang-up when the guardian dies. Only `GuardianLink` reads from it.
    public var descriptor: Int32 { socket.descriptor }
    /// The supervisor's parent process.
    public let pid: Int32

    private let socket: PacketSocket

    private let patience: Nanoseconds

    /// Takes ownership of the descriptor that a supervisor inherits. Throws if the descriptor is not a packet socket.
    ///
    /// `patience` bounds the wait for an answer. The guardian answers at once, so the bound matters only if it was
    /// stopped.
    public init(taking descriptor: Int32, patience: Nanoseconds = .milliseconds(50)) throws(SystemError) {
        var kind: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0,
            kind == Int32(SOCK_SEQPACKET.rawValue), fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            throw SystemError(
                doing: "reach the guardian", subject: "descriptor \(descriptor)", errno: Glibc.errno,
                reason: "it is not a connection to a guardian; only `roost up` runs this command")
        }
        socket = PacketSocket(descriptor: descriptor)
        pid = getppid()
        self.patience = patience
    }

    deinit { socket.close() }

    /// Reports that the system with this id now answers calls.
    public func isReady(system: String) { socket.send(.ready(system: system)) }

    /// When the last ended process with this pid had started, in the kernel's ticks since boot; nil if unknown.
    public func startTimeOfLast(pid: Int32) -> UInt64? { ask(pid: pid, startTime: nil)?.startTime }

    /// The exit status of a process; `.unknown` if the guardian does not know it or does not answer.
    public func exitStatus(pid: Int32, startTime: UInt64) -> ExitStatus {
        ask(pid: pid, startTime: startTime)?.status ?? .unknown
    }

    // MARK: Helpers

    /// Asks the guardian to start a helper. Returns the supervisor's end of the helper's stream, which the caller closes.
    public func start(_ program: HelperProgram, _ number: Int64) throws(SystemError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else {
            throw .now("start \(program.rawValue)", "socketpair")
        }
        defer { Glibc.close(ends[1]) }
        guard socket.send(.startHelper(program, number), passing: ends[1]) else {
            Glibc.close(ends[0])
            throw SystemError(
                doing: "start \(program.rawValue)", subject: "the guardian", errno: EPIPE,
                reason: "the guardian does not accept the request")
        }
        return ends[0]
    }

    /// Asks the guardian to kill the helper with this number.
    public func end(_ program: HelperProgram, _ number: Int64) { socket.send(.endHelper(program, number)) }

    private func ask(pid: Int32, startTime: UInt64?) -> ExitLedger.Entry? {
        // Discard late answers to earlier questions.
        while case .message = socket.receive() {}
        guard socket.send(.asked(pid: pid, startTime: startTime)) else { return nil }
        let end = croost_monotonic() + patience.rawValue
        while true {
            switch socket.receive() {
            case .message(.answered(pid, let entry), _) where startTime == nil || entry?.startTime == startTime:
                return entry
            case .message(.answered(pid, nil), _): return nil
            case .message, .strange: continue
            case .hungUp: return nil
            case .nothing: break
            }
            let left = end - croost_monotonic()
            guard left > 0, croost_wait_for(descriptor, Int16(POLLIN), left) == 0 else { return nil }
        }
    }
}
