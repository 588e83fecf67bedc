package import AppCore
import Foundation

/// The location managers of an app: RoostCoreLocation's objects, which call their delegates.
package protocol LocationListener: AnyObject, Sendable {
    /// Makes the calls that `AppSession.nextLocationDelivery()` returns.
    @MainActor func deliver(from session: AppSession)
}

/// The link between an app and its location managers. Any thread, unless stated otherwise.
///
/// The core decides which manager receives what. In an app without managers, the core keeps an event of significant
/// changes and drops all other calls.
extension AppSession {
    /// The app's location managers, which are made on the first use.
    package func locationListener(_ make: () -> any LocationListener) -> any LocationListener {
        transferring { state, _ in
            if let listener = state.locationListener { return listener }
            let listener = make()
            state.locationListener = listener
            return listener
        }
    }

    /// The app has ended: its delegates are not called any more.
    func forgetLocationListener() { transferring { state, _ in state.locationListener = nil } }

    /// A value about the location, read from the core.
    package func readingLocation<Value: Sendable>(_ read: (AppCore) -> Value) -> Value { reading(read) }

    /// A change of the core because of a location manager. The requests are sent, and the managers make their calls
    /// soon after, on the main thread.
    package func locating<Value: Sendable>(_ change: (inout AppCore, inout [Step]) -> Value) -> Value {
        defer { deliverLocationsLater() }
        return transferring { state, steps in change(&state.core, &steps) }
    }

    /// Takes the next call that a manager has to make; nil if there is none.
    package func nextLocationDelivery() -> LocationDelivery? {
        transferring { state, _ in state.core.nextLocationDelivery() }
    }

    /// Lets the managers make their calls now.
    @MainActor func deliverLocations() {
        let listener = transferring { state, _ in state.locationListener }
        listener?.deliver(from: self)
    }

    func deliverLocationsLater() { onMainThread(isLater: true) { [self] in deliverLocations() } }

    /// Runs work of the current app on the main thread: now if this is that thread, otherwise soon.
    package func onMainThread(isLater: Bool = false, _ work: @escaping @MainActor @Sendable () -> Void) {
        if !isLater, Thread.isMainThread { return MainActor.assumeIsolated { work() } }
        let app = CurrentApp.here
        DispatchQueue.main.async { MainActor.assumeIsolated { CurrentApp.$here.withValue(app) { work() } } }
    }
}

extension AppRunner {
    /// The keys in the running app's property list.
    package static var keys: Set<String> { Set((current?.info ?? [:]).keys) }
    /// The same for live updates.
    package static var locationKeys: LocationKeys {
        LocationKeys(all: keys, requiresSession: current?.info[LocationKeys.explicitSession] as? Bool ?? false)
    }
    /// The running app's `UIBackgroundModes`. Any thread.
    nonisolated package static var backgroundModes: [String] {
        CurrentApp.runner?.hostedModes ?? Bundle.main.infoDictionary?[modesKey] as? [String] ?? []
    }

    nonisolated static let modesKey = "UIBackgroundModes"
}
