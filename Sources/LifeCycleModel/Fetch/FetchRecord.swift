/// The persisted record of an app that wants background fetch.
public struct FetchRecord: Hashable, Sendable, Codable {
    /// The app that wants to fetch.
    public let app: AppID
    /// The least time between two fetches that the app asked for; zero for as often as the system allows.
    public var minimumInterval: Nanoseconds
    /// The time of the last opportunity, or of the first request, on the wall clock.
    public var last: Nanoseconds
    /// The delay that later opportunities may still have beyond the interval: the delay that earlier ones did not use.
    public var patience: Nanoseconds
    /// The number of unproductive fetches in a row; slow fetches count more. The count stops at the number that halves
    /// the fetches.
    public var unproductive: Int32
    /// The hours in which the user opens the app; nil if the user has not opened it since the app asked for fetches.
    public var usage: AppUsage?
    /// The beginning of the day to which `spent` belongs, on the wall clock; nil before the first fetch.
    public var day: Nanoseconds?
    /// The time that the app's fetches took in the background on that day.
    public var spent: Nanoseconds?

    private enum CodingKeys: String, CodingKey {
        case app, minimumInterval, last, patience
        /// The key in the store.
        case unproductive = "fruitless"
        case usage, day, spent
    }

    /// The record of an app that has just asked for fetches.
    public init(
        app: AppID, minimumInterval: Nanoseconds, last: Nanoseconds, patience: Nanoseconds = .zero,
        unproductive: Int32 = 0
    ) {
        self.app = app
        self.minimumInterval = minimumInterval
        self.last = last
        self.patience = patience
        self.unproductive = unproductive
    }
}

/// A change of the records of background fetch.
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
