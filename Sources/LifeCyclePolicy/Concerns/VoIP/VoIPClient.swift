import LifeCycleModel

/// An app that has asked for VoIP pushes, or has reported or begun a call.
struct VoIPClient: Hashable, Sendable, Codable {
    /// A push that the app is called for, until the app has handled it.
    struct OpenPush: Hashable, Sendable, Codable {
        /// The end of the app's time for the push, on the awake clock; nil until the app is called.
        var until: Nanoseconds?
        /// Whether the app has reported a call since.
        var hasCall = false
        /// Whether the delegate's method has returned.
        var hasReturned = false
        /// Whether the completion handler was called.
        var isCompleted = false
    }

    /// A push that waits for a registry.
    struct WaitingPush: Hashable, Sendable, Codable {
        let push: VoIPPush
        /// The time until which it waits, on the awake clock.
        var until: Nanoseconds
    }

    /// The progress of the app's token.
    enum Registration: Hashable, Sendable, Codable {
        /// The app has not asked, or its token is in the record.
        case idle
        case makingToken
        /// The token is in the record, which is not on disk yet.
        case persisting
    }

    var record: VoIPRecord
    var registration = Registration.idle
    /// The launch that has a registry.
    var registry: LaunchID?
    /// The pushes that wait for a registry, oldest first.
    var waiting: [WaitingPush] = []
    /// Whether the app is launched for them once its present launch has ended.
    var awaitsLaunch = false
    /// The pushes that the app was given, by number.
    var open = SortedMap<Int64, OpenPush>()
    /// The answers that the app has not been sent, oldest first.
    private(set) var answers: [VoIPNews] = []
    /// The assertions that the app has.
    var holds: [Assertion] = []
    /// Whether the app's audio session is active for a call; nil if that is unknown since a restart of the system: a
    /// call is being ended, and may have been connected.
    var hasAudio: Bool? = false

    /// The most answers to transactions that wait for an app.
    private static let mostAnswers = 64

    init(record: VoIPRecord) { self.record = record }

    /// The token of a registered app.
    var token: DeviceToken? { registration == .persisting ? nil : record.token }

    /// Whether the app's audio session has to be active for a call.
    var needsAudio: Bool { record.calls.contains(where: \.hasAudio) }

    /// Whether a call is being ended.
    var isEndingCall: Bool { record.calls.contains { $0.state.action == .end } }

    /// The next time at which something is due, on the awake clock.
    var next: Nanoseconds? {
        let actions = record.calls.flatMap(\.actions)
        return (open.compactMap(\.value.until) + actions.map(\.until) + waiting.map(\.until)).min()
    }

    // MARK: Answers

    /// Answers a report of a call once the app runs. A newer answer about the call replaces an older one.
    mutating func answer(report id: CallID, _ failure: CallFailure?) {
        answers.removeAll { if case .reported(id, _) = $0 { true } else { false } }
        if answers.count(where: { !$0.isAboutTransaction }) < PhoneCall.most { answers.append(.reported(id, failure)) }
    }

    /// Answers a transaction once the app runs. If too many answers wait, the oldest one is dropped.
    mutating func answer(transaction number: Int64, _ failure: TransactionFailure?) {
        answers.removeAll { if case .transacted(number, _) = $0 { true } else { false } }
        answers.append(.transacted(number, failure))
        guard answers.count(where: \.isAboutTransaction) > Self.mostAnswers,
            let oldest = answers.firstIndex(where: \.isAboutTransaction)
        else { return }
        answers.remove(at: oldest)
    }

    mutating func forgetAnswers() { answers = [] }
}

extension VoIPNews {
    fileprivate var isAboutTransaction: Bool {
        switch self {
        case .reported: false
        case .transacted: true
        }
    }
}
