public import Foundation
import LifeCycleModel

/// The domain of `CXErrorCodeIncomingCallError`.
public let CXErrorDomainIncomingCall = "com.apple.CallKit.error.incomingcall"

/// The reason why an incoming call is not shown.
public struct CXErrorCodeIncomingCallError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The kinds of errors; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// The app has eight calls, or is being ended, or the provider is invalid.
        case unknown = 0
        /// The app does not declare the mode `voip`.
        case unentitled = 1
        /// The app has a call with this UUID.
        case callUUIDAlreadyExists = 2
        /// Never on Roost.
        case filteredByDoNotDisturb = 3
        /// Never on Roost.
        case filteredByBlockList = 4

        /// Whether an error is of this kind, as in `catch CXErrorCodeIncomingCallError.unentitled`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? CXErrorCodeIncomingCallError)?.code == code
        }
    }

    /// The app has eight calls, or is being ended, or the provider is invalid.
    public static var unknown: Code { .unknown }
    /// The app does not declare the mode `voip`.
    public static var unentitled: Code { .unentitled }
    /// The app has a call with this UUID.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// Never on Roost.
    public static var filteredByDoNotDisturb: Code { .filteredByDoNotDisturb }
    /// Never on Roost.
    public static var filteredByBlockList: Code { .filteredByBlockList }
    /// The domain of the error's `NSError`.
    public static var errorDomain: String { CXErrorDomainIncomingCall }

    /// The kind of the error.
    public let code: Code

    /// Creates an error of a kind.
    public init(_ code: Code) { self.code = code }

    init(failure: CallFailure) {
        code =
            switch failure {
            case .unknown: .unknown
            case .unentitled: .unentitled
            case .callUUIDAlreadyExists: .callUUIDAlreadyExists
            }
    }

    /// The raw value of `code`.
    public var errorCode: Int { code.rawValue }

    /// The cause, for the author of the app.
    public var errorDescription: String? {
        switch code {
        case .unknown: "The call is not shown: the app has too many calls, or the provider or the app is at its end."
        case .unentitled: "The app needs \"voip\" in UIBackgroundModes in Info.plist."
        case .callUUIDAlreadyExists: "The app has a call with this UUID."
        case .filteredByDoNotDisturb, .filteredByBlockList: "The call is filtered."
        }
    }
}

/// Why a call has ended without an action of the user; raw values are Apple's.
public enum CXCallEndedReason: Int, Sendable {
    case failed = 1
    case remoteEnded = 2
    case unanswered = 3
    case answeredElsewhere = 4
    case declinedElsewhere = 5
}

extension CallEndedReason {
    init(_ reason: CXCallEndedReason) {
        self =
            switch reason {
            case .failed: .failed
            case .remoteEnded: .remoteEnded
            case .unanswered: .unanswered
            case .answeredElsewhere: .answeredElsewhere
            case .declinedElsewhere: .declinedElsewhere
            }
    }
}
