public import Foundation
import Synchronization

/// An action of the user that an app performs. Any thread.
@preconcurrency @MainActor public class CXAction: NSObject {
    /// The name of the action.
    nonisolated public let uuid = UUID()
    nonisolated private let isDone = Mutex(false)
    nonisolated private let perform: @Sendable (_ isFulfilled: Bool) -> Void

    init(perform: @escaping @Sendable (_ isFulfilled: Bool) -> Void) {
        self.perform = perform
        super.init()
    }

    /// Whether the action was fulfilled or has failed, also because its time is over.
    nonisolated public var isComplete: Bool { isDone.withLock { $0 } }

    /// Reports that the app has performed the action. A second report has no effect.
    nonisolated public func fulfill() { finish(isFulfilled: true) }

    /// Reports that the app could not perform the action. A second report has no effect.
    nonisolated public func fail() { finish(isFulfilled: false) }

    nonisolated private func finish(isFulfilled: Bool) { if complete() { perform(isFulfilled) } }

    /// Completes the action without a report. Returns false if it was complete.
    @discardableResult nonisolated func complete() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
    }
}

/// An action on a call.
@preconcurrency @MainActor public class CXCallAction: CXAction {
    /// The UUID of the call.
    nonisolated public let callUUID: UUID

    init(call: UUID, perform: @escaping @Sendable (_ isFulfilled: Bool) -> Void) {
        callUUID = call
        super.init(perform: perform)
    }

    /// Calls the delegate's method for the action.
    func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {}
}

/// The user has answered a call. When the app has fulfilled the action, the call is on.
@preconcurrency @MainActor public final class CXAnswerCallAction: CXCallAction {
    /// Reports that the app has answered. The date has no effect.
    nonisolated public func fulfill(withDateConnected dateConnected: Date) { fulfill() }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }
}

/// The user has declined a call, or has ended it.
@preconcurrency @MainActor public final class CXEndCallAction: CXCallAction {
    /// Reports that the app has ended the call. The date has no effect.
    nonisolated public func fulfill(withDateEnded dateEnded: Date) { fulfill() }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }
}
