public import LifeCycleModel

/// The state machine by which the guardian watches its supervisor. The machine has no process, clock or socket.
///
///                 ready                     ended by itself
///     starting ──────────► up ────────────────────────────────► over
///         │ exited           │ ended                               ▲
///         │ (over)           ▼            time is up               │
///         │              absent ──────────────────► releasing ────┘
///         │ a signal      ▲  │ ready
///         └───────────────┘  └────► up
public struct Guardianship: Hashable, Sendable {
    /// Requests to the guardian, which applies them in their order.
    public enum Action: Hashable, Sendable {
        /// Start a supervisor.
        case start
        /// Kill the current supervisor.
        case kill
        /// Send this signal to the supervisor.
        case forward(Int32)
        /// End suspended apps and thaw the others (`roost release`). The command needs no supervisor.
        case release
        /// Report this remark to the log and to the service manager.
        case tell(Remark)
        /// End the guardian with this exit code.
        case leave(Int32)
    }

    /// An event worth logging.
    public enum Remark: Hashable, Sendable {
        /// The supervisor answers calls.
        case isUp
        /// The supervisor has ended, and is restarted after this delay.
        case ended(ExitStatus, startingAgainAfter: Nanoseconds)
        /// The supervisor has exited to be replaced by its successor, as requested.
        case handsOver
        /// The supervisor's program could not be started: an `errno`.
        case couldNotStart(Int32)
        /// No supervisor has become ready for this long.
        case absentTooLong(Nanoseconds)
        /// The system is to shut down, but no supervisor comes up that could end the apps in order.
        case endsWithoutSupervisor
        /// This signal has requested the shutdown.
        case isEnding(Int32)
        /// The supervisor has made no progress for at least this long and is killed.
        case hangs(Nanoseconds)
        /// The supervisor has made no progress for at least this long because it waits for a device, such as a disk.
        case waitsForDevice(Nanoseconds)
        /// The supervisor has not shut the system down in time and is killed.
        case doesNotEnd
        /// A helper ended by itself.
        case helperEnded(HelperProgram, ExitStatus)
        /// The program of a helper, at this path, could not be started: an `errno`.
        case helperDidNotStart(HelperProgram, path: String, errno: Int32)
    }

    /// The exit code of a supervisor that asks to be restarted at once.
    public static let handOverCode: Int32 = 75
    /// A supervisor that ran at least this long counts as started, for any kind of end.
    static let steadyRun = Nanoseconds.seconds(5)
    /// This many failures in a row cause no delay, so a killed supervisor is back at once.
    static let freeFailures = 3
    static let shortestWait = Nanoseconds.milliseconds(100)
    static let longestWait = Nanoseconds.seconds(5)
    /// The time after a missed heartbeat at which the guardian checks again, because the whole machine may have
    /// stalled.
    static let secondLook = Nanoseconds.seconds(1)
    /// The time that the supervisor may take to shut the system down, beyond its own limits.
    static let endMargin = Nanoseconds.seconds(5)
    /// The longest shutdown after a second request.
    static let shortEnd = Nanoseconds.seconds(4)

    /// The number of further supervisors that are started for the shutdown if each of them dies during it.
    static let endingAttempts = 3

    private enum State: Hashable, Sendable {
        case starting
        case up(since: Nanoseconds)
        /// No supervisor answers calls. With `retryAt`, no supervisor process runs either, until then.
        case absent(until: Nanoseconds, retryAt: Nanoseconds?)
        /// The guardian has given up. `isAlone` is true once the last supervisor has ended and `roost release` runs.
        case releasing(isAlone: Bool)
        case over
    }

    private let absence: Nanoseconds
    private let hang: Nanoseconds
    private let shutdown: Nanoseconds
    private var state = State.starting
    private var failures = 0
    /// The signal that requested the shutdown. The signal is also sent to a successor.
    private var endingSignal: Int32?
    /// How many supervisors have ended since the shutdown was requested.
    private var endingFailures = 0
    /// When the supervisor that shuts the system down is killed; nil if no shutdown is under way, or if the kill has
    /// been requested.
    private var endDue: Nanoseconds?
    private var hasEscalated = false
    /// When the supervisor is killed for making no progress; nil while the supervisor makes progress, or if the kill
    /// has been requested.
    private var hangDue: Nanoseconds?
    private var isStopped = false
    /// Whether `waitsForDevice` was reported for this wait.
    private var hasReportedWait = false

    /// A machine with these limits:
    ///
    /// - `absence`: how long the system may be without a supervisor (`Policy.supervisorAbsence`)
    /// - `hang`: how long the supervisor may be stopped (`Policy.supervisorHang`)
    /// - `shutdown`: how long a supervisor may take to shut the system down
    public init(absence: Nanoseconds, hang: Nanoseconds = .distantFuture, shutdown: Nanoseconds = .distantFuture) {
        self.absence = absence
        self.hang = hang
        self.shutdown = shutdown
    }

