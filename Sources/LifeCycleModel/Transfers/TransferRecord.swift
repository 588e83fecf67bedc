/// How much of a resource is surely on disk, and of which version of it.
public struct TransferCheckpoint: Hashable, Sendable, Codable {
    /// So many bytes were on disk, synced, when this was taken.
    public var received: Int64
    /// The whole length, where the server has told it.
    public var expected: Int64?
    /// The strong `ETag` or the `Last-Modified` of what was received; nil where there is none to resume by.
    public var validator: String?
    /// The boot it was taken in: in the same one the file itself tells what arrived since.
    public var boot: String

    /// A checkpoint of these.
    public init(received: Int64, expected: Int64?, validator: String?, boot: String) {
        self.received = received
        self.expected = expected
        self.validator = validator
        self.boot = boot
    }
}

/// Why an attempt came to an end without the whole resource.
public struct TransferProblem: Hashable, Sendable, Codable {
    /// The `NSURLError` code it comes to if it is not tried again.
    public var code: Int32
    /// What happened, in a sentence for a person: the address, what was expected, what came.
    public var reason: String
    /// Whether it may pass: no answer, a connection lost, a server that says it is busy.
    public var mayPass: Bool
    /// How long the server asks to be left alone (`Retry-After`).
    public var retryAfter: Nanoseconds?
    /// Whether it is for want of room on the disk.
    public var isForLackOfRoom = false
    /// Whether the server does not keep to what it says, so that all that came had to be thrown away: each further try
    /// brings all of it again, though it may pass.
    public var isInVain = false
    /// Whether the process that carried it ended under it: it may be the transfer's own doing.
    public var isCarriersEnd = false
    /// What is surely on disk after it; nil where what had arrived was no good.
    public var checkpoint: TransferCheckpoint?

    /// A problem of these.
    public init(
        code: Int32, reason: String, mayPass: Bool, retryAfter: Nanoseconds? = nil,
        checkpoint: TransferCheckpoint? = nil
    ) {
        self.code = code
        self.reason = reason
        self.mayPass = mayPass
        self.retryAfter = retryAfter
        self.checkpoint = checkpoint
    }
}

extension String {
    /// As many characters of its beginning as fit so many bytes.
    package func prefix(bytes limit: Int) -> String {
        if utf8.count <= limit { return self }
        var room = limit
        return String(
            prefix {
                room -= $0.utf8.count
                return room >= 0
            })
    }
}

/// Why a transfer came to nothing: an `NSURLError`.
public struct TransferFailure: Hashable, Sendable, Codable {
    /// The most a reason may hold, in bytes.
    public static let longestReason = 2048

    /// The code in `NSURLErrorDomain`: -1001 for a timeout, -999 for what was cancelled.
    public var code: Int32
    /// What happened, in a sentence for a person.
    public var reason: String
    /// `NSURLErrorBackgroundTaskCancelledReasonKey`, for what the system cancelled.
    public var cancelledReason: TransferCancelledReason?
    /// Whether what has arrived is kept, to be resumed by a later task.
    public var resumable: TransferCheckpoint?

    /// A failure of these.
    public init(
        code: Int32, reason: String, cancelledReason: TransferCancelledReason? = nil,
        resumable: TransferCheckpoint? = nil
    ) {
        self.code = code
        self.reason = reason
        self.cancelledReason = cancelledReason
        self.resumable = resumable
    }
}

/// Why the system cancelled a transfer, by Apple's numbers.
public enum TransferCancelledReason: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// The user swiped the app away.
    case userForceQuit = 0
    /// The user switched Background App Refresh off.
    case backgroundUpdatesDisabled = 1
    /// There is no room.
    case insufficientResources = 2
}

/// What became of a transfer, to be delivered until the app has acknowledged it.
public enum TransferOutcome: Hashable, Sendable, Codable {
    /// The whole resource is on disk, `size` bytes of it; in the app's container once it `isMoved`.
    case downloaded(TransferResponse, size: Int64, isMoved: Bool)
    /// It failed, or was cancelled.
    case failed(TransferFailure)
}

/// What a transfer waits for that passes with time, and until when, on the clock that counts transfers' spans.
public enum TransferHold: Hashable, Sendable, Codable {
    /// It failed, and is tried again; `isAsked` where the server asked for the wait.
    case retry(until: Nanoseconds, isAsked: Bool)
    /// There was no room on the disk.
    case room(until: Nanoseconds)
    /// It was resumed off the foreground.
    case delay(until: Nanoseconds)
    /// The app is asked whether it may begin.
    case answer(until: Nanoseconds)

    /// When that is over.
    public var until: Nanoseconds {
        switch self {
        case .retry(let until, _), .room(let until), .delay(let until), .answer(let until): until
        }
    }
}

