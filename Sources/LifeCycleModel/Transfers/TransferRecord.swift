/// The bytes of a resource that are known to be on disk, and the version of the resource.
public struct TransferCheckpoint: Hashable, Sendable, Codable {
    /// The number of bytes that were synced to disk when the checkpoint was taken.
    public var received: Int64
    /// The whole length in bytes; nil if the server did not report it.
    public var expected: Int64?
    /// The strong `ETag` or the `Last-Modified` of the received version; nil if the transfer cannot be resumed.
    public var validator: String?
    /// The boot in which the checkpoint was taken. In the same boot, the file itself shows how much has arrived since.
    public var boot: String

    /// Created by the engine, and by each end of the wire that reads a checkpoint.
    public init(received: Int64, expected: Int64?, validator: String?, boot: String) {
        self.received = received
        self.expected = expected
        self.validator = validator
        self.boot = boot
    }
}

/// Why an attempt ended without the whole resource.
public struct TransferProblem: Hashable, Sendable, Codable {
    /// The `NSURLError` code of the failure if there is no retry.
    public var code: Int32
    /// The cause, in a sentence for the user: the address, the expected and the actual answer.
    public var reason: String
    /// Whether a retry may succeed: for example after a lost connection, without an answer, or with a busy server.
    public var isRetryable: Bool
    /// The delay that the server asks for (`Retry-After`); nil if it asks for none.
    public var retryAfter: Nanoseconds?
    /// Whether the cause is a lack of disk space.
    public var isForLackOfRoom = false
    /// Whether the server contradicted itself, so that all received bytes had to be thrown away. Each retry receives
    /// all bytes again, though it may succeed.
    public var wastesBytes = false
    /// Whether the carrier process ended during the attempt, perhaps because of the transfer.
    public var isCarriersEnd = false
    /// The bytes that are known to be on disk after the attempt; nil if the bytes are unusable.
    public var checkpoint: TransferCheckpoint?

    /// By default without a delay that the server asked for, and without bytes to resume from.
    public init(
        code: Int32, reason: String, isRetryable: Bool, retryAfter: Nanoseconds? = nil,
        checkpoint: TransferCheckpoint? = nil
    ) {
        self.code = code
        self.reason = reason
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
        self.checkpoint = checkpoint
    }
}

extension String {
    /// The longest beginning that fits into this many bytes of UTF-8.
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

/// Why a transfer failed: an `NSURLError`.
public struct TransferFailure: Hashable, Sendable, Codable {
    /// The longest reason, in bytes.
    public static let longestReason = 2048

    /// The code in `NSURLErrorDomain`: -1001 for a timeout, -999 for a canceled transfer.
    public var code: Int32
    /// The cause, in a sentence for the user.
    public var reason: String
    /// `NSURLErrorBackgroundTaskCancelledReasonKey`; nil if the system did not cancel the transfer.
    public var cancelledReason: TransferCancelledReason?
    /// The partial file that a later task may resume; nil if there is none.
    public var resumable: TransferCheckpoint?

    /// Created by the brain, which decides that a transfer has failed, and by `RoostURLSession` for local errors.
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

/// Why the system canceled a transfer, by Apple's numbers.
public enum TransferCancelledReason: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// The user force-quit the app.
    case userForceQuit = 0
    /// The user turned Background App Refresh off.
    case backgroundUpdatesDisabled = 1
    /// There is not enough disk space.
    case insufficientResources = 2
}

/// The outcome of a transfer, which is pending until the app has acknowledged it.
public enum TransferOutcome: Hashable, Sendable, Codable {
    /// The whole resource, `size` bytes, is on disk; once it `isMoved`, it is in the app's container.
    case downloaded(TransferResponse, size: Int64, isMoved: Bool)
    /// The transfer failed or was canceled.
    case failed(TransferFailure)
}

/// A wait that ends at a time, which is on the steady clock.
public enum TransferHold: Hashable, Sendable, Codable {
    /// The transfer failed and is retried; `isAsked` if the server asked for the delay.
    case retry(until: Nanoseconds, isAsked: Bool)
    /// There was no disk space.
    case room(until: Nanoseconds)
    /// The transfer was resumed in the background.
    case delay(until: Nanoseconds)
    /// The app is asked whether the transfer may begin.
    case answer(until: Nanoseconds)

