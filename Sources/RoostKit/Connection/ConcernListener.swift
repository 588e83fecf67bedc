package import AppCore
import Foundation
package import LifeCycleModel

/// The objects of a framework, such as location managers, that make calls of a concern to the app's code.
package protocol ConcernListener: AnyObject, Sendable {
    /// Makes the calls that the core has for the objects.
    @MainActor func deliver(from session: AppSession)
    /// Does at once what the core's new state asks of the objects. Any thread.
    func follow(_ session: AppSession)
}

extension ConcernListener {
    package func follow(_ session: AppSession) {}
}

/// A concern, or a part of one, whose objects make its calls.
package enum ListeningConcern: Hashable, Sendable {
    case location
    case audio
    /// The push registries of VoIP.
    case pushes
    /// The call providers of VoIP.
    case calls
    /// The kept sockets.
    case sockets

    /// Nil for a message of another concern.
    init?(_ message: SystemMessage) {
        switch message {
        case .concern(.location): self = .location
        case .concern(.audio): self = .audio
        case .concern(.voip): self = .calls
        case .concern(.socket): self = .sockets
        default: return nil
        }
    }
}

/// The link between an app and the objects of its frameworks. Any thread, unless stated otherwise.
///
/// The core decides which object calls what. Without objects, the calls stay in the core or are dropped.
extension AppSession {
    /// The listener of a concern, which is made on the first use. `make` is called under the session's lock.
    package func listener(
        of concern: ListeningConcern, orMake make: () -> any ConcernListener
    ) -> any ConcernListener {
        transferring { state, _ in
            if let listener = state.concernListeners[concern] { return listener }
            let listener = make()
            state.concernListeners[concern] = listener
            return listener
        }
    }

    /// The app has ended: its code is not called any more.
    func forgetListeners() {
        // The objects are released without the lock: their code may need it.
        let listeners = transferring { state, _ in
            defer { state.concernListeners = [:] }
            return state.concernListeners
        }
        withExtendedLifetime(listeners) {}
    }

    /// A change of the core because of an object. The time is on CLOCK_MONOTONIC. The requests are sent, and the calls
    /// are made soon after, on the main thread.
    package func changing<Value: Sendable>(
        for concern: ListeningConcern,
        _ change: (_ core: inout AppCore, _ now: Nanoseconds, _ steps: inout [Step]) -> Value
    ) -> Value {
        defer {
            follow()
            deliverLater(for: concern)
        }
        let now = now
        return transferring { state, steps in change(&state.core, now, &steps) }
    }

    /// Lets the objects follow the core's new state.
    func follow() {
        let listeners = transferring { state, _ in Array(state.concernListeners.values) }
        for listener in listeners { listener.follow(self) }
    }

    /// Takes the next call that an object has to make; nil if there is none.
    package func nextDelivery<Delivery: Sendable>(_ take: (inout AppCore) -> Delivery?) -> Delivery? {
        transferring { state, _ in take(&state.core) }
    }

    /// Lets the objects of a concern make their calls now.
    @MainActor func deliver(for concern: ListeningConcern) {
        let listener = transferring { state, _ in state.concernListeners[concern] }
        listener?.deliver(from: self)
    }

    func deliverLater(for concern: ListeningConcern) { onMainThread(isLater: true) { [self] in deliver(for: concern) } }

    /// Runs work of the current app on the main thread: now if this is that thread, otherwise soon.
    package func onMainThread(isLater: Bool = false, _ work: @escaping @MainActor @Sendable () -> Void) {
        if !isLater, Thread.isMainThread { return MainActor.assumeIsolated { work() } }
        let app = CurrentApp.here
        DispatchQueue.main.async { MainActor.assumeIsolated { CurrentApp.$here.withValue(app) { work() } } }
    }
}

extension AppSession {
    /// Whether a test hosts the app in its own process.
    package var isHosted: Bool { link != nil }
}

extension AppRunner {
    /// The keys in the running app's property list.
    package static var keys: Set<String> { Set((current?.info ?? [:]).keys) }

    /// The running app's `UIBackgroundModes`. Any thread.
    nonisolated package static var backgroundModes: [String] {
        CurrentApp.runner?.hostedModes ?? Bundle.main.infoDictionary?[modesKey] as? [String] ?? []
    }

    nonisolated static let modesKey = "UIBackgroundModes"
}
