/// A window: it draws nothing, contains views and receives events.
///
/// A window appears when the launch is over and the app is active, not before. Its root view controller's
/// appearance methods are called then. As in UIKit, the app must retain the window: RoostKit does not.
@preconcurrency @MainActor open class UIWindow: UIView {
    /// Creates a hidden window.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    /// Creates a hidden window in a scene, with the screen's size.
    public init(windowScene: UIWindowScene) {
        super.init(frame: windowScene.screen.bounds)
        self.windowScene = windowScene
        setUp()
    }

    /// Creates a hidden window of zero size. Reads nothing, because Roost has no archived views.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        super.isHidden = true
        WindowList.shared.add(self)
    }

    /// The scene of the window; nil in an app without scenes.
    open weak var windowScene: UIWindowScene?

    /// The device's only screen.
    open var screen: UIScreen { .main }

    /// The stacking level among the app's windows.
    open var windowLevel = Level.normal

    /// The window itself.
    open override var window: UIWindow? { self }

    /// The window's scene or, without one, the application.
    open override var next: UIResponder? { windowScene ?? UIApplication.instance }

    /// The responder that receives typed text while this is the key window.
    weak var firstResponder: UIResponder?

    // MARK: Contents

    /// The controller of the window's content. Its view is loaded when the window is shown.
    open var rootViewController: UIViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.disappear(animated: false)
            oldValue?.viewIfLoaded?.removeFromSuperview()
            shownController = nil
            loadContents()
            showIfDue()
        }
    }

    /// Whether the window is hidden; true until the app shows it.
    open override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
            let name = isHidden ? Self.didBecomeHiddenNotification : Self.didBecomeVisibleNotification
            if isHidden {
                if isKeyWindow { WindowList.shared.key = nil }
                shownController?.disappear(animated: false)
                shownController = nil
            }
            NotificationCenter.default.post(name: name, object: self)
            loadContents()
            showIfDue()
        }
    }

    /// The controller whose appearance methods were called.
    private weak var shownController: UIViewController?

    private func loadContents() {
        guard !isHidden, let controller = rootViewController, let view = controller.view else { return }
        guard view.superview !== self else { return }
        view.frame = bounds
        insertSubview(view, at: 0)
    }

    /// Shows the content if the window is visible and the app has been active.
    func showIfDue() {
        guard !isHidden, WindowList.shared.isOpen(for: self), let controller = rootViewController else { return }
        guard shownController !== controller else { return }
        shownController = controller
        controller.appear(animated: false)
    }

    // MARK: The key window

    /// Whether this window is the key window, which receives typed text.
    public var isKeyWindow: Bool { WindowList.shared.key === self }

    /// Whether this window may become the key window.
    open var canBecomeKey: Bool { true }

    /// Makes this window the key window.
    open func makeKey() {
        guard canBecomeKey, !isKeyWindow else { return }
        WindowList.shared.key = self
    }

    /// Shows the window and makes it the key window.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    /// The window has become the key window. Apps do not call this.
    open func becomeKey() {}

    /// The window is no longer the key window. Apps do not call this.
    open func resignKey() {}

    // MARK: Events

    /// Delivers an event: touches to their view, presses to the first responder or, without one, to the window.
    open func sendEvent(_ event: UIEvent) {
        if let presses = event as? UIPressesEvent {
            EventDelivery.deliver(presses, to: firstResponder ?? self)
        } else {
            EventDelivery.deliver(event, in: self)
        }
    }
}

extension UIWindow {
    /// The stacking level of a window.
    public struct Level: RawRepresentable, Hashable, Comparable, Sendable {
        /// The level as a number. A greater level is farther to the front.
        public let rawValue: CGFloat

        /// Creates a level from a number.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// Creates a level from a number.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// The level of an app's normal windows.
        public static let normal = Self(0)
        /// The level above the status bar.
        public static let statusBar = Self(1000)
        /// The level above all others.
        public static let alert = Self(2000)

        /// Whether `a` is behind `b`.
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Posted when a window was shown. As for all four notifications, the object is the window.
    nonisolated public static let didBecomeVisibleNotification = Notification.Name(
        "UIWindowDidBecomeVisibleNotification")
    /// Posted when a window was hidden.
    nonisolated public static let didBecomeHiddenNotification = Notification.Name("UIWindowDidBecomeHiddenNotification")
    /// Posted when a window has become the key window.
    nonisolated public static let didBecomeKeyNotification = Notification.Name("UIWindowDidBecomeKeyNotification")
    /// Posted when a window is no longer the key window.
    nonisolated public static let didResignKeyNotification = Notification.Name("UIWindowDidResignKeyNotification")
}
