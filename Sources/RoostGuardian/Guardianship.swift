public import LifeCycleModel

/// What the guardian does about its supervisor: a machine without a process, a clock or a socket.
///
///                 ready                     ended by itself
///     starting ──────────► up ────────────────────────────────► over
///         │ exited           │ ended                               ▲
///         │ (over)           ▼            time is up               │
///         │              absent ──────────────────► releasing ────┘
///         │ a signal      ▲  │ ready
///         └───────────────┘  └────► up
public struct Guardianship: Hashable, Sendable {
    /// What is to be done, in this order.
    public enum Action: Hashable, Sendable {
        /// Start a supervisor.
        case start
        /// Kill the one there is: it does not come up.
        case kill
        /// Send it this signal.
        case forward(Int32)
        /// End suspended apps and thaw the rest, which needs no supervisor.
        case release
        /// Say this to whoever reads the log, and to the service manager.
        case tell(Remark)
        /// End the guardian with this exit code.
        case leave(Int32)
    }

    /// What is worth saying.
    public enum Remark: Hashable, Sendable {
        /// The supervisor answers calls.
        case isUp
        /// It has ended, and is started again after this while.
        case ended(ExitStatus, startingAgainAfter: Nanoseconds)
        /// It hands over to its successor, as it was asked to.
        case handsOver
        /// Its program could not be started: an `errno`.
        case couldNotStart(Int32)
        /// None has come up for so long.
        case absentTooLong(Nanoseconds)
        /// The end was asked for, and no supervisor comes up that could bring it about in its order.
        case endsWithoutSupervisor
        /// A signal has asked for the end.
        case isEnding(Int32)
        /// The supervisor does not get on, since so long at least; it is killed.
        case hangs(Nanoseconds)
        /// The supervisor has not got on for so long since it waits for a device, such as a disk.
        case waitsForDevice(Nanoseconds)
        /// The end was asked for, and the supervisor has not brought it about in its time; it is killed.
        case doesNotEnd
        /// A carrier of transfers ended by itself.
        case carrierEnded(ExitStatus)
        /// This program, which carries transfers, could not be started: an `errno`.
        case carrierDidNotStart(String, errno: Int32)
    }

    /// What a supervisor exits with that wants to be started again at once.
    public static let handOverCode: Int32 = 75
    /// A run of this length is no failure to start, whatever ended it.
    static let steadyRun = Nanoseconds.seconds(5)
    /// So many failures in a row cost no waiting: a supervisor that was killed is back at once.
    static let freeFailures = 3
    static let shortestWait = Nanoseconds.milliseconds(100)
    static let longestWait = Nanoseconds.seconds(5)
    /// A heartbeat that has run out is looked at again after so long: the machine itself may have stood still.
    static let secondLook = Nanoseconds.seconds(1)
    /// How much longer than its own limits the supervisor may take to end the system.
    static let endMargin = Nanoseconds.seconds(5)
    /// How long it may take once it was asked for a second time.
    static let shortEnd = Nanoseconds.seconds(4)

    /// So many supervisors are started to end the system where the one before has died of it.
    static let endingAttempts = 3

    private enum State: Hashable, Sendable {
        case starting
        case up(since: Nanoseconds)
        /// Nobody has answered calls for a while. With `retryAt` there is no process either.
        case absent(until: Nanoseconds, retryAt: Nanoseconds?)
        /// Given up; `isAlone` once the last supervisor has gone and the apps are being let go.
        case releasing(isAlone: Bool)
        case over
    }

    private let absence: Nanoseconds
    private let hang: Nanoseconds
    private let shutdown: Nanoseconds
    private var state = State.starting
    private var failures = 0
    /// The signal that asked for the end; a successor must hear of it too.
    private var endingSignal: Int32?
    /// How many supervisors have died since then.
    private var endingFailures = 0
    /// When the supervisor that is to end the system is killed; nil where it is not, or is being killed.
    private var endDue: Nanoseconds?
    private var hasEscalated = false
    /// When a supervisor is killed that does not get on; nil while it does, or is being killed.
    private var hangDue: Nanoseconds?
    private var isStopped = false
    /// Whether `waitsForDevice` was told of this wait.
    private var hasToldWait = false

    /// One that stands the absence of its supervisor for so long (`Policy.supervisorAbsence`), and one that is stopped
    /// for `hang` (`Policy.supervisorHang`); `shutdown` is how long a supervisor may take to end the system.
    public init(absence: Nanoseconds, hang: Nanoseconds = .distantFuture, shutdown: Nanoseconds = .distantFuture) {
        self.absence = absence
        self.hang = hang
        self.shutdown = shutdown
    }

