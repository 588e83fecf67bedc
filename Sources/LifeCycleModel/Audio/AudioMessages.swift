/// The number of an audio player, unique in a launch of its app.
public struct AudioPlayerID: Hashable, Comparable, Sendable, Codable {
    /// The number, at least 1.
    public let rawValue: Int64

    /// The player with this number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The most players of an app that play at once.
    public static let mostPlaying = 64
}

/// A request of an app about its sound.
public enum AudioRequest: Hashable, Sendable, Codable {
    /// `setCategory(_:mode:options:)`.
    case setSession(AudioSession)
    /// `setActive(true)`.
    case activate
    /// `setActive(false)`, with or without `notifyOthersOnDeactivation`.
    case deactivate(notifiesOthers: Bool)
    /// A player plays. It ends at this time on CLOCK_MONOTONIC; nil if it repeats its sound without end.
    case play(AudioPlayerID, until: Nanoseconds?)
    /// A player is paused or stopped.
    case stop(AudioPlayerID)
}

/// An action of the user that affects the sound of apps.
public enum AudioInput: Hashable, Sendable, Codable {
    /// A phone call begins, or the last one ends. It outranks the sound of every app.
    case call(isOn: Bool)

    /// Nil: no sound asks for a certain app.
    var appAskedFor: AppID? {
        switch self {
        case .call: nil
        }
    }
}

/// A message to an app about its sound.
public enum AudioNews: Hashable, Sendable, Codable {
    /// Whether a phone call is on.
    case call(isOn: Bool)
    /// The system has deactivated the app's session, and its players were paused at this time on CLOCK_MONOTONIC
    ///
    case deactivated(at: Nanoseconds)
}

/// A call of an app's code that concerns its sound.
public enum AudioCall: Hashable, Sendable, Codable, DeliveredCall {
    /// The app's session is interrupted, and its players were paused at this time on CLOCK_MONOTONIC.
    case interrupted(at: Nanoseconds)
    /// The interruption has ended. The flag says whether the app should continue to play.
    case interruptionEnded(shouldResume: Bool)
    /// A player has played its sound to the end: `audioPlayerDidFinishPlaying(_:successfully:)`.
    case finished(AudioPlayerID)

    /// The names that the app knows the calls by.
    public enum Method: String, CaseIterable {
        case interruptionNotification = "AVAudioSession.interruptionNotification"
        case audioPlayerDidFinishPlaying = "audioPlayerDidFinishPlaying(_:successfully:)"
    }

    var method: Method {
        switch self {
        case .interrupted, .interruptionEnded: .interruptionNotification
        case .finished: .audioPlayerDidFinishPlaying
        }
    }

    func handler(of callback: CallbackID) -> CompletionHandler? { nil }

    /// A new call replaces a queued call of the same kind, and the end of the same player.
    func replaces(_ older: ConcernCall) -> Bool {
        switch (self, older) {
        case (.interrupted, .audio(.interrupted)), (.interruptionEnded, .audio(.interruptionEnded)): true
        case (.finished(let new), .audio(.finished(let old))): new == old
        case (.interrupted, _), (.interruptionEnded, _), (.finished, _): false
        }
    }

    /// An app that is interrupted again is not told of the end of the interruption before.
    func withdraws(_ older: ConcernCall) -> Bool {
        if case .interrupted = self, case .audio(.interruptionEnded) = older { true } else { false }
    }
}

extension AudioNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { nil }
    package var isProgress: Bool { false }
}
