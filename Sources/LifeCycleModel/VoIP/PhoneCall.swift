/// The UUID by which an app names one of its phone calls. The text is that of `UUID.uuidString`.
public struct CallID: Hashable, Comparable, Sendable, Codable, LosslessStringConvertible {
    /// 8, 4, 4, 4 and 12 hexadecimal digits in uppercase, separated by hyphens.
    public let description: String

    /// Nil unless the text is a UUID.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 36, groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.utf8.allSatisfy(Self.isHexadecimal) })
        else { return nil }
        description = text.uppercased()
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }

    /// In the order of the texts.
    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// The facts about a call that the system shows: those of `CXCallUpdate`.
public struct CallUpdate: Hashable, Sendable, Codable {
    /// The longest name of a caller, in bytes of UTF-8. Longer names are cut off.
    public static let longestCaller = 256

    /// The caller's name, or else the caller's handle, such as a telephone number; empty if unknown.
    public let caller: String
    /// Whether the call has video.
    public let hasVideo: Bool

    /// The facts of a call.
    public init(caller: String = "", hasVideo: Bool = false) {
        self.caller = Self.shortened(caller)
        self.hasVideo = hasVideo
    }

    private static func shortened(_ text: String) -> String {
        if text.utf8.count <= longestCaller { return text }
        var (end, size) = (text.startIndex, 0)
        while end < text.endIndex {
            let next = text.index(after: end)
            size += text[end..<next].utf8.count
            if size > longestCaller { break }
            end = next
        }
        return String(text[..<end])
    }
}

/// An incoming call that an app has reported, or an outgoing call that it has begun.
public struct PhoneCall: Hashable, Sendable {
    /// The most calls of an app at once.
    public static let most = 8

    /// The app's name for the call.
    public let id: CallID
    /// The place among the calls of the device: a later call has a greater number.
    public let number: Int64
    /// Whether the app has begun the call.
    public let isOutgoing: Bool
    /// The facts that the system shows.
    public var update: CallUpdate
    /// The progress of the call.
    public var state: State
    /// Whether the call is on hold.
    public var isOnHold = false
    /// Whether the other side receives no sound of the user.
    public var isMuted = false
    /// The actions that the app performs without a change of `state`: at most one of `hold` and `resume`, and one of
    /// `mute` and `unmute`.
    public var changes: [Change] = []

    /// An action that the app performs until a time on the awake clock.
    public struct Change: Hashable, Sendable, Codable {
        /// The action.
        public let action: CallAction
        /// The time until which the app may perform it.
        public var until: Nanoseconds

        /// An action that the app has begun to perform.
        public init(_ action: CallAction, until: Nanoseconds) { (self.action, self.until) = (action, until) }
    }

    /// The progress of a call. Times are on the awake clock.
    ///
    /// ```
    ///   ringing ──answered──▶ answering ──fulfilled──▶ connected ──ended by the user──▶ ending
    ///      └──────────────────────── declined ─────────────────────────────────────────▲
    ///   starting ──fulfilled──▶ dialing ──the app says so──▶ connected                 │
    ///      └───────────────────────┴────────────── ended by the user ──────────────────┘
    /// ```
    ///
    /// The call is over when the app says so, fulfills or fails the end, fails the answer or the start, performs one of
    /// them not in time, or when its process ends.
    public enum State: Hashable, Sendable, Codable {
        case ringing
        /// The user has answered. The app performs the answer until this time.
        case answering(until: Nanoseconds)
        /// The app performs the start of an outgoing call until this time.
        case starting(until: Nanoseconds)
        /// The app has started an outgoing call, which the other side has not answered.
        case dialing
        case connected
        /// The user has declined or ended the call. The app performs the end until this time.
        case ending(until: Nanoseconds)

        /// The time until which the app may perform the user's action; nil if there is none.
        public var until: Nanoseconds? {
            switch self {
            case .ringing, .dialing, .connected: nil
            case .answering(let until), .starting(let until), .ending(let until): until
            }
        }

        /// The action that the app performs; nil if there is none.
        public var action: CallAction? {
            switch self {
            case .ringing, .dialing, .connected: nil
            case .answering: .answer
            case .starting: .start
            case .ending: .end
            }
        }

        /// Whether the user speaks on the call, or is about to: the call was answered or begun, and is not being ended.
        package var isTaken: Bool {
            switch self {
            case .answering, .starting, .dialing, .connected: true
            case .ringing, .ending: false
            }
        }
    }

    /// A call that rings.
    public init(id: CallID, number: Int64, update: CallUpdate) {
        (self.id, self.number, self.update, isOutgoing, state) = (id, number, update, false, .ringing)
    }

    /// An outgoing call, which the app starts until a time on the awake clock.
    public init(id: CallID, number: Int64, update: CallUpdate, startingUntil until: Nanoseconds) {
        (self.id, self.number, self.update, isOutgoing) = (id, number, update, true)
        state = .starting(until: until)
    }

