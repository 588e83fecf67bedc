public import Foundation
import LifeCycleModel
import Synchronization

/// The performance of an action by a delegate.
struct ActionTask: Sendable {
    /// The action by which the app has asked for it; nil for an action of the user.
    let origin: CXAction?
    /// Reports the result to the system.
    let report: @Sendable (_ isFulfilled: Bool) -> Void
}

/// An action on a call, of the user or of the app. Any thread.
///
/// An app performs the actions that the delegate of its provider gets. An action that the app makes is a request for
/// `CXCallController`: to fulfill it has no effect on the call.
@preconcurrency @MainActor public class CXAction: NSObject {
    /// The name of the action. If the app has asked for the action, the delegate gets it with the same name.
    nonisolated public let uuid: UUID
    nonisolated private let isDone = Mutex(false)
    nonisolated private let task: ActionTask?

    nonisolated init(task: ActionTask?) {
        uuid = task?.origin?.uuid ?? UUID()
        self.task = task
        super.init()
    }

    /// Whether the action was fulfilled or has failed, also because its time is over.
    nonisolated public var isComplete: Bool { isDone.withLock { $0 } }

    /// Reports that the app has performed the action. A second report has no effect.
    nonisolated public func fulfill() { finish(isFulfilled: true) }

    /// Reports that the app could not perform the action. A second report has no effect.
    nonisolated public func fail() { finish(isFulfilled: false) }

    nonisolated private func finish(isFulfilled: Bool) { if complete() { task?.report(isFulfilled) } }

    /// Completes the action without a report, also the one by which the app has asked for it. Returns false if it was
    /// complete.
    @discardableResult nonisolated func complete() -> Bool {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        if isFirst { task?.origin?.complete() }
        return isFirst
    }

    /// The request that the action makes in a transaction.
    nonisolated var request: CallRequest { preconditionFailure("each action that can be made has a request") }
}

/// An action on a call.
@preconcurrency @MainActor public class CXCallAction: CXAction {
    /// The UUID of the call.
    nonisolated public let callUUID: UUID

    nonisolated init(call: UUID, task: ActionTask?) {
        callUUID = call
        super.init(task: task)
    }

    /// Calls the delegate's method for the action.
    func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {}
}

/// The user, or the app, answers a call. When the app has fulfilled the action, the call is on.
@preconcurrency @MainActor public final class CXAnswerCallAction: CXCallAction {
    /// Creates a request to answer a call that rings.
    nonisolated public convenience init(call callUUID: UUID) { self.init(call: callUUID, task: nil) }

    /// Reports that the app has answered. The date has no effect.
    nonisolated public func fulfill(withDateConnected dateConnected: Date) { fulfill() }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }

    nonisolated override var request: CallRequest { .act(.answer, callUUID.callID) }
}

/// The user, or the app, declines a call or ends it.
@preconcurrency @MainActor public final class CXEndCallAction: CXCallAction {
    /// Creates a request to end a call.
    nonisolated public convenience init(call callUUID: UUID) { self.init(call: callUUID, task: nil) }

    /// Reports that the app has ended the call. The date has no effect.
    nonisolated public func fulfill(withDateEnded dateEnded: Date) { fulfill() }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }

    nonisolated override var request: CallRequest { .act(.end, callUUID.callID) }
}
