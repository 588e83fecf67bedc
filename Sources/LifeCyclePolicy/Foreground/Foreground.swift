import LifeCycleModel

/// The foreground app and the active app; at most one app is active at a time.
///
/// An app that comes to the foreground waits until the app that leaves has returned from `willResignActive`. Waiting
/// apps are served in order.
struct Foreground: Hashable, Sendable, Codable {
    /// The app that the user wants to see; nil on the home screen.
    private(set) var app: AppID?
    /// The interruption of the foreground app; nil if there is none.
    var interruption: Interruption?
    /// The app that is active, or has been granted activation.
    private var holder: AppID?
    /// The apps that wait for activation, in the order in which they asked.
    private var waiting: [AppID] = []
    /// The apps that may have been active before a restart of the system and have not connected again. Each app may
    /// still take itself for active. Sorted.
    private var recovering: [AppID] = []

    private enum CodingKeys: String, CodingKey {
        /// The key in the journal.
        case app = "front"
        case interruption, holder, waiting, recovering
    }

    /// Brings `app` to the foreground, or the home screen if it is nil. Returns the app that has to leave.
    mutating func bring(_ app: AppID?) -> AppID? {
        let previous = self.app
        self.app = app
        return previous == app ? nil : previous
    }

    /// `app` no longer runs, or left the foreground because it ended.
    mutating func left(_ app: AppID) {
        if self.app == app { self.app = nil }
    }

    /// Whether `app` may become active now; otherwise it is granted activation later.
    mutating func activationWanted(by app: AppID) -> Bool {
        if holder == app { return true }
        if holder == nil, recovering.isEmpty {
            holder = app
            return true
        }
        if !waiting.contains(app) { waiting.append(app) }
        return false
    }

    /// Whether `app` is active, or has been granted activation.
    func isActive(_ app: AppID) -> Bool { holder == app }

    /// `app` is no longer active and no longer waits. Returns the app that is granted activation instead.
    mutating func activationReleased(by app: AppID) -> AppID? {
        waiting.removeAll { $0 == app }
        if holder == app { holder = nil }
        return grantNext()
    }

    /// The device shuts down: no app is granted activation any longer.
    mutating func forgetWaiting() { waiting = [] }

    /// `app` may have been active before a restart of the system, and may still take itself for active.
    mutating func found(_ app: AppID) {
        let index = recovering.sortedIndex(of: app)
        if index == recovering.count || recovering[index] != app { recovering.insert(app, at: index) }
    }

    /// `app` has connected again, or is gone. Returns the app that is now granted activation.
    mutating func recoveryResolved(of app: AppID, isActive: Bool) -> AppID? {
        recovering.removeAll { $0 == app }
        if isActive, holder == nil { holder = app }
        return grantNext()
    }

    private mutating func grantNext() -> AppID? {
        guard holder == nil, recovering.isEmpty, !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        holder = next
        return next
    }
}
