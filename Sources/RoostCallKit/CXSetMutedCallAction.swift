public import Foundation
import LifeCycleModel
import Synchronization

/// The user, or the app, mutes a call, or ends the muting. The app itself stops its microphone.
@preconcurrency @MainActor public final class CXSetMutedCallAction: CXCallAction {
    nonisolated private let value: Mutex<Bool>

    /// Creates a request to mute a call, or to end the muting.
    nonisolated public convenience init(call callUUID: UUID, muted: Bool) {
        self.init(call: callUUID, muted: muted, task: nil)
    }

    nonisolated init(call: UUID, muted: Bool, task: ActionTask?) {
        value = Mutex(muted)
        super.init(call: call, task: task)
    }

    /// Whether the call is to be muted.
    nonisolated public var isMuted: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }

    nonisolated override var request: CallRequest { .act(isMuted ? .mute : .unmute, callUUID.callID) }
}
