import LifeCycleModel

/// A line that the page shows after an act.
struct PlayLine: Hashable, Sendable {
    /// The source of a line: the app, the system or the page.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A call to a delegate's method or to an expiration handler.
        case call
        /// A posted notification.
        case post
        /// A change of the app's state.
        case state
        /// A decision of the system.
        case why
        /// An action of the app's code.
        case app
        /// Time that has passed.
        case time
        /// The reason why the act is impossible now.
        case no
        /// A line about the other app.
        case other
    }

    let kind: Kind
    let text: Phrase
    /// The row of the rule book; nil if there is none.
    var rule: String?
    /// The state of the app from now on; nil for no change.
    var state: AppState?
}

/// The facts about the world that the page shows.
struct PlayFacts: Hashable, Sendable {
    /// The open task, if any.
    enum Task: Int, Hashable, Sendable { case none, withHandler, withoutHandler }

    /// The status of the app's only local notification.
    enum Notification: Int, Hashable, Sendable { case none, scheduled, shown }

    let state: AppState
    /// The foreground app: 1 for this app, 2 for the other; 0 for the home screen.
    let front: Int
    let isLocked: Bool
    let isInterrupted: Bool
    let task: Task
    let notification: Notification
    let isForceQuit: Bool
    let isPrewarmed: Bool
    /// Whether a silent push is held until it may wake the app.
    let isPushHeld: Bool
    /// The remaining background time; nil if no time is counted.
    let timeLeft: Nanoseconds?
    /// The brain's next deadline, with the time until then; nil if there is none.
    let next: Phrase?
}
