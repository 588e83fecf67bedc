public import Foundation
import LifeCycleModel
import Synchronization

/// The app begins an outgoing call. When the app has fulfilled the action, the call is dialing.
@preconcurrency @MainActor public final class CXStartCallAction: CXCallAction {
    /// The facts of the call.
    struct Details: Sendable {
        var handle: CXHandle
        var contactIdentifier: String?
        var isVideo = false
    }

    nonisolated private let values: Mutex<Details>

    /// Creates a request to begin a call.
    ///
    /// - Parameters:
    ///   - callUUID: A name for the call, by which all methods know it.
    ///   - handle: The handle of the other side. Its value reaches the system.
    nonisolated public convenience init(call callUUID: UUID, handle: CXHandle) {
        self.init(call: callUUID, Details(handle: handle), task: nil)
    }

    nonisolated init(call: UUID, _ details: Details, task: ActionTask?) {
        values = Mutex(details)
        super.init(call: call, task: task)
    }

    /// The facts of the call.
    nonisolated var details: Details { values.withLock { $0 } }

    /// The handle of the other side.
    nonisolated public var handle: CXHandle {
        get { details.handle }
        set { values.withLock { $0.handle = newValue } }
    }

    /// The identifier of the other side among the contacts; nil by default. The system does not read it.
    nonisolated public var contactIdentifier: String? {
        get { details.contactIdentifier }
        set { values.withLock { $0.contactIdentifier = newValue } }
    }

    /// Whether the call has video; false by default.
    nonisolated public var isVideo: Bool {
        get { details.isVideo }
        set { values.withLock { $0.isVideo = newValue } }
    }

    /// Reports that the app has started the call. The date has no effect.
    nonisolated public func fulfill(withDateStarted dateStarted: Date) { fulfill() }

    override func perform(by delegate: any CXProviderDelegate, of provider: CXProvider) {
        delegate.provider(provider, perform: self)
    }

    nonisolated override var request: CallRequest {
        let details = details
        return .start(callUUID.callID, CallUpdate(caller: details.handle.value, hasVideo: details.isVideo))
    }
}
