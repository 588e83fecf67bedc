import LifeCycleModel
import LifeCyclePolicy

/// A task of a background session in the reference model: plain facts, nothing derived.
struct ReferenceTask: Hashable, Sendable, Encodable {
    enum Stage: Hashable, Sendable, Encodable {
        case resting
        case running(attempt: Int32)
        case stopping(attempt: Int32, partial: Bool)
        case moving
    }

    /// The record as it is now. Its `hold` is the one on disk, and its `since` is not modeled.
    var record: TransferRecord
    var stage = Stage.resting
    var hold: TransferHold?
    /// Whether the earliest begin date has not come yet.
    var isEarly = false
    /// Whether the user wants the task at once.
    var isForced = false
    /// Whether the task has waited so long that it needs less.
    var isRelaxed = false
    /// The attempts whose bytes were all thrown away, and the deaths of the carrier in a row.
    var wasted: Int32 = 0
    var deaths: Int32 = 0
    var received: Int64 = 0
    var expected: Int64?
    /// Whether the app was sent the outcome in this launch.
    var isSent = false
    /// When the attempt began, on the steady clock.
    var begun = Nanoseconds.zero

    init(_ record: TransferRecord) { self.record = record }

    /// The task as it is found on disk.
    init(restored record: TransferRecord) {
        self.record = record
        if case .downloaded(_, let size, let isMoved) = record.outcome {
            (received, expected) = (size, size)
            if !isMoved { stage = .moving }
        } else {
            (received, expected) = (record.checkpoint?.received ?? 0, record.checkpoint?.expected)
        }
        guard record.outcome == nil else { return }
        hold = record.hold
        isEarly = record.earliestBegin != nil && !hasBegun
    }

    var attempt: Int32? {
        switch stage {
        case .running(let attempt), .stopping(let attempt, _): attempt
        case .resting, .moving: nil
        }
    }

    var isRunning: Bool { if case .running = stage { true } else { false } }
    /// The outcome was delivered, and only the partial file is kept.
    var isKept: Bool { record.place < 0 }
    /// The outcome is there, and the app has not acknowledged it.
    var isPending: Bool {
        guard !isKept, stage == .resting else { return false }
        switch record.outcome {
        case .downloaded(_, _, let isMoved): return isMoved
        case .failed: return true
        case nil: return false
        }
    }
    var hasBegun: Bool { attempt != nil || received > 0 && record.resumes == nil }
    var wasTried: Bool { hasBegun || record.failures > 0 }
    var host: String {
        record.request.url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(String.init)
            ?? ""
    }

    /// The condition that the task itself waits for, before the device is asked.
    var ownWait: TransferWait? {
        switch stage {
        case .running: return nil
        case .stopping: return .stop
        case .moving: return hold.map { if case .room = $0 { .disk } else { .retry } }
        case .resting: break
        }
        guard record.outcome == nil else { return nil }
        if record.isSuspended { return .suspended }
        if record.isPaused { return .paused }
        switch hold {
        case .retry(_, isAsked: true): return .server
        case .retry: return .retry
        case .room: return .disk
        case .delay: return .resumptionDelay
        case .answer: return .answer
        case nil: return isEarly ? .earliestBegin : nil
        }
    }

    /// Whether the task waits only for the device, a connection or its turn.
    var isQueued: Bool { stage == .resting && record.outcome == nil && ownWait == nil && !isForced }

    /// The time limit of the task, on the steady clock; nil if it has none.
    func limit(_ session: ReferenceSession, patience: Nanoseconds) -> Nanoseconds? {
        let timeout = record.made + session.record.configuration.resourceTimeout
        if isKept { return record.keptUntil }
        if stage == .moving { return hold == nil ? nil : timeout }
        switch record.outcome {
        case .failed(let failure): return failure.resumable == nil ? nil : record.keptUntil
        case .downloaded: return nil
        case nil: break
        }
        if isEarly || record.isSuspended && !wasTried { return nil }
        let isDiscretionary = session.record.configuration.isDiscretionary || record.isFromBackground
        return isDiscretionary && !isRelaxed ? min(timeout, record.made + patience) : timeout
    }
}

/// A background session in the reference model.
struct ReferenceSession: Hashable, Sendable, Encodable {
    var record: TransferSessionRecord
    /// Sorted by number.
    var tasks: [ReferenceTask] = []
    /// The place of the newest outcome.
    var lastPlace: Int64 = 0

    /// The launch that has the session open.
    var openIn: LaunchID?
    /// The launch that invalidated the session.
    var finishedBy: LaunchID?
    /// The news that the app is still to be told: that the session is open, its tasks, and the tasks that could not be
    /// made.
    var isOpenedUntold = false
    var lists: [Int64] = []
    var refused: [Refused] = []
    /// Whether this launch was told that all events are finished.
    var isFinishTold = false
    /// Whether the app was told that the session is invalid.
    var isGone = false

    /// How far the app was called for the session's events.
    enum Call: Hashable, Sendable, Encodable { case none, asked, made }
    var call = Call.none
    /// The wakes without handled events, and when the next is allowed.
    var wakes: Int32 = 0
    var wakeAt: Nanoseconds?

    struct Refused: Hashable, Sendable, Encodable {
        let number: Int64
        let failure: TransferFailure
    }

    init(_ record: TransferSessionRecord) { self.record = record }

    var id: TransferSessionID { record.id }
    /// Whether only partial files are left.
    var isEmpty: Bool { tasks.allSatisfy(\.isKept) }
    /// Whether every task has ended, and an outcome is pending.
    var isDone: Bool {
        let present = tasks.filter { !$0.isKept }
        return !present.isEmpty && present.allSatisfy(\.isPending)
    }
    /// The pending outcomes in the order of their places.
    var pending: [ReferenceTask] { tasks.filter(\.isPending).sorted { $0.record.place < $1.record.place } }

    func index(_ number: Int64) -> Int? { tasks.firstIndex { $0.record.id.number == number } }

    /// How many of the places for transfers the session has taken.
    var taken: Int { tasks.count { $0.attempt != nil } }
    /// How many connections to a host the session uses.
    func busy(_ host: String) -> Int { tasks.count { $0.attempt != nil && $0.host == host } }
    func isFull(_ host: String) -> Bool { busy(host) >= Int(record.configuration.connectionsPerHost) }
}

/// The device's conditions for transfers.
struct ReferenceConditions: Hashable, Sendable, Encodable {
    var network = Network.wifi
    var isConnected = true
    var isMetered = false
    var isConstrained = false
    var isLow = false
    var isSaving = false

    /// Whether anything can be reached.
    var isOnline: Bool { network != .none && isConnected }

    /// The condition that a task with these needs waits for; nil if it may run.
    func wait(_ access: NetworkAccess, isDiscretionary: Bool, isRelaxed: Bool) -> TransferWait? {
        if !isOnline { return .network }
        let isPlain = !isDiscretionary
        if network != .wifi, !(isPlain && access.cellular && access.expensive) { return .wifi }
        if isMetered, !(isPlain && access.expensive) { return .inexpensive }
        if isConstrained, !(isPlain && access.constrained) { return .lowDataMode }
        guard isDiscretionary else { return nil }
        if isLow { return .battery }
        return isSaving && !isRelaxed ? .lowPowerMode : nil
    }
}