    /// The end of the wait, on the steady clock.
    public var until: Nanoseconds {
        switch self {
        case .retry(let until, _), .room(let until), .delay(let until), .answer(let until): until
        }
    }
}

/// The persisted record of a transfer, which must survive power loss.
public struct TransferRecord: Hashable, Sendable, Codable {
    /// The session, and the task's number in it.
    public var id: TransferID
    /// The app's request. An answer to `willBeginDelayedRequest` may replace it.
    public var request: TransferRequest
    /// `taskDescription`.
    public var text: String?
    /// `priority`, in thousandths from 0 to 1000.
    public var priority: Int32 = 500
    /// `earliestBeginDate`, on the wall clock.
    public var earliestBegin: Nanoseconds?
    /// `countOfBytesClientExpectsToReceive`; nil if it is not known.
    public var expectedToReceive: Int64?
    /// Whether the app has suspended the task, or not resumed it yet.
    public var isSuspended = true
    /// Whether the user has paused the transfer.
    public var isPaused = false
    /// Whether the task was resumed in the background. The transfer is then discretionary until the user opens the app
    ///
    public var isFromBackground = false
    /// The start of the transfer's time limit, on the steady clock (`TransferClock`): the time at which the task was
    /// made. If the task was resumed later, or `earliestBegin` came later, before the task began, that time counts
    ///
    public var made: Nanoseconds
    /// The number of failed attempts in a row; progress resets it.
    public var failures: Int32 = 0
    /// The wait that ends at a time; nil if there is none.
    public var hold: TransferHold?
    /// The beginning of the present wait or attempt, on the wall clock; nil in records of older systems.
    public var since: Nanoseconds?
    /// The bytes that are known to be on disk.
    public var checkpoint: TransferCheckpoint?
    /// The transfer whose partial file this transfer resumes.
    public var resumes: TransferID?
    /// The outcome; nil before the transfer ends.
    public var outcome: TransferOutcome?
    /// The place in the order in which the session's outcomes are delivered; 0 without an outcome, negative once
    /// delivered.
    public var place: Int64 = 0
    /// The time until which the partial file of a failed transfer is kept, on the steady clock. The time starts at the
    /// failure, and again at the delivery. After the delivery the app has resume data, and the place is negative.
    public var keptUntil: Nanoseconds?

    /// The record of a task that was just made.
    public init(id: TransferID, request: TransferRequest, made: Nanoseconds) {
        self.id = id
        self.request = request
        self.made = made
    }

    /// The path of the transfer's file below the app's container. The file exists until `didFinishDownloadingTo` has
    /// returned.
    public var file: String { Self.file(of: id) }

    /// The size of the strings in the request, the text and the outcome, in bytes.
    public var weight: Int64 {
        let outcome: Int64 =
            switch outcome {
            case .downloaded(let response, _, _): response.weight
            case .failed(let failure): Int64(failure.reason.utf8.count)
            case nil: 0
            }
        return request.weight + Int64(text?.utf8.count ?? 0) + outcome
    }

    /// The path of the file of any transfer.
    public static func file(of id: TransferID) -> String {
        "\(directory)/\(id.session.number)-\(id.number).download"
    }

    /// The suffix of a second name for the file until its delegate calls have returned, from which the file can be
    /// restored.
    public static let keptSuffix = ".kept"
    /// The suffix of that name after the delegate calls, until the system has the acknowledgment.
    public static let deliveredSuffix = ".delivered"

    /// The directory of these files, below the container.
    public static let directory = "Library/Caches/com.apple.nsurlsessiond/Downloads"
}

/// A change of the records of background transfers.
public enum TransferChange: Hashable, Sendable, Codable {
    /// A background session was opened or changed.
    case session(TransferSessionRecord)
    /// A session was removed, with its transfers.
    case sessionRemoved(TransferSessionID)
    /// A transfer was made or changed.
    case task(TransferRecord)
    /// A transfer was delivered or forgotten.
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
    /// The transfers of background sessions.
    public var transfers: [TransferRecord] {
        compactMap { if case .transfer(.task(let record)) = $0 { record } else { nil } }
    }
}
