import AppCore
public import Foundation
import LifeCycleModel
import RoostKit

/// An app's access to VoIP pushes.
///
/// Make the registry in each launch and keep it. Set the delegate before `desiredPushTypes`. A push launches an app
/// that is not running, and waits 30 s for its registry. If an app has several registries, the one that has asked last
/// receives the pushes.
///
/// The registry and its delegate belong to the main thread.
@preconcurrency @MainActor open class PKPushRegistry: NSObject {
    /// The object that receives the token and the pushes. Without it the app reports no call for a push, and is killed
    /// for that.
    open weak var delegate: (any PKPushRegistryDelegate)?

    /// The kinds of pushes that the registry receives. With `voIP` the app gets a token for them, soon. If no registry
    /// wants them any longer, the app has no token. The other kinds have no effect.
    open var desiredPushTypes: Set<PKPushType>? {
        didSet {
            let isWanted = desiredPushTypes?.contains(.voIP) ?? false
            app.changingPushes { [id] core, steps in core.setVoIPPushes(isWanted, by: id, into: &steps) }
        }
    }

    /// The number of the registry in the app's core.
    nonisolated let id: PushRegistryID
    nonisolated private let app: AppSession

    /// Creates a registry.
    ///
    /// - Parameter queue: No effect: the delegate's methods run on the main thread.
    public init(queue: DispatchQueue?) {
        let app = AppSession.current
        self.app = app
        id = app.changingPushes { core, _ in core.addPushRegistry() }
        super.init()
        PushCalls.of(app)?.add(self, id)
    }

    deinit { app.changingPushes { [id] core, _ in core.removePushRegistry(id) } }

    /// The token for pushes of a kind; nil if the registry has none yet.
    open func pushToken(for type: PKPushType) -> Data? {
        guard type == .voIP else { return nil }
        return app.readingVoIP { [id] core in core.voipToken(of: id) }.map { Data($0.bytes) }
    }

    // MARK: Calls

    func tell(_ token: DeviceToken) {
        guard let delegate else { return }
        delegate.pushRegistry(self, didUpdate: PKPushCredentials(token), for: .voIP)
    }

    /// Calls the delegate for a push. Returns false without a delegate.
    func tell(_ payload: String, completion: @escaping () -> Void) -> Bool {
        guard let delegate else { return false }
        delegate.pushRegistry(
            self, didReceiveIncomingPushWith: PKPushPayload(payload), for: .voIP, completion: completion)
        return true
    }
}
