import AppCore
import LifeCycleModel

/// The app's one application object: says which state it is in, and grants finite-length tasks.
///
/// Roost's system decides what happens to the app; this object hears of it, calls the delegate and posts the
/// notifications, each on the main thread, in Apple's order (section 1.2).
@preconcurrency @MainActor open class UIApplication: UIResponder {
    /// The states an app can tell itself to be in. Suspended, it runs no code that could ask.
    public enum State: Int, Sendable {
        /// In the foreground, receiving events.
        case active = 0
        /// In the foreground, not receiving events.
        case inactive = 1
        /// In the background.
        case background = 2
    }

    static var instance: UIApplication?

    nonisolated let session: AppSession

    /// Called by `UIApplicationMain`, once; apps use `shared`.
    public required init() {
        session = AppSession.shared
        super.init()
    }

    /// The application object. There is none before `UIApplicationMain` is called (R-01, K004).
    public class var shared: UIApplication {
        guard let instance else {
            preconditionFailure("UIApplication.shared is not there before UIApplicationMain is called")
        }
        return instance
    }

    /// Hears of the transitions.
    open weak var delegate: (any UIApplicationDelegate)?

    /// The state at this instant, also within a callback (section 1.2, 7).
    open var applicationState: State {
        switch session.applicationState {
        case .active: .active
        case .inactive: .inactive
        case .background, .suspended, .notRunning: .background
        }
    }
}
