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

/// An incoming call that an app has reported.
public struct PhoneCall: Hashable, Sendable, Codable {
    /// The most calls of an app at once.
    public static let most = 8

    /// The app's name for the call.
    public let id: CallID
    /// The place among the calls of the device: a later call has a greater number.
    public let number: Int64
    /// The facts that the system shows.
    public var update: CallUpdate
    /// The progress of the call.
    public var state = State.ringing

    /// The progress of a call. Times are on the awake clock.
    ///
    /// ```
    ///   ringing ──answered──▶ answering ──fulfilled──▶ connected ──ended by the user──▶ ending
    ///      └──────────────────────── declined ─────────────────────────────────────────▲
    /// ```
    ///
    /// The call is over when the app says so, fulfills or fails the end, fails the answer, performs neither in time, or
    /// when its process ends.
    public enum State: Hashable, Sendable, Codable {
        case ringing
        /// The user has answered. The app performs the answer until this time.
        case answering(until: Nanoseconds)
        case connected
        /// The user has declined or ended the call. The app performs the end until this time.
        case ending(until: Nanoseconds)

        /// The time until which the app may perform the user's action; nil if there is none.
        public var until: Nanoseconds? {
            switch self {
            case .ringing, .connected: nil
            case .answering(let until), .ending(let until): until
            }
        }

        /// The action that the app performs; nil if there is none.
        public var action: CallAction? {
            switch self {
            case .ringing, .connected: nil
            case .answering: .answer
            case .ending: .end
            }
        }

        /// Whether the user has answered, and not ended the call since.
        package var isAnswered: Bool {
            switch self {
            case .answering, .connected: true
            case .ringing, .ending: false
            }
        }
    }

    /// A call that rings.
    public init(id: CallID, number: Int64, update: CallUpdate) {
        (self.id, self.number, self.update) = (id, number, update)
    }
}

/// An action of the user that an app performs with a call: `CXAnswerCallAction`, `CXEndCallAction`.
public enum CallAction: String, Hashable, Sendable, Codable, CaseIterable {
    case answer
    case end
}

/// An act of the user on calls.
public enum CallChoice: String, Hashable, Sendable, Codable, CaseIterable {
    /// Answers the first call that rings.
    case answer
    /// Declines the first call that rings.
    case decline
    /// Ends the connected call.
    case end
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
