/// The purpose of an app's sound: `AVAudioSession.Category`.
public enum AudioCategory: String, Hashable, Sendable, Codable, CaseIterable {
    case ambient
    case soloAmbient
    case playback
    case record
    case playAndRecord
    case multiRoute

    /// Whether sound of this category may continue in the background.
    public var continuesInBackground: Bool {
        switch self {
        case .ambient, .soloAmbient: false
        case .playback, .record, .playAndRecord, .multiRoute: true
        }
    }

    /// Whether an app may choose that its sound mixes with the sound of others.
    public var mayMix: Bool {
        switch self {
        case .playback, .playAndRecord, .multiRoute: true
        case .ambient, .soloAmbient, .record: false
        }
    }

    /// Whether the app records.
    public var records: Bool {
        switch self {
        case .record, .playAndRecord: true
        case .ambient, .soloAmbient, .playback, .multiRoute: false
        }
    }
}

/// The settings of an app's audio session. An app has one session.
public struct AudioSession: Hashable, Sendable, Codable {
    /// The purpose of the app's sound.
    public var category: AudioCategory
    /// `mixWithOthers`, or an option that implies it.
    public var mixesWithOthers: Bool

    /// The settings of an app that has set none.
    public init(category: AudioCategory = .soloAmbient, mixesWithOthers: Bool = false) {
        (self.category, self.mixesWithOthers) = (category, mixesWithOthers)
    }

    /// Whether the app's sound mixes with the sound of others, by the category or by the app's choice.
    public var mixes: Bool { category == .ambient || category.mayMix && mixesWithOthers }
}

/// Why a session is not activated, or not deactivated; raw values are those of `AVAudioSession.ErrorCode`.
public enum AudioFailure: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// '!act': the session was deactivated while the app played.
    case isBusy = 560_030_580
    /// '!pla': an app without the `audio` mode, or with a category that ends in the background, may not play there.
    case cannotStartPlaying = 561_015_905
    /// '!int': an app in the background may not interrupt other apps.
    case cannotInterruptOthers = 560_557_684
    /// '!pri': a phone call is on, and the app wants to record.
    case insufficientPriority = 561_017_449
}

/// The activation of an audio session, with everything that decides about it.
///
/// The rule is here because the app applies it, too: it has to know the result at once.
public struct AudioActivation: Hashable, Sendable {
    /// The settings of the session.
    public let session: AudioSession
    /// Whether the app is in the foreground.
    public let isInForeground: Bool
    /// Whether the app declares the `audio` mode, or has a call.
    public let mayPlayInBackground: Bool
    /// Whether the session is interrupted, or was and has not been activated since.
    public let wasInterrupted: Bool
    /// Whether a phone call is on.
    public let isCallOn: Bool

    /// An activation.
    public init(
        session: AudioSession, isInForeground: Bool, mayPlayInBackground: Bool, wasInterrupted: Bool, isCallOn: Bool
    ) {
        self.session = session
        self.isInForeground = isInForeground
        self.mayPlayInBackground = mayPlayInBackground
        self.wasInterrupted = wasInterrupted
        self.isCallOn = isCallOn
    }

    /// Why the session may not be activated; nil if it may.
    public var failure: AudioFailure? {
        if isCallOn, session.category.records { return .insufficientPriority }
        if isInForeground { return nil }
        guard mayPlayInBackground, session.category.continuesInBackground else { return .cannotStartPlaying }
        return session.mixes || wasInterrupted ? nil : .cannotInterruptOthers
    }
}
