package import AppCore
import LifeCycleModel

/// The link between an app and its push registries, call providers, call controllers and observers. Any thread.
extension AppSession {
    /// A value about pushes and calls, read from the core.
    package func readingVoIP<Value: Sendable>(_ read: (AppCore) -> Value) -> Value { reading(read) }

    /// A change of the core because of a push registry.
    package func changingPushes<Value: Sendable>(_ change: (inout AppCore, inout [Step]) -> Value) -> Value {
        changing(for: .pushes) { core, _, steps in change(&core, &steps) }
    }

    /// A change of the core because of a call provider, a call controller or an observer.
    package func changingCalls<Value: Sendable>(_ change: (inout AppCore, inout [Step]) -> Value) -> Value {
        changing(for: .calls) { core, _, steps in change(&core, &steps) }
    }
}

extension ListeningConcern {
    /// The objects that make this call.
    init(_ call: VoIPCall) {
        switch call {
        case .tokenUpdated, .push: self = .pushes
        case .perform, .timedOut, .audio: self = .calls
        }
    }
}
