import AppCore
import LifeCycleModel
import RoostKit
import Synchronization

/// The push registries of an app.
final class PushCalls: ConcernListener {
    private struct Entry {
        weak var registry: PKPushRegistry?
    }

    private let entries = Mutex<[PushRegistryID: Entry]>([:])  // ordered: looked up only

    static func of(_ app: AppSession) -> PushCalls? { app.listener(of: .pushes) { PushCalls() } as? PushCalls }

    /// The registry is not kept alive. Any thread.
    func add(_ registry: PKPushRegistry, _ id: PushRegistryID) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.registry != nil }
            entries[id] = Entry(registry: registry)
        }
    }

    func deliver(from app: AppSession) {
        // A delegate may cause further calls, which come later: other code of the app runs in between.
        for _ in 0..<app.readingVoIP(\.pushDeliveryCount) {
            guard let delivery = app.nextDelivery({ $0.nextPushDelivery() }) else { return }
            switch delivery {
            case .token(let token, let id): registry(id)?.tell(token)
            case .push(let push, let payload, let id): deliver(push, payload, to: id.flatMap(registry), of: app)
            }
        }
    }

    @MainActor private func deliver(
        _ push: VoIPPushID, _ payload: String, to registry: PKPushRegistry?, of app: AppSession
    ) {
        let completion: @Sendable () -> Void = {
            // The system may suspend the app now.
            app.keepBeforeSuspension()
            app.changingPushes { core, steps in core.completedVoIPPush(push, into: &steps) }
        }
        if registry?.tell(payload, completion: completion) != true {
            app.log("A VoIP push finds no registry: make a PKPushRegistry with a delegate at each launch, and keep it.")
            completion()
        }
        app.changingPushes { core, steps in core.returnedFromVoIPPush(push, into: &steps) }
    }

    private func registry(_ id: PushRegistryID) -> PKPushRegistry? { entries.withLock { $0[id]?.registry } }
}
