import LifeCycleModel

/// One line of what the page shows after an act.
struct PlayLine: Hashable, Sendable {
    /// What kind of thing it is.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A method of a delegate's, or an expiration handler, was called.
        case call
        /// A notification was posted.
        case post
        /// The app is in another state.
        case state
        /// The system decided something.
        case why
        /// The app's code did something.
        case app
        /// So much time went by.
        case time
        /// The act is impossible now, and why.
        case no
        /// Of the other app.
        case other
    }

    let kind: Kind
    let text: Phrase
    /// The row of the rule book it goes by.
    var rule: String?
    /// The state the app is in from here on.
    var state: AppState?
}

/// What the page shows of a state beside the five.
struct PlayFacts: Hashable, Sendable {
    /// What is open.
    enum Task: Int, Hashable, Sendable { case none, withHandler, withoutHandler }

    /// What has become of the app's one local notification.
    enum Notification: Int, Hashable, Sendable { case none, scheduled, shown }

    let state: AppState
    /// The app in front: 1 this one, 2 the other; 0 for the home screen.
    let front: Int
    let isLocked: Bool
    let isInterrupted: Bool
    let task: Task
    let notification: Notification
    let isForceQuit: Bool
    let isPrewarmed: Bool
    /// Whether a silent push waits for when it may wake the app.
    let isPushHeld: Bool
    /// How much background time is left.
    let timeLeft: Nanoseconds?
    /// How long until the brain's next deadline, and what it is for.
    let next: Phrase?
}