    /// Whether the app's audio session is active for the call.
    package var hasAudio: Bool { (state == .connected || state == .dialing) && !isOnHold }

    /// Whether the user speaks on the call, or is about to. No other call can be answered then.
    package var isCurrent: Bool { state.isTaken && (!isOnHold || changes.contains { $0.action == .resume }) }

    /// The actions that the app performs now, with the times until which it may.
    package var actions: [Change] {
        let progress = state.action.flatMap { action in state.until.map { Change(action, until: $0) } }
        return [progress].compactMap { $0 } + changes
    }

    /// Whether an action is possible now. Other calls may still forbid it.
    package func allows(_ action: CallAction) -> Bool {
        let isChanging = changes.contains { $0.action.isAboutHold == action.isAboutHold }
        return switch action {
        case .answer: state == .ringing
        case .start: false
        case .end: state.action != .end
        case .hold: state == .connected && !isOnHold && !isChanging
        case .resume: state == .connected && isOnHold && !isChanging
        case .mute: (state == .connected || state == .dialing) && !isMuted && !isChanging
        case .unmute: (state == .connected || state == .dialing) && isMuted && !isChanging
        }
    }
}

extension PhoneCall: Codable {
    private enum Key: String, CodingKey {
        case id, number, isOutgoing, update, state, isOnHold, isMuted, changes
    }

    /// Records of earlier versions have incoming calls without hold and mute.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        id = try values.decode(CallID.self, forKey: .id)
        number = try values.decode(Int64.self, forKey: .number)
        isOutgoing = try values.decodeIfPresent(Bool.self, forKey: .isOutgoing) ?? false
        update = try values.decode(CallUpdate.self, forKey: .update)
        state = try values.decode(State.self, forKey: .state)
        isOnHold = try values.decodeIfPresent(Bool.self, forKey: .isOnHold) ?? false
        isMuted = try values.decodeIfPresent(Bool.self, forKey: .isMuted) ?? false
        changes = try values.decodeIfPresent([Change].self, forKey: .changes) ?? []
    }
}

/// An action that an app performs with a call: `CXStartCallAction`, `CXAnswerCallAction`, `CXEndCallAction`,
/// `CXSetHeldCallAction` and `CXSetMutedCallAction`. The user or the app itself has asked for it.
public enum CallAction: String, Hashable, Sendable, Codable, CaseIterable {
    case answer
    case end
    case start
    case hold
    case resume
    case mute
    case unmute

    /// Whether the action ends the call if the app cannot perform it.
    package var isVital: Bool {
        switch self {
        case .answer, .end, .start: true
        case .hold, .resume, .mute, .unmute: false
        }
    }

    fileprivate var isAboutHold: Bool { self == .hold || self == .resume }
}

/// An action that an app asks for by `CXCallController`.
public enum CallRequest: Hashable, Sendable, Codable {
    /// Begin an outgoing call to the handle in the facts.
    case start(CallID, CallUpdate)
    /// Perform an action on a call of the app; never `start`.
    case act(CallAction, CallID)

    /// The call.
    public var call: CallID {
        switch self {
        case .start(let id, _), .act(_, let id): id
        }
    }

    /// The action that the app performs.
    public var action: CallAction {
        switch self {
        case .start: .start
        case .act(let action, _): action
        }
    }
}

/// Why the actions of a transaction are not performed: raw values are those of
/// `CXErrorCodeRequestTransactionError.Code`.
public enum TransactionFailure: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// The app is being ended.
    case unknown = 0
    /// The app does not declare the `voip` mode.
    case unentitled = 1
    /// The app has no such call.
    case unknownCallUUID = 4
    /// The app has a call with this UUID.
    case callUUIDAlreadyExists = 5
    /// The action is not possible in the state of the call, or because of another call.
    case invalidAction = 6
    /// The app has `PhoneCall.most` calls.
    case maximumCallGroupsReached = 7
}

/// An act of the user on calls.
public enum CallChoice: String, Hashable, Sendable, Codable, CaseIterable {
    /// Answers the first call that rings.
    case answer
    /// Declines the first call that rings.
    case decline
    /// Ends the call that is on.
    case end
    /// Puts the connected call on hold.
    case hold
    /// Takes the first call that is on hold.
    case resume
    /// Mutes the call that is on.
    case mute
    /// Ends the muting.
    case unmute
}

/// Why a call ended, by its app: raw values are those of `CXCallEndedReason`.
public enum CallEndedReason: Int32, Hashable, Sendable, Codable, CaseIterable {
    case failed = 1
    case remoteEnded = 2
    case unanswered = 3
    case answeredElsewhere = 4
    case declinedElsewhere = 5
}

/// Why an incoming call is not shown: raw values are those of `CXErrorCodeIncomingCallError.Code`.
public enum CallFailure: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// The app has `PhoneCall.most` calls, or is being ended.
    case unknown = 0
    /// The app does not declare the `voip` mode.
    case unentitled = 1
    /// The app has a call with this UUID.
    case callUUIDAlreadyExists = 2
}
