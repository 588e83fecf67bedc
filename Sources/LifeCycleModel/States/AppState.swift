/// The five states of the life cycle. An app is in exactly one of them at any time.
public enum AppState: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no process.
    case notRunning
    /// In the foreground, without events: during a transition, or during an interruption.
    case inactive
    /// In the foreground, receiving events.
    case active
    /// The app's code runs, with no visible interface.
    case background
    /// In memory, running no code. The app is not notified of the suspension.
    case suspended

    /// Whether the state is one of the two foreground states.
    public var isForeground: Bool {
        switch self {
        case .inactive, .active: true
        case .notRunning, .background, .suspended: false
        }
    }

    /// The next state on the way to `target`. A way between active and background always includes inactive, and
    /// a suspended app has to run before it is in any other state.
    public func next(toward target: AppState) -> AppState {
        switch (self, target) {
        case (_, .notRunning): .notRunning
        case (.suspended, .active), (.suspended, .inactive): .background
        case (.background, .active), (.active, .background), (.active, .suspended): .inactive
        case (.inactive, .suspended): .background
        case (.notRunning, .active): .inactive
        case (.notRunning, .suspended): .background
        case (_, .inactive), (_, .active), (_, .background), (_, .suspended): target
        }
    }

    /// The state in the words of Apple's guide.
    public var name: String {
        switch self {
        case .notRunning: "not running"
        case .inactive: "inactive"
        case .active: "active"
        case .background: "background"
        case .suspended: "suspended"
        }
    }
}

/// The progress of a launch, by the callbacks that it has *finished*. A phase is finer than `AppState`, because the
/// next callback of an inactive app depends on its direction, up or down.
public enum AppPhase: String, Hashable, Sendable, Codable, CaseIterable {
    /// The process runs; `didFinishLaunching` has not returned.
    case starting
    /// Inactive, after a launch or `willEnterForeground`: `didBecomeActive` always follows.
    case rising
    /// Receives the user's input: `didBecomeActive` has returned.
    case active
    /// Inactive, after `willResignActive`: the app may become active again or enter the background.
    case falling
    /// Not visible: `didEnterBackground` has returned, or the app was launched into the background.
    case background
}
