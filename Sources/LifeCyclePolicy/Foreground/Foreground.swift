import LifeCycleModel

/// Who is in front, and who may be active: at most one app at a time. An app that comes to the front waits for the
/// one that leaves to have heard `willResignActive`; who waits is served in order.
struct Foreground: Hashable, Sendable, Codable {
    /// The app the user wants to see; nil on the home screen.
    private(set) var front: AppID?
    /// What interrupts the app in front.
    var interruption: Interruption?
    /// The app that is active, or was granted to become so.
    private var holder: AppID?
    /// Those that want to be active, in the order they asked.
    private var waiting: [AppID] = []
    /// Active before the system's restart, or about to be, and not heard from yet: each may still think itself so.
    /// Sorted.
    private var unheard: [AppID] = []

    /// Puts `app` in front, or nobody; gives the app that was there and has to leave.
    mutating func bring(_ app: AppID?) -> AppID? {
        let previous = front
        front = app
        return previous == app ? nil : previous
    }

    /// `app` is not running any more, or not in front by its own end.
    mutating func left(_ app: AppID) {
        if front == app { front = nil }
    }

    /// Whether `app` may become active right now; where not, it is granted later.
    mutating func activationWanted(by app: AppID) -> Bool {
        if holder == app { return true }
        if holder == nil, unheard.isEmpty {
            holder = app
            return true
        }
        if !waiting.contains(app) { waiting.append(app) }
        return false
    }

    /// Whether `app` is the one that is active, or was granted to become so.
    func isActive(_ app: AppID) -> Bool { holder == app }

    /// `app` is active no more, and wants to be no more; gives who is granted instead.
    mutating func activationReleased(by app: AppID) -> AppID? {
        waiting.removeAll { $0 == app }
        if holder == app { holder = nil }
        return grantNext()
    }

    /// The device is shut down: nobody is granted any more.
    mutating func forgetWaiting() { waiting = [] }

    /// `app` was active when the system's restart came, or about to be, and may still think itself so.
    mutating func found(_ app: AppID) {
        let index = unheard.sortedIndex(of: app)
        if index == unheard.count || unheard[index] != app { unheard.insert(app, at: index) }
    }

    /// `app` was heard from again, or is gone; gives who is granted, now that one fewer may be active.
    mutating func heard(from app: AppID, isActive: Bool) -> AppID? {
        unheard.removeAll { $0 == app }
        if isActive, holder == nil { holder = app }
        return grantNext()
    }

    private mutating func grantNext() -> AppID? {
        guard holder == nil, unheard.isEmpty, !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        holder = next
        return next
    }
}
