import LifeCycleModel

/// A background session with its tasks, and what the app has still to hear of it.
struct TransferSession: Hashable, Sendable, Codable {
    /// Where the app is with being told that all is done.
    enum Telling: Hashable, Sendable, Codable {
        case none
        /// It is woken, or launched; the callback has not been sent.
        case waking
        /// It was sent: the handler is to be called.
        case told
    }

    /// An outcome for the app to hear, and whether it was sent in this launch.
    struct Owed: Hashable, Sendable, Codable {
        let number: Int64
        var isSent = false
    }

    /// A task that could not be.
    struct Refused: Hashable, Sendable, Codable {
        let number: Int64
        let failure: TransferFailure
    }

    var record: TransferSessionRecord
    var transfers = SortedMap<Int64, Transfer>()
    var queue: TransferQueue
    /// Outcomes by their place.
    var owed = SortedMap<Int64, Owed>()
    var sentCount = 0
    /// How many have not come to their end.
    var underWay = 0
    /// Those that are delivered, and only kept for what has arrived, by when they go.
    var kept = SortedMap<Transfers.Timer, Present>()
    /// How many are discretionary for where they were begun.
    var fromBackground = 0
    var lastPlace: Int64 = 0
    /// The engine carries so many of its tasks.
    var active: Int32 = 0

    /// The launch that has it open.
    var openIn: LaunchID?
    /// The launch that is done with it.
    var finishedBy: LaunchID?
    var owesOpened = false
    /// Lists that are asked for: those above these numbers.
    var listsOwed: [Int64] = []
    /// Tasks that could not be, for the launch that made them to hear.
    var refused: [Refused] = []
    /// `didFinishEvents` was said in this launch.
    var isFinishSaid = false
    /// `didBecomeInvalidWithError` was said: only its number is kept, so that it is not given twice.
    var isGone = false

    var telling = Telling.none
    /// Why it was last not woken.
    var refusal: WakeRefusal?
    /// How often it was woken and did not come to the end of it, and when it may be again, on the steady clock.
    var wakes: Int32 = 0
    var wakeAt: Nanoseconds?

    init(_ record: TransferSessionRecord) {
        self.record = record
        queue = TransferQueue(limit: record.configuration.connectionsPerHost)
    }

    /// Whether all tasks that there are have come to their end.
    var isDone: Bool { underWay == 0 && !owed.isEmpty }

    /// Up to here the app was told that all is done.
    var toldPlace: Int64 { record.toldPlace ?? 0 }

    /// Whether nothing is left to do for it or to tell.
    var isEmpty: Bool { transfers.count == kept.count }

    /// The part of its configuration by which its tasks are arranged.
    struct Terms {
        let isDiscretionary: Bool
        let networks: NetworkAccess
        let resourceTimeout: Nanoseconds
    }

    /// They are inlined, because a call copies the session.
    @inline(__always) var terms: Terms {
        Terms(
            isDiscretionary: record.configuration.isDiscretionary, networks: record.configuration.networks,
            resourceTimeout: record.configuration.resourceTimeout)
    }

    /// Counts a task that is new, or not what it was.
    mutating func count(_ task: Transfer.Tally, by sign: Int) {
        if task.isUnderWay { underWay += sign }
        if let until = task.keptUntil {
            let timer = Transfers.Timer(at: until, id: TransferID(session: record.id, number: task.number))
            if sign > 0 { kept.insert(timer) } else { kept.remove(timer) }
        }
        if task.isFromBackground, task.isUnderWay { fromBackground += sign }
        if let place = task.place {
            if sign > 0 {
                owed.set(Owed(number: task.number), for: place)
            } else if owed.remove(place)?.isSent == true {
                sentCount -= 1
            }
        }
    }

    /// Up to here the app is not woken for what became of its tasks: the user swiped it away.
    var placeOfForceQuit: Int64 {
        var place: Int64 = 0
        for (_, transfer) in transfers {
            if case .failed(let failure) = transfer.record.outcome, failure.cancelledReason == .userForceQuit {
                place = max(place, transfer.record.place)
            }
        }
        return place
    }

    /// The launch that heard of it is over, or has to hear of it anew.
    mutating func forgetSent() {
        while sentCount > 0, let sent = owed.first(where: { $0.value.isSent }) {
            owed.update(sent.key) { $0.isSent = false }
            sentCount -= 1
        }
    }
}
