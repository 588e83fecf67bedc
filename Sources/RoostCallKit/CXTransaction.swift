public import Foundation
import Synchronization

/// Actions that an app asks for together: the system accepts all of them, or none. Any thread.
public final class CXTransaction: NSObject, Sendable {
    /// The name of the transaction.
    public let uuid = UUID()
    private let list: Mutex<[CXAction]>

    /// Creates a transaction without actions.
    public override convenience init() { self.init(actions: []) }

    /// Creates a transaction with one action.
    public convenience init(action: CXAction) { self.init(actions: [action]) }

    /// Creates a transaction with several actions, in the order in which they are performed.
    public init(actions: [CXAction]) {
        list = Mutex(actions)
        super.init()
    }

    /// Adds an action. It has no effect after the request.
    public func addAction(_ action: CXAction) { list.withLock { $0.append(action) } }

    /// The actions of the transaction.
    public var actions: [CXAction] { list.withLock { $0 } }

    /// Whether the app has performed all actions, or could not; false without actions.
    public var isComplete: Bool {
        let actions = actions
        return !actions.isEmpty && actions.allSatisfy { $0.isComplete }
    }
}
