import AppCore
public import Foundation
import LifeCycleModel
import RoostKit

/// An app's means to act on its calls as the user does, and to begin calls. Any thread.
///
/// The app needs a `CXProvider`, whose delegate performs the actions of an accepted transaction. A call that the app
/// begins belongs to the provider that was made last. The controller need not be kept.
@preconcurrency @MainActor open class CXCallController: NSObject {
    /// The observer of the app's calls.
    nonisolated public let callObserver: CXCallObserver

    nonisolated private let app: AppSession
    nonisolated private let calls: ProviderCalls

    /// Creates a controller. Completions are called on the main thread.
    nonisolated public override init() {
        let app = AppSession.current
        self.app = app
        calls = .of(app)
        callObserver = CXCallObserver()
        super.init()
    }

    /// Creates a controller.
    ///
    /// - Parameter queue: No effect: completions are called on the main thread.
    nonisolated public convenience init(queue: DispatchQueue) { self.init() }

    /// Asks for the actions of a transaction.
    ///
    /// - Parameters:
    ///   - transaction: 1 to 16 actions.
    ///   - completion: Called soon on the main thread, with nil if the transaction is accepted, otherwise with a
    ///     `CXErrorCodeRequestTransactionError`. The delegate of the provider performs the actions after that.
    @preconcurrency nonisolated open func request(
        _ transaction: CXTransaction, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        // An app may change an action after the request.
        let actions = transaction.actions.map { (action: $0, request: $0.request) }
        let id = calls.remember(actions, completion, of: app)
        let requests = actions.map { $0.request }
        app.changingCalls { core, steps in core.transact(requests, as: id, into: &steps) }
    }

    /// Asks for the actions of a transaction, and returns when it is accepted.
    ///
    /// - Throws: A `CXErrorCodeRequestTransactionError` if it is not accepted.
    open func request(_ transaction: CXTransaction) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            request(transaction) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Asks for an action, in a transaction of its own.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - completion: That of `request(_:completion:)`.
    @preconcurrency nonisolated open func requestTransaction(
        with action: CXAction, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(action: action), completion: completion)
    }

    /// Asks for actions, in a transaction of their own.
    ///
    /// - Parameters:
    ///   - actions: The actions, in the order in which they are performed.
    ///   - completion: That of `request(_:completion:)`.
    @preconcurrency nonisolated open func requestTransaction(
        with actions: [CXAction], completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        request(CXTransaction(actions: actions), completion: completion)
    }

    /// Asks for an action, and returns when it is accepted.
    ///
    /// - Throws: A `CXErrorCodeRequestTransactionError` if it is not accepted.
    open func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }

    /// Asks for actions, and returns when they are accepted.
    ///
    /// - Throws: A `CXErrorCodeRequestTransactionError` if they are not accepted.
    open func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }
}
