package import AppCore

/// The link between an app and its location managers. Any thread.
extension AppSession {
    /// A value about the location, read from the core.
    package func readingLocation<Value: Sendable>(_ read: (AppCore) -> Value) -> Value { reading(read) }

    /// A change of the core because of a location manager. The requests are sent, and the managers make their calls
    /// soon after, on the main thread.
    package func locating<Value: Sendable>(_ change: (inout AppCore, inout [Step]) -> Value) -> Value {
        changing(for: .location) { core, _, steps in change(&core, &steps) }
    }
}

extension AppRunner {
    /// The keys of the running app's property list that live updates read.
    package static var locationKeys: LocationKeys {
        LocationKeys(all: keys, requiresSession: current?.info[LocationKeys.explicitSession] as? Bool ?? false)
    }
}
