internal import CRoost
internal import Glibc
internal import LifeCycleModel
public import RoostPorts

/// The parent process of the supervisor and of every app; it must never die. The guardian reaps children and restarts
/// the supervisor, and does nothing else. Between events it sleeps in the kernel, without wake-ups.
public final class Guardian {
    /// The descriptor number at which a supervisor finds its end of the connection.
    public static let supervisorsDescriptor: Int32 = 3

    private let orders: GuardianOrders
    private let startTime: (Int32) -> UInt64?
    private let waitsForDevice: (Int32) -> Bool
    private let log: (Guardianship.Remark) -> Void
    private let manager: ServiceManager?
    private let signals: Int32
    private var guardianship: Guardianship
    private var ledger = ExitLedger()
    private var connection: PacketSocket?
    private var supervisor: Int32?
    /// Nil if no descriptor was left: a hang of the supervisor is then not noticed.
    private let heartbeat = Heartbeat()
    /// The process of `roost release`.
    private var releaser: Int32?
    private var system: String?
    private var exitCode: Int32?
    private var helpers: HelperProcesses

    private static let endingSignals = [SIGTERM, SIGINT, SIGHUP, SIGPWR]

    /// A guardian that has not started a supervisor yet. Blocks the signals that it waits for, so create it before any
    /// other thread.
    ///
    /// `startTime` returns when a process started, in the kernel's ticks since boot. `waitsForDevice` returns whether a
    /// process is in uninterruptible sleep: it waits for a device, and no signal can end that wait. `tell` reports an event
    /// worth logging. Throws if no descriptor is left.
    public init(
        _ orders: GuardianOrders, startTime: @escaping (Int32) -> UInt64?, waitsForDevice: @escaping (Int32) -> Bool,
        tell: @escaping (Guardianship.Remark) -> Void
    ) throws(SystemError) {
        (self.orders, self.startTime, self.waitsForDevice, log) = (orders, startTime, waitsForDevice, tell)
        helpers = HelperProcesses(beside: orders.program, tell: tell)
        guardianship = Guardianship(absence: orders.absence, hang: orders.hang, shutdown: orders.shutdown)
        _ = fcntl(orders.image, F_SETFD, FD_CLOEXEC)
        var set = sigset_t()
        sigemptyset(&set)
        for number in Self.endingSignals + [SIGCHLD] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signals = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard signals >= 0 else { throw .now("watch signals", "the guardian") }
        // Children must not inherit this variable: any process that has it could send status messages for the guardian.
        manager = ServiceManager(socket: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
        unsetenv("NOTIFY_SOCKET")
        // A backtrace of a crashed supervisor takes 20 s to symbolize, and during that time no calls are answered. Set
        // SWIFT_BACKTRACE to get a backtrace.
        setenv("SWIFT_BACKTRACE", "enable=no", 0)
    }

    deinit { close(signals) }

    /// Runs until the supervisor has shut the system down, or until no supervisor can be started. Returns the exit
    /// code.
    public func run() -> Int32 {
        act { $0.begin(into: &$1) }
        while true {
            if let exitCode { return exitCode }
            sleep()
            readMessages()
            reap()
            readSignals()
            lookAtHeartbeat()
            let now = Self.now
            if let deadline = guardianship.nextDeadline, deadline <= now {
                let waits = supervisor.map(waitsForDevice) ?? false
                act { $0.timePassed(at: now, supervisorWaitsForDevice: waits, into: &$1) }
            }
        }
    }

    private static var now: Nanoseconds { Nanoseconds(croost_monotonic()) }

    private func sleep() {
        var waited = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        for descriptor in [connection?.descriptor, heartbeat?.descriptor].compactMap(\.self) {
            waited.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        var milliseconds: Int32 = -1
        if let deadline = guardianship.nextDeadline {
            let left = max(.zero, deadline - Self.now)
            milliseconds = Int32(clamping: (left.rawValue + 999_999) / 1_000_000)
        }
        _ = poll(&waited, nfds_t(waited.count), milliseconds)
    }

    // MARK: Events

    private func readMessages() {
        while let connection {
            switch connection.receive() {
            case .message(.startHelper(let program, let number), .some(let descriptor)):
                helpers.want(program, Helpers.Wanted(number: number, descriptor: descriptor))
            case .message(.endHelper(let program, let number), _):
                helpers.end(program, number)
            case .message(.ready(let system), _):
                self.system = system
                act { $0.supervisorIsReady(at: Self.now, into: &$1) }
                // The code that startup used is not needed again soon.
                croost_release_code()
            case .message(.asked(let pid, let startTime), _):
                // The answer must include every process that has ended by now.
                reap()
                connection.send(.answered(pid: pid, ledger.entry(pid: pid, startTime: startTime)))
            case .message(.answered, _), .message(.startHelper, nil), .strange: continue
            case .nothing: return
            case .hungUp:
                // The supervisor is about to exit, and `reap` will see that.
                connection.close()
                self.connection = nil
            }
        }
    }

    private func reap() {
        var pid: Int32 = 0
        while croost_next_ended(&pid) == 0 {
            // Read the start time before reaping: until then, /proc still shows this process.
            let startTime = startTime(pid) ?? 0
            var exit = croost_exit()
            guard croost_reap(pid, &exit) == 0 else { return }
            let status: ExitStatus = exit.is_signal != 0 ? .signaled(exit.value) : .exited(code: exit.value)
            switch pid {
            case supervisor:
                supervisor = nil
                // The timer that the old supervisor set must not run out under its successor.
                heartbeat?.off()
                // The supervisor may have sent messages before it ended.
                readMessages()
                helpers.supervisorEnded()
                act { $0.supervisorEnded(status, at: Self.now, into: &$1) }
            case releaser:
                releaser = nil
                act { $0.released(into: &$1) }
            case _ where helpers.reaped(pid, status): break
            default: ledger.note(ExitLedger.Entry(pid: pid, startTime: startTime, status: status))
            }
        }
    }

    private func readSignals() {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while read(signals, &information, size) == size {
            let number = Int32(information.ssi_signo)
            if number != SIGCHLD { act { $0.asked(toEndBy: number, at: Self.now, into: &$1) } }
        }
    }

    /// Checks whether the supervisor makes progress.
    private func lookAtHeartbeat() {
        if let supervisor, case let news = croost_stop_news(supervisor), news != 0 {
            guardianship.supervisorStopped(news > 0, at: Self.now)
        }
        guard let heartbeat else { return }
        if heartbeat.hasRunOut() { guardianship.heartbeatRanOut(at: Self.now) }
        if heartbeat.isSet { guardianship.heartbeatIsBack() }
    }

    // MARK: Actions

    private func act(_ event: (inout Guardianship, inout [Guardianship.Action]) -> Void) {
        var actions: [Guardianship.Action] = []
        event(&guardianship, &actions)
        for action in actions { perform(action) }
    }

    private func perform(_ action: Guardianship.Action) {
        switch action {
        case .start: start()
        // The child is not reaped yet, so its pid cannot have been reused.
        case .kill: if let supervisor { kill(supervisor, SIGKILL) }
        case .forward(let signal): if let supervisor { kill(supervisor, signal) }
        case .release:
            var pid: Int32 = 0
            if spawn(orders.release + (system.map { ["--system=\($0)"] } ?? []), passing: -1, &pid) == 0 {
                releaser = pid
            } else {
                act { $0.released(into: &$1) }
            }
        case .tell(let remark): tell(remark)
        case .leave(let code): exitCode = code
        }
    }

    private func tell(_ remark: Guardianship.Remark) {
        log(remark)
        switch remark {
        case .isUp: manager?.tell("READY=1", "MAINPID=\(getpid())", "STATUS=The system is up.")
        case .isEnding: manager?.tell("STOPPING=1", "STATUS=Ending apps.")
        case .helperEnded, .helperDidNotStart: break
        case .ended, .handsOver, .couldNotStart, .absentTooLong, .endsWithoutSupervisor, .hangs, .waitsForDevice,
            .doesNotEnd:
            manager?.tell("STATUS=\(remark).")
        }
    }

    private func start() {
        connection?.close()
        connection = nil
        guard let (ours, theirs) = PacketSocket.pair() else {
            let code = errno
            return act { $0.supervisorDidNotStart(errno: code, at: Self.now, into: &$1) }
        }
        var pid: Int32 = 0
        let code = spawnSupervisor(passing: theirs.descriptor, &pid)
        theirs.close()
        guard code == 0 else {
            ours.close()
            return act { $0.supervisorDidNotStart(errno: code, at: Self.now, into: &$1) }
        }
        (supervisor, connection) = (pid, ours)
    }

    private func spawnSupervisor(passing descriptor: Int32, _ pid: inout Int32) -> Int32 {
        guard let heartbeat else { return spawn(orders.supervisor, passing: descriptor, &pid) }
        // Clear the setting of the previous supervisor.
        heartbeat.off()
        _ = heartbeat.hasRunOut()
        // Only this child inherits the timer.
        _ = fcntl(heartbeat.descriptor, F_SETFD, 0)
        defer { _ = fcntl(heartbeat.descriptor, F_SETFD, FD_CLOEXEC) }
        let arguments = orders.supervisor + ["--heartbeat=\(heartbeat.descriptor)"]
        return spawn(arguments, passing: descriptor, &pid)
    }

    private func spawn(_ arguments: [String], passing descriptor: Int32, _ pid: inout Int32) -> Int32 {
        arguments.withStrings { words in
            let code = croost_spawn(orders.program, words, nil, descriptor, &pid)
            // The program was deleted, or replaced by a file that cannot be run. Run that of `roost up` again.
            return code == 0 ? 0 : croost_spawn("/proc/self/fd/\(orders.image)", words, nil, descriptor, &pid)
        }
    }
}
