public import Foundation
import LifeCycleModel
import Synchronization

/// The user, or the app, puts a connected call on hold, or takes it again. The audio session of a call on hold is
/// inactive.
@preconcurrency @MainActor public final class CXSetHeldCallAction: CXCallAction {
    nonisolated private let value: Mutex<Bool>

    /// Creates a request to hold a call, or to take it again.
    nonisolated public convenience init(call callUUID: UUID, onHold: Bool) {
        self.init(call: callUUID, onHold: onHold, task: nil)
    }

    nonisolated init(call: UUID, onHold: Bool, task: ActionTask?) {
        value = Mutex(onHold)
        super.init(call: call, task: task)
    }

    /// Whether the call is to be on hold.
    nonisolated public var isOnHold: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }

    nonisolated override var request: CallRequest { .act(isOnHold ? .hold : .resume, callUUID.callID) }
}
