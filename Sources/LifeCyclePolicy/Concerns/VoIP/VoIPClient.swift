import LifeCycleModel

/// An app that has asked for VoIP pushes, or reported a call.
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
    /// The answers to reported calls that the app has not been sent.
    var answers: [Answer] = []
    /// The assertions that the app has.
    var holds: [Assertion] = []
    /// Whether the app's audio session is active for a call; nil if that is unknown since a restart of the system: a
    /// call is being ended, and may have been connected.
    var hasAudio: Bool? = false

    /// The answer to a reported call.
    struct Answer: Hashable, Sendable, Codable {
        let id: CallID
        let failure: CallFailure?
    }

    init(record: VoIPRecord) { self.record = record }

    /// The token of a registered app.
    var token: DeviceToken? { registration == .persisting ? nil : record.token }

    /// Whether a call is connected.
    var isConnected: Bool { record.calls.contains { $0.state == .connected } }

    /// Whether a call is being ended.
    var isEndingCall: Bool { record.calls.contains { $0.state.action == .end } }

    /// The next time at which something is due, on the awake clock.
    var next: Nanoseconds? {
        (open.compactMap(\.value.until) + record.calls.compactMap(\.state.until) + waiting.map(\.until)).min()
    }
}
