import AppCore
import LifeCycleModel

/// The app's single application object. It holds the app's state, dispatches events and grants background tasks.
///
/// Roost's system decides what happens to the app. This object receives those decisions, calls the delegates and posts
/// the notifications, on the main thread and in Apple's order (section 1.2).
@preconcurrency @MainActor open class UIApplication: UIResponder {
    /// The states that an app can observe. A suspended app runs no code that could ask.
    public enum State: Int, Sendable {
        /// In the foreground, receiving events.
        case active = 0
        /// In the foreground, not receiving events.
        case inactive = 1
        /// Not visible. The system suspends the app soon, unless something keeps it running.
        case background = 2
    }

    /// The application object; nil before the launch.
    static var instance: UIApplication? { AppRunner.current?.application }

    nonisolated let session: AppSession

    /// Whether the push being delivered also goes to the delegate's older method, without a completion handler.
    var isPushForOlderMethod = false

    /// The host of the app's scenes; nil before the launch.
    var sceneHost: SceneHost?

    /// The handler of `setKeepAliveTimeout(_:handler:)`; nil if there is none.
    var keepAliveHandler: (() -> Void)?

    /// Called once, by `UIApplicationMain`. Apps use `shared`.
    public override init() {
        session = AppSession.current
        super.init()
    }

    /// The application object. A precondition fails before `UIApplicationMain` (R-01, K004).
    public class var shared: UIApplication {
        guard let instance else {
            preconditionFailure("UIApplication.shared does not exist before UIApplicationMain is called")
        }
        return instance
    }

    /// The delegate, which receives the life-cycle callbacks.
    open weak var delegate: (any UIApplicationDelegate)?

    /// The current state, also within a callback (section 1.2, 7).
    open var applicationState: State {
        switch session.applicationState {
        case .active: .active
        case .inactive: .inactive
        case .background, .suspended, .notRunning: .background
        }
    }

    /// The delegate if it is a responder, otherwise nil.
    open override var next: UIResponder? { delegate as? UIResponder }

    /// Dispatches an event to its window; called for each event while the app is active.
    ///
    /// Without a window, the application may handle the event, then its delegate. To see every event, override this
    /// method in a subclass named by `NSPrincipalClass`.
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
