import LifeCycleModel

/// A background session with its tasks, and the news that its app has not received yet.
struct TransferSession: Hashable, Sendable, Codable {
    /// How far the app has been called for the session's events.
    enum EventsCall: Hashable, Sendable, Codable {
        case none
        /// The app is woken or launched; the callback has not been sent.
        case waking
        /// The callback was sent; the app has to call its completion handler.
        case sent
    }

    /// A pending outcome, and whether it was sent in this launch.
    struct PendingOutcome: Hashable, Sendable, Codable {
        let number: Int64
        var isSent = false
    }

    var record: TransferSessionRecord
    var transfers = SortedMap<Int64, Transfer>()
    var queue: TransferQueue
    /// Pending outcomes by their place.
    var pendingOutcomes = SortedMap<Int64, PendingOutcome>()
    var sentCount = 0
    /// The number of tasks that have not ended.
    var underWay = 0
    /// The delivered tasks whose partial files are kept, by the time at which they expire.
    var kept = SortedMap<Transfers.Timer, Present>()
    /// The number of tasks that are discretionary because they were begun in the background.
    var fromBackground = 0
    var lastPlace: Int64 = 0
    /// The number of tasks that the engine runs.
    var active: Int32 = 0

    /// Nil if no launch has opened the session.
    var openIn: LaunchID?
    /// The launch that invalidated the session.
    var finishedBy: LaunchID?
    var isOpenedPending = false
    /// The lists of tasks that the app has asked for; each begins after this number.
    var pendingLists: [Int64] = []
    /// The tasks that could not be made, by their numbers. The launch that asked for a task is still to be notified.
    var refused = SortedMap<Int64, TransferFailure>()
    /// Whether `didFinishEvents` was sent in this launch.
    var isFinishSaid = false
    /// Whether `didBecomeInvalidWithError` was sent. The session then stays only so that its number is not given again.
    var isGone = false

    var eventsCall = EventsCall.none
    /// Why the app was not woken the last time.
    var refusal: WakeRefusal?
    /// The number of wakes without a finish, and the time before which the app is not woken again, on the steady clock.
    var wakes: Int32 = 0
    var wakeAt: Nanoseconds?

    init(_ record: TransferSessionRecord) {
        self.record = record
        queue = TransferQueue(limit: record.configuration.connectionsPerHost)
    }

    /// Whether all tasks have ended and an outcome is pending.
    var isDone: Bool { underWay == 0 && !pendingOutcomes.isEmpty }

    /// The place of the last outcome for which the app was, or is to be, woken.
    var lastWokenPlace: Int64 { record.lastWokenPlace ?? 0 }

    /// Whether no task is under way or pending.
    var isEmpty: Bool { transfers.count == kept.count }

    /// The part of the configuration that decides how tasks are arranged.
    struct Terms {
        let isDiscretionary: Bool
        let networks: NetworkAccess
        let resourceTimeout: Nanoseconds
    }

    /// The terms are inlined, because a call copies the session.
    @inline(__always) var terms: Terms {
        Terms(
            isDiscretionary: record.configuration.isDiscretionary, networks: record.configuration.networks,
            resourceTimeout: record.configuration.resourceTimeout)
    }

    /// Adds a task to the counts, or subtracts it: `sign` is 1 or -1.
    mutating func count(_ task: Transfer.Tally, by sign: Int) {
        if task.isUnderWay { underWay += sign }
        if let until = task.keptUntil {
            let timer = Transfers.Timer(at: until, id: TransferID(session: record.id, number: task.number))
            if sign > 0 { kept.insert(timer) } else { kept.remove(timer) }
        }
        if task.isFromBackground, task.isUnderWay { fromBackground += sign }
        if let place = task.place {
            if sign > 0 {
                pendingOutcomes.set(PendingOutcome(number: task.number), for: place)
            } else if pendingOutcomes.remove(place)?.isSent == true {
                sentCount -= 1
            }
        }
    }

    /// The last place for which the app is not woken, because the user force-quit it; zero if there is none.
    var placeOfForceQuit: Int64 {
        var place: Int64 = 0
        for (_, transfer) in transfers {
            if case .failed(let failure) = transfer.record.outcome, failure.cancelledReason == .userForceQuit {
                place = max(place, transfer.record.place)
            }
        }
        return place
    }

    /// Marks all outcomes as not sent: the launch that received them is over, or has opened the session again.
    mutating func forgetSent() {
        while sentCount > 0, let sent = pendingOutcomes.first(where: { $0.value.isSent }) {
            pendingOutcomes.update(sent.key) { $0.isSent = false }
            sentCount -= 1
        }
    }
}
