internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The process that is never to die: the parent of the supervisor and of every app. It reaps, it starts the supervisor
/// again, and it knows nothing else. Between events it sleeps in the kernel, without wake-ups.
public final class Guardian {
    /// What it takes from whoever puts the program together.
    public struct Parts {
        /// The arguments of a supervisor, its name first; it finds the connection as descriptor `supervisorsDescriptor`.
        public var supervisor: [String]
        /// The arguments of the command that ends suspended apps and lets the others run, its name first, for the
        /// system with this id; nil where no supervisor has said it yet.
        public var release: (String?) -> [String]
        /// How long it stands the supervisor's absence.
        public var absence: Nanoseconds
        /// How long the supervisor may be at one thing, or stopped.
        public var hang: Nanoseconds
        /// How long the supervisor may take to end the system.
        public var shutdown: Nanoseconds
        /// When a process started, in the kernel's ticks since boot.
        public var startTime: (Int32) -> UInt64?
        /// Whether a process is in uninterruptible sleep: it waits for a device, and no signal ends that.
        public var waitsForDevice: (Int32) -> Bool
        /// Says what is worth saying.
        public var tell: (Guardianship.Remark) -> Void

        /// Parts with these values.
        public init(
            supervisor: [String], release: @escaping (String?) -> [String], absence: Nanoseconds,
            hang: Nanoseconds, shutdown: Nanoseconds, startTime: @escaping (Int32) -> UInt64?,
            waitsForDevice: @escaping (Int32) -> Bool,
            tell: @escaping (Guardianship.Remark) -> Void
        ) {
            self.supervisor = supervisor
            self.release = release
            self.absence = absence
            self.hang = hang
            self.shutdown = shutdown
            self.startTime = startTime
            self.waitsForDevice = waitsForDevice
            self.tell = tell
        }
    }

    /// The number a supervisor finds its end of the connection at.
    public static let supervisorsDescriptor: Int32 = 3

    private let parts: Parts
    private let manager: ServiceManager?
    /// The program's path as it was when the guardian began: after an upgrade the new program is there.
    private let program: String
    private let signals: Int32
    private var guardianship: Guardianship
    private var ledger = ExitLedger()
    private var connection: PacketSocket?
    private var supervisor: Int32?
    /// Nil where descriptors have run out: then a supervisor that hangs is not noticed.
    private let heartbeat = Heartbeat()
    private var helper: Int32?
    private var system: String?
    private var exitCode: Int32?
    private var carriers = Carriers()

    private static let endingSignals = [SIGTERM, SIGINT, SIGHUP, SIGPWR]