    /// When `timePassed` is to be called; nil for never.
    public var nextDeadline: Nanoseconds? {
        switch state {
        case .absent(let until, let retryAt): [until, retryAt, endDue, hangDue].compactMap(\.self).min()
        case .starting, .up: [endDue, hangDue].compactMap(\.self).min()
        case .releasing, .over: nil
        }
    }

    // MARK: Events

    /// The guardian begins.
    public mutating func begin(into actions: inout [Action]) { actions.append(.start) }

    /// The supervisor answers calls.
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
        (hangDue, isStopped, hasToldWait) = (nil, false, false)
        switch (state, status) {
        case (.over, _): break
        case (.releasing, _):
            state = .releasing(isAlone: true)
            actions.append(.release)
        case (_, .exited(code: 0)), (.starting, .exited):
            // It has shut down; or it has never been up, and has said why.
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

    /// The supervisor's program could not be started at all.
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

    /// Somebody asks for the end, by a signal: the supervisor shuts down. Every further signal is passed on as well.
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
        // Only a supervisor can end apps in their order: one more attempt, without waiting.
        case .absent(let until, retryAt: .some): startAgain(after: .zero, until: until, at: now, into: &actions)
        case .releasing, .over: break
        }
    }

    /// The supervisor's heartbeat has run out: it has been at one turn for `hang`, or is so late for a deadline.
    public mutating func heartbeatRanOut(at now: Nanoseconds) {
        if !isStopped { hangDue = now + Self.secondLook }
    }

    /// It beats again.
    public mutating func heartbeatIsBack() {
        if !isStopped { (hangDue, hasToldWait) = (nil, false) }
    }

    /// The supervisor was stopped by a signal, or goes on.
    public mutating func supervisorStopped(_ isStopped: Bool, at now: Nanoseconds) {
        self.isStopped = isStopped
        hangDue = isStopped ? now + hang : nil
    }

    /// `nextDeadline` has come. `waitsForDevice` says whether the kernel has the supervisor in uninterruptible sleep.
    ///
    /// Such a supervisor is not killed for its hang: no signal ends its wait, and a successor would wait for the same disk, with
    /// less time for it.
    public mutating func timePassed(
        at now: Nanoseconds, supervisorWaitsForDevice waitsForDevice: Bool = false, into actions: inout [Action]
    ) {
        if let due = hangDue, due <= now {
            if waitsForDevice, !isStopped {
                hangDue = now + Self.secondLook
                if !hasToldWait { actions.append(.tell(.waitsForDevice(hang))) }
                hasToldWait = true
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

    /// The supervisor has not ended the system. It is killed, and its successor tries; then nobody does.
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

    /// The apps were let go, as far as that went.
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
        // The end is not put off.
        let wait = endingSignal == nil ? Self.wait(afterFailures: failures) : .zero
        if let status { actions.append(.tell(.ended(status, startingAgainAfter: wait))) }
        // Whoever wants the end gets it: a supervisor that does not come up can't bring it about, nor can one whose
        // successors die as it did.
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

    /// None for the first few, then twice as long each time.
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
        case .handsOver: return "the supervisor hands over to its successor"
        case .couldNotStart(let code): return "the supervisor's program could not be started (errno \(code))"
        case .hangs(let limit):
            return "the supervisor has not got on for \(limit): it is killed, and another one is started"
        case .waitsForDevice(let limit):
            return
                "the supervisor has not got on for \(limit): it waits for a disk or another device (state D), and goes on "
                + "when that answers; see dmesg"
        case .doesNotEnd: return "the supervisor does not end the system in its time: it is killed"
        case .isEnding(let signal): return "signal \(signal): the system is shut down"
        case .absentTooLong(let limit):
            return "no supervisor has come up in \(limit): suspended apps are ended, the others are let run, and this "
                + "system gives up. The next `roost up` finds again what runs, or ends it if the store was lost"
        case .endsWithoutSupervisor:
            return
                "no supervisor comes up that could end apps in their order: suspended ones are ended, the others let "
                + "run"
        case .ended(let status, let wait):
            return "the supervisor ended \(status.how); it is started again" + (wait > .zero ? " in \(wait)" : "")
        case .carrierEnded(let status):
            return "roost-carry ended \(status.how); the downloads it had under way are tried again"
        case .carrierDidNotStart(let path, let code):
            return
                "downloads can't be carried: \(path) could not be started (errno \(code)); it has to lie beside roost"
        }
    }
}

extension ExitStatus {
    fileprivate var how: String {
        switch self {
        case .exited(let code): "with exit code \(code)"
        case .signaled(let number): "by signal \(number)"
        case .unknown: "in a way nobody saw"
        }
    }
}