    /// When to call `timePassed`; nil for never.
    public var nextDeadline: Nanoseconds? {
        switch state {
        case .absent(let until, let retryAt): [until, retryAt, endDue, hangDue].compactMap(\.self).min()
        case .starting, .up: [endDue, hangDue].compactMap(\.self).min()
        case .releasing, .over: nil
        }
    }

    // MARK: Events

    /// Starts the first supervisor.
    public mutating func begin(into actions: inout [Action]) { actions.append(.start) }

    /// The supervisor answers calls from now on.
    public mutating func supervisorIsReady(at now: Nanoseconds, into actions: inout [Action]) {
        switch state {
        case .starting, .absent(_, retryAt: nil):
            state = .up(since: now)
            actions.append(.tell(.isUp))
        case .up, .absent, .releasing, .over: break
        }
    }

    /// The supervisor's process has ended.
    public mutating func supervisorEnded(
        _ status: ExitStatus, at now: Nanoseconds, into actions: inout [Action]
    ) {
        (hangDue, isStopped, hasReportedWait) = (nil, false, false)
        switch (state, status) {
        case (.over, _): break
        case (.releasing, _):
            state = .releasing(isAlone: true)
            actions.append(.release)
        case (_, .exited(code: 0)), (.starting, .exited):
            // The supervisor has shut the system down; or it never became ready and has reported why.
            state = .over
            actions.append(.leave(status == .exited(code: 0) ? 0 : 1))
        case (.up, .exited(code: Self.handOverCode)):
            actions.append(.tell(.handsOver))
            startAgain(after: .zero, until: now + absence, at: now, into: &actions)
        case (.absent(let until, _), _): fail(status, until: until, at: now, into: &actions)
        case (.up(let since), _):
            if now - since >= Self.steadyRun { failures = 0 }
            fail(status, until: now + absence, at: now, into: &actions)
        case (.starting, _): fail(status, until: now + absence, at: now, into: &actions)
        }
    }

    /// The supervisor's program could not be started at all, for this `errno`.
    public mutating func supervisorDidNotStart(
        errno: Int32, at now: Nanoseconds, into actions: inout [Action]
    ) {
        actions.append(.tell(.couldNotStart(errno)))
        switch state {
        case .starting:
            state = .over
            actions.append(.leave(1))
        case .absent(let until, _): fail(nil, until: until, at: now, into: &actions)
        case .up, .releasing, .over: break
        }
    }

    /// A signal requests the shutdown. The supervisor receives this signal and every further one.
    public mutating func asked(toEndBy signal: Int32, at now: Nanoseconds, into actions: inout [Action]) {
        if endingSignal == nil {
            actions.append(.tell(.isEnding(signal)))
            endDue = now + shutdown + Self.endMargin
        } else if let due = endDue {
            endDue = min(due, now + Self.shortEnd)
        }
        endingSignal = signal
        switch state {
        case .starting, .up, .absent(_, retryAt: nil): actions.append(.forward(signal))
        // Only a supervisor can end apps in order. Start another supervisor without delay.
        case .absent(let until, retryAt: .some): startAgain(after: .zero, until: until, at: now, into: &actions)
        case .releasing, .over: break
        }
    }

    /// The heartbeat has run out: one iteration of the supervisor's event loop has taken `hang`, or a deadline is late
    /// by that much.
    public mutating func heartbeatRanOut(at now: Nanoseconds) {
        if !isStopped { hangDue = now + Self.secondLook }
    }

    /// The supervisor's heartbeat is set again.
    public mutating func heartbeatIsBack() {
        if !isStopped { (hangDue, hasReportedWait) = (nil, false) }
    }

    /// The supervisor was stopped by a signal, or was continued.
    public mutating func supervisorStopped(_ isStopped: Bool, at now: Nanoseconds) {
        self.isStopped = isStopped
        hangDue = isStopped ? now + hang : nil
    }

    /// `nextDeadline` has come. `waitsForDevice` says whether the supervisor is in uninterruptible sleep.
    ///
    /// A supervisor in that state is not killed for a hang. No signal ends its wait, and a successor would have to wait
    /// for the same disk in less time.
    public mutating func timePassed(
        at now: Nanoseconds, supervisorWaitsForDevice waitsForDevice: Bool = false, into actions: inout [Action]
    ) {
        if let due = hangDue, due <= now {
            if waitsForDevice, !isStopped {
                hangDue = now + Self.secondLook
                if !hasReportedWait { actions.append(.tell(.waitsForDevice(hang))) }
                hasReportedWait = true
                return
            }
            hangDue = nil
            switch state {
            case .starting, .up: return actions += [.tell(.hangs(hang)), .kill]
            case .absent, .releasing, .over: break
            }
        }
        if let due = endDue, due <= now {
            endDue = nil
            return escalate(into: &actions)
        }
        guard case .absent(let until, let retryAt) = state else { return }
        if now >= until {
            giveUp(.absentTooLong(absence), isAlone: retryAt != nil, into: &actions)
        } else if let retryAt, now >= retryAt {
            startAgain(after: .zero, until: until, at: now, into: &actions)
        }
    }