    /// A guardian with nothing to guard yet. Holds back the signals it lives on: to be made before any thread is.
    ///
    /// Throws where descriptors have run out.
    public init(_ parts: Parts) throws(SystemError) {
        self.parts = parts
        guardianship = Guardianship(absence: parts.absence, hang: parts.hang, shutdown: parts.shutdown)
        var set = sigset_t()
        sigemptyset(&set)
        for number in Self.endingSignals + [SIGCHLD] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signals = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard signals >= 0 else { throw .now("watch signals", "the guardian") }
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        program = count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "/proc/self/exe"
        // Ours alone: whoever else had it could speak for us.
        manager = ServiceManager(socket: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
        unsetenv("NOTIFY_SOCKET")
        // Looking up the names for the backtrace of a supervisor that crashed takes 20 s, in which nobody is served. Who
        // looks for a fault asks for it.
        setenv("SWIFT_BACKTRACE", "enable=no", 0)
    }

    deinit { close(signals) }

    /// Guards until the supervisor has shut the system down, or none comes up any more. Gives the exit code.
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
                let waits = supervisor.map(parts.waitsForDevice) ?? false
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
            case .message(.carry(let number), .some(let descriptor)):
                carriers.want(Carriers.Wanted(number: number, descriptor: descriptor))
                startCarriers()
            case .message(.endCarrier(let number), _):
                let ended = carriers.end(number)
                if let pid = ended.kill { kill(pid, SIGKILL) }
                if let descriptor = ended.close { close(descriptor) }
            case .message(.ready(let system), _):
                self.system = system
                act { $0.supervisorIsReady(at: Self.now, into: &$1) }
                // What starting took is not needed again for long.
                croost_release_code()
            case .message(.asked(let pid, let startTime), _):
                // What has ended by now is to be known by now.
                reap()
                connection.send(.answered(pid: pid, ledger.entry(pid: pid, startTime: startTime)))
            case .message(.answered, _), .message(.carry, nil), .strange: continue
            case .nothing: return
            case .hungUp:
                // It is about to end, which will be seen.
                connection.close()
                self.connection = nil
            }
        }
    }

    private func reap() {
        var pid: Int32 = 0
        while croost_next_ended(&pid) == 0 {
            // Before it is reaped: until then /proc shows this very process.
            let startTime = parts.startTime(pid) ?? 0
            var exit = croost_exit()
            guard croost_reap(pid, &exit) == 0 else { return }
            let status: ExitStatus = exit.is_signal != 0 ? .signaled(exit.value) : .exited(code: exit.value)
            switch pid {
            case supervisor:
                supervisor = nil
                // The timer that it set must not count against its successor.
                heartbeat?.off()
                // Its last words, if it had any.
                readMessages()
                endCarriers()
                act { $0.supervisorEnded(status, at: Self.now, into: &$1) }
            case helper:
                helper = nil
                act { $0.released(into: &$1) }
            case _ where carriers.isCurrent(pid):
                _ = carriers.reaped(pid)
                if status != .exited(code: 0) { parts.tell(.carrierEnded(status)) }
            case _ where carriers.reaped(pid): startCarriers()
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

    /// Whether the supervisor gets on.
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
        // A child that is not reaped: the number is its own.
        case .kill: if let supervisor { kill(supervisor, SIGKILL) }
        case .forward(let signal): if let supervisor { kill(supervisor, signal) }
        case .release:
            var pid: Int32 = 0
            if spawn(parts.release(system), passing: -1, &pid) == 0 {
                helper = pid
            } else {
                act { $0.released(into: &$1) }
            }
        case .tell(let remark): tell(remark)
        case .leave(let code): exitCode = code
        }
    }

    private func tell(_ remark: Guardianship.Remark) {
        parts.tell(remark)
        switch remark {
        case .isUp: manager?.tell("READY=1", "MAINPID=\(getpid())", "STATUS=The system is up.")
        case .isEnding: manager?.tell("STOPPING=1", "STATUS=Ending apps.")
        case .carrierEnded, .carrierDidNotStart: break
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
        guard let heartbeat else { return spawn(parts.supervisor, passing: descriptor, &pid) }
        // Of the one before.
        heartbeat.off()
        _ = heartbeat.hasRunOut()
        // This child alone inherits it.
        _ = fcntl(heartbeat.descriptor, F_SETFD, 0)
        defer { _ = fcntl(heartbeat.descriptor, F_SETFD, FD_CLOEXEC) }
        let arguments = parts.supervisor + ["--heartbeat=\(heartbeat.descriptor)"]
        return spawn(arguments, passing: descriptor, &pid)
    }

    // MARK: Carriers of transfers

    private func startCarriers() {
        for wanted in carriers.takeDue() {
            var pid: Int32 = 0
            let code = carrierEnvironment.withStrings { environment in
                ["roost-carry"].withStrings { croost_spawn(carrier, $0, environment, wanted.descriptor, &pid) }
            }
            // It has its own by now; the supervisor hears of one that is not there by the end of the stream.
            close(wanted.descriptor)
            if code == 0 {
                carriers.started(wanted.number, pid: pid)
            } else {
                parts.tell(.carrierDidNotStart(carrier, errno: code))
            }
        }
    }

    private func endCarriers() {
        let ended = carriers.supervisorEnded()
        for pid in ended.kill { kill(pid, SIGKILL) }
        for descriptor in ended.close { close(descriptor) }
    }

    /// The program that carries transfers: beside this one, as it was when the guardian began.
    private var carrier: String {
        (program.lastIndex(of: "/").map { String(program[...$0]) } ?? "") + "roost-carry"
    }

    /// What a carrier needs of our environment; the rest is none of its business.
    private var carrierEnvironment: [String] {
        let names: [String] = [
            "PATH", "LD_LIBRARY_PATH", "TZ", "RES_OPTIONS", "LOCALDOMAIN", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ]
        // A trap is reported by its signal: a backtrace takes long, and another program.
        return names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
            + ["SWIFT_BACKTRACE=enable=no"]
    }

    private func spawn(_ arguments: [String], passing descriptor: Int32, _ pid: inout Int32) -> Int32 {
        arguments.withStrings { words in
            let code = croost_spawn(program, words, nil, descriptor, &pid)
            // Replaced by nothing, or by what can't be run: then this program once more.
            return code == 0 ? 0 : croost_spawn("/proc/self/exe", words, nil, descriptor, &pid)
        }
    }
}

extension [String] {
    /// The texts as an array for C, ended by NULL.
    fileprivate func withStrings<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        let words = map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // An array that holds an element has an address.
        return words.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
