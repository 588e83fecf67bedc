import AppCore
import LifeCycleModel

/// The app's one application object: says which state it is in, brings events to where they belong, and grants
/// finite-length tasks.
///
/// Roost's system decides what happens to the app; this object hears of it, calls the delegates and posts the
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

    /// The application object; nil before the launch.
    static var instance: UIApplication? { AppRunner.current?.application }

    nonisolated let session: AppSession

    /// Whether the push that is being handed over is also one for the delegate's older method, without a completion handler.
    var isPushForOlderMethod = false

    /// The app's scenes, from the launch on.
    var sceneHost: SceneHost?

    /// Called by `UIApplicationMain`, once; apps use `shared`.
    public override init() {
        session = AppSession.current
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

    /// The delegate, if it is a responder.
    open override var next: UIResponder? { delegate as? UIResponder }

    /// The first to get each event, while the app is active: hands it to its window. Without a window it is
    /// the application itself, and then its delegate, that may handle it. A subclass, named by `NSPrincipalClass`,
    /// sees every event here.
    open func sendEvent(_ event: UIEvent) {
        if let presses = event as? UIPressesEvent {
            if let window = keyWindow { window.sendEvent(event) } else { EventDelivery.deliver(presses, to: self) }
            return
        }
        let touches = event.allTouches ?? []
        for window in Set(touches.compactMap(\.window)) { window.sendEvent(event) }
        if touches.contains(where: { $0.window == nil }) { EventDelivery.deliver(event, in: nil, fallback: self) }
    }
}
