import AppCore
public import Foundation
import LifeCycleModel

/// The domain of `CXErrorCodeRequestTransactionError`.
public let CXErrorDomainRequestTransaction = "com.apple.CallKit.error.requesttransaction"

/// The reason why nothing of a transaction is performed.
public struct CXErrorCodeRequestTransactionError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The kinds of errors; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// The app is being ended.
        case unknown = 0
        /// The app does not declare the mode `voip`.
        case unentitled = 1
        /// The app has no `CXProvider`.
        case unknownCallProvider = 2
        /// The transaction has no action.
        case emptyTransaction = 3
        /// The app has no such call.
        case unknownCallUUID = 4
        /// The app has a call with the UUID of a call that it wants to begin.
        case callUUIDAlreadyExists = 5
        /// An action is not possible in the state of its call, or because another call is on, or the transaction has
        /// more than 16 actions.
        case invalidAction = 6
        /// The app has eight calls.
        case maximumCallGroupsReached = 7

        /// Whether an error is of this kind, as in `catch CXErrorCodeRequestTransactionError.invalidAction`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? CXErrorCodeRequestTransactionError)?.code == code
        }
    }

    /// The app is being ended.
    public static var unknown: Code { .unknown }
    /// The app does not declare the mode `voip`.
    public static var unentitled: Code { .unentitled }
    /// The app has no `CXProvider`.
    public static var unknownCallProvider: Code { .unknownCallProvider }
    /// The transaction has no action.
    public static var emptyTransaction: Code { .emptyTransaction }
    /// The app has no such call.
    public static var unknownCallUUID: Code { .unknownCallUUID }
    /// The app has a call with the UUID of a call that it wants to begin.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// An action is not possible now.
    public static var invalidAction: Code { .invalidAction }
    /// The app has eight calls.
    public static var maximumCallGroupsReached: Code { .maximumCallGroupsReached }
    /// The domain of the error's `NSError`.
    public static var errorDomain: String { CXErrorDomainRequestTransaction }

    /// The kind of the error.
    public let code: Code

    /// Creates an error of a kind.
    public init(_ code: Code) { self.code = code }

    init(failure: CallTransactionFailure) {
        code =
            switch failure {
            case .unknownCallProvider: .unknownCallProvider
            case .emptyTransaction: .emptyTransaction
            case .system(.unknown): .unknown
            case .system(.unentitled): .unentitled
            case .system(.unknownCallUUID): .unknownCallUUID
            case .system(.callUUIDAlreadyExists): .callUUIDAlreadyExists
            case .system(.invalidAction): .invalidAction
            case .system(.maximumCallGroupsReached): .maximumCallGroupsReached
            }
    }

    /// The raw value of `code`.
    public var errorCode: Int { code.rawValue }

    /// The cause, for the author of the app.
    public var errorDescription: String? {
        switch code {
        case .unknown: "The transaction is not performed: the app is being ended."
        case .unentitled: "The app needs \"voip\" in UIBackgroundModes in Info.plist."
        case .unknownCallProvider: "The app has no CXProvider: make one, and keep it."
        case .emptyTransaction: "The transaction has no action."
        case .unknownCallUUID: "The app has no call with this UUID."
        case .callUUIDAlreadyExists: "The app has a call with this UUID."
        case .invalidAction: "The action is not possible in the state of the call, or because another call is on."
        case .maximumCallGroupsReached: "The app has too many calls."
        }
    }
}