    /// The supervisor has not shut the system down in time. The first time, it is killed and its successor tries; the
    /// second time, the guardian gives up.
    private mutating func escalate(into actions: inout [Action]) {
        switch state {
        case .starting, .up:
            if hasEscalated { return giveUp(.endsWithoutSupervisor, isAlone: false, into: &actions) }
            hasEscalated = true
            actions += [.tell(.doesNotEnd), .kill]
        case .absent(_, let retryAt): giveUp(.endsWithoutSupervisor, isAlone: retryAt != nil, into: &actions)
        case .releasing, .over: break
        }
    }

    /// `roost release` has ended, or could not be started.
    public mutating func released(into actions: inout [Action]) {
        guard case .releasing(isAlone: true) = state else { return }
        state = .over
        actions.append(.leave(1))
    }

    // MARK: Failures

    private mutating func fail(
        _ status: ExitStatus?, until: Nanoseconds, at now: Nanoseconds, into actions: inout [Action]
    ) {
        failures += 1
        if endingSignal != nil { endingFailures += 1 }
        // A shutdown is not delayed.
        let wait = endingSignal == nil ? Self.wait(afterFailures: failures) : .zero
        if let status { actions.append(.tell(.ended(status, startingAgainAfter: wait))) }
        // A requested shutdown must come to an end. A supervisor that does not become ready cannot shut down. The same
        // holds if all supervisors before died of the shutdown.
        if endingSignal != nil, isAbsent || endingFailures > Self.endingAttempts {
            return giveUp(.endsWithoutSupervisor, isAlone: true, into: &actions)
        }
        startAgain(after: wait, until: until, at: now, into: &actions)
    }

    private var isAbsent: Bool { if case .absent = state { true } else { false } }

    private mutating func startAgain(
        after wait: Nanoseconds, until: Nanoseconds, at now: Nanoseconds, into actions: inout [Action]
    ) {
        state = .absent(until: until, retryAt: wait > .zero ? now + wait : nil)
        guard wait == .zero else { return }
        actions.append(.start)
        if let endingSignal {
            endDue = now + shutdown + Self.endMargin
            actions.append(.forward(endingSignal))
        }
    }

    private mutating func giveUp(_ remark: Remark, isAlone: Bool, into actions: inout [Action]) {
        state = .releasing(isAlone: isAlone)
        actions.append(.tell(remark))
        actions.append(isAlone ? .release : .kill)
    }

    /// The delay before the next start: zero for the first few failures, then doubled each time, up to `longestWait`.
    static func wait(afterFailures count: Int) -> Nanoseconds {
        guard count > freeFailures else { return .zero }
        let doublings = min(count - freeFailures - 1, 16)
        return min(Nanoseconds(shortestWait.rawValue << Int64(doublings)), longestWait)
    }
}

extension Guardianship.Remark: CustomStringConvertible {
    /// A sentence for the log.
    public var description: String {
        switch self {
        case .isUp: return "the supervisor is up"
        case .handsOver: return "the supervisor is being replaced by its successor"
        case .couldNotStart(let code): return "cannot start the supervisor's program (errno \(code))"
        case .hangs(let limit):
            return "the supervisor has made no progress for \(limit): it is killed and restarted"
        case .waitsForDevice(let limit):
            return
                "the supervisor has made no progress for \(limit): it waits for a disk or another device (state D) and resumes "
                + "when the device answers; see dmesg"
        case .doesNotEnd: return "the supervisor did not shut the system down in time: it is killed"
        case .isEnding(let signal): return "signal \(signal): the system shuts down"
        case .absentTooLong(let limit):
            return "no supervisor has come up in \(limit): suspended apps are ended, other apps keep running, and the "
                + "guardian exits. The next `roost up` finds the running apps again, or ends them if the store was lost"
        case .endsWithoutSupervisor:
            return
                "the system shuts down without a supervisor: suspended apps are ended, other apps keep running"
        case .ended(let status, let wait):
            return "the supervisor ended \(status.how); it is restarted" + (wait > .zero ? " in \(wait)" : "")
        case .helperEnded(let program, let status):
            return "\(program.rawValue) ended \(status.how)" + (program == .carry ? "; its downloads are retried" : "")
        case .helperDidNotStart(let program, let path, let code):
            return
                "cannot start \(path), which \(program.purpose) need (errno \(code)): install it in the directory of roost"
        }
    }
}

extension HelperProgram {
    fileprivate var purpose: String {
        switch self {
        case .carry: "downloads"
        case .gps: "positions"
        }
    }
}

extension ExitStatus {
    fileprivate var how: String {
        switch self {
        case .exited(let code): "with exit code \(code)"
        case .signaled(let number): "by signal \(number)"
        case .unknown: "with an unknown exit status"
        }
    }
}