/// What is kept of a transfer. Owed.
public struct TransferRecord: Hashable, Sendable, Codable {
    /// Its number.
    public var id: TransferID
    /// What is asked for.
    public var request: TransferRequest
    /// `taskDescription`.
    public var text: String?
    /// `priority`, in thousandths from 0 to 1000.
    public var priority: Int32 = 500
    /// `earliestBeginDate`, on the wall clock.
    public var earliestBegin: Nanoseconds?
    /// `countOfBytesClientExpectsToReceive`; nil where it is not known.
    public var expectedToReceive: Int64?
    /// The app has not resumed it, or has suspended it.
    public var isSuspended = true
    /// The user has paused it.
    public var isPaused = false
    /// It was resumed off the foreground: discretionary until the user opens the app.
    public var isFromBackground = false
    /// From when on its time is counted, on the clock that counts transfers' spans (`TransferClock`): it was made then; as
    /// long as it had not begun, it was resumed then, or its `earliestBegin` came.
    public var made: Nanoseconds
    /// How often it was tried and failed for a reason that may pass.
    public var failures: Int32 = 0
    /// What it waits for that passes with time.
    public var hold: TransferHold?
    /// Since when it waits, or is under way, on the wall clock; nil in what an older system kept.
    public var since: Nanoseconds?
    /// What of it is surely on disk.
    public var checkpoint: TransferCheckpoint?
    /// The transfer whose partial file it goes on with.
    public var resumes: TransferID?
    /// What became of it.
    public var outcome: TransferOutcome?
    /// Its place among the outcomes of its session, in which they are delivered; 0 without an outcome.
    public var place: Int64 = 0
    /// Until when what has arrived of it is kept, on the clock that counts transfers' spans, where it has failed: from then
    /// on, and anew from when it was delivered. The app has resume data for it then, and its place is below zero.
    public var keptUntil: Nanoseconds?

    /// A task that was just made.
    public init(id: TransferID, request: TransferRequest, made: Nanoseconds) {
        self.id = id
        self.request = request
        self.made = made
    }

    /// Where the app finds its file, below its container: there until `didFinishDownloadingTo` has returned.
    public var file: String { Self.file(of: id) }

    /// The size of its strings, in bytes: of its request, its text and its outcome.
    public var weight: Int64 {
        let outcome: Int64 =
            switch outcome {
            case .downloaded(let response, _, _): response.weight
            case .failed(let failure): Int64(failure.reason.utf8.count)
            case nil: 0
            }
        return request.weight + Int64(text?.utf8.count ?? 0) + outcome
    }

    /// The same, of any transfer.
    public static func file(of id: TransferID) -> String {
        "\(directory)/\(id.session.number)-\(id.number).download"
    }

    /// What follows the name of a file whose delegate calls have not returned yet: its second name, by which it comes again.
    public static let keptSuffix = ".kept"
    /// What follows its name once they have, until the system knows.
    public static let deliveredSuffix = ".delivered"

    /// The directory of those files, below the container.
    public static let directory = "Library/Caches/com.apple.nsurlsessiond/Downloads"
}

/// A change of what background transfers persist.
public enum TransferChange: Hashable, Sendable, Codable {
    /// A background session.
    case session(TransferSessionRecord)
    /// A session is gone, and its transfers with it.
    case sessionRemoved(TransferSessionID)
    /// A transfer.
    case task(TransferRecord)
    /// A transfer is delivered, or forgotten.
    case taskRemoved(TransferID)
}

extension RecordSubject {
    /// The background sessions of an app, with their transfers.
    public static func sessions(of app: AppID) -> RecordSubject { RecordSubject("transfers", of: app) }
    /// A background session, with its transfers.
    public static func session(_ id: TransferSessionID) -> RecordSubject {
        RecordSubject("transfers", of: id.app, group: id.number)
    }
    /// A background transfer.
    public static func transfer(_ id: TransferID) -> RecordSubject {
        RecordSubject("transfers", of: id.session.app, group: id.session.number, number: id.number)
    }
}

extension TransferChange: RecordedChange {
    package var subject: RecordSubject {
        switch self {
        case .session(let record): .session(record.id)
        case .sessionRemoved(let id): .session(id)
        case .task(let record): .transfer(record.id)
        case .taskRemoved(let id): .transfer(id)
        }
    }
    package var isRemoval: Bool {
        switch self {
        case .sessionRemoved, .taskRemoved: true
        case .session, .task: false
        }
    }
    package var subjectsBuiltUpon: [RecordSubject] {
        let sessions = RecordSubject.sessions(of: subject.app)
        return subject.number == 0 ? [sessions] : [subject, sessions]
    }
}

extension [ConcernRecord] {
    /// The background sessions.
    public var sessions: [TransferSessionRecord] {
        compactMap { if case .transfer(.session(let record)) = $0 { record } else { nil } }
    }
    /// Their transfers.
    public var transfers: [TransferRecord] {
        compactMap { if case .transfer(.task(let record)) = $0 { record } else { nil } }
    }
}
