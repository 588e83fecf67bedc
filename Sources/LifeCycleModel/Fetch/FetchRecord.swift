/// What is kept of an app that wants to be woken for background fetch.
public struct FetchRecord: Hashable, Sendable, Codable {
    /// The app's number.
    public let app: AppID
    /// The time between two fetches it asked for at least; zero for as often as the system likes.
    public var minimumInterval: Nanoseconds
    /// When it last had an opportunity, or asked for them, on the wall clock.
    public var last: Nanoseconds
    /// How much later than it asked for its opportunities may still come: what was not used up before.
    public var patience: Nanoseconds
    /// How many fetches in a row have brought nothing, counted up to where it makes no difference any more.
    public var fruitless: Int32
    /// When in the day a person opens it; nil where nobody has since it asked.
    public var usage: AppUsage?
    /// When the day began, on the wall clock, in which its fetches took `spent`; nil before the first.
    public var day: Nanoseconds?
    /// How long its fetches have taken in that day, off the foreground.
    public var spent: Nanoseconds?

    /// What is known of an app that has just asked for fetches.
    public init(
        app: AppID, minimumInterval: Nanoseconds, last: Nanoseconds, patience: Nanoseconds = .zero,
        fruitless: Int32 = 0
    ) {
        self.app = app
        self.minimumInterval = minimumInterval
        self.last = last
        self.patience = patience
        self.fruitless = fruitless
    }
}

/// A change of what background fetch persists.
public enum FetchChange: Hashable, Sendable, Codable {
    /// An app wants background fetch.
    case client(FetchRecord)
    /// An app no longer wants background fetch.
    case removed(AppID)
}

extension FetchChange: RecordedChange {
    package var subject: RecordSubject {
        switch self {
        case .client(let record): RecordSubject("fetch", of: record.app)
        case .removed(let app): RecordSubject("fetch", of: app)
        }
    }
    package var isRemoval: Bool { if case .removed = self { true } else { false } }
    package var subjectsBuiltUpon: [RecordSubject] { [] }
}

extension [ConcernRecord] {
    /// The apps that want background fetch.
    public var fetches: [FetchRecord] {
        compactMap { if case .fetch(.client(let record)) = $0 { record } else { nil } }
    }
}
