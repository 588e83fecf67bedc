/// A window: it draws nothing, and it is where events come in and where an app's views are.
///
/// It is shown once the launch is over and the app is active, not before: then its root view controller's
/// appearance methods are called. Whoever makes a window keeps it, as in UIKit; nothing else does.
@preconcurrency @MainActor open class UIWindow: UIView {
    /// Creates a hidden window.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    /// Creates a hidden window of the screen's size, in a scene.
    public init(windowScene: UIWindowScene) {
        super.init(frame: windowScene.screen.bounds)
        self.windowScene = windowScene
        setUp()
    }

    /// Creates a hidden window without a size. No archives of views exist here: nothing is read.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        super.isHidden = true
        WindowList.shared.add(self)
    }

    /// The scene it is in; nil in an app that uses no scenes.
    open weak var windowScene: UIWindowScene?

    /// The screen.
    open var screen: UIScreen { .main }

    /// Which windows are in front of others.
    open var windowLevel = Level.normal

    /// Itself.
    open override var window: UIWindow? { self }

    /// Its scene, else the application.
    open override var next: UIResponder? { windowScene ?? UIApplication.instance }

    /// The responder that gets what is typed while this is the key window.
    weak var firstResponder: UIResponder?

    // MARK: Its contents

    /// The controller of what fills the window. Its view is loaded when the window is to be seen.
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

    /// Whether it is not to be seen, which it is not until the app says so.
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

    /// Whose appearance methods were called.
    private weak var shownController: UIViewController?

    private func loadContents() {
        guard !isHidden, let controller = rootViewController, let view = controller.view else { return }
        guard view.superview !== self else { return }
        view.frame = bounds
        insertSubview(view, at: 0)
    }

    /// Shows its contents, if the window is to be seen and the app has come so far.
    func showIfDue() {
        guard !isHidden, WindowList.shared.isOpen(for: self), let controller = rootViewController else { return }
        guard shownController !== controller else { return }
        shownController = controller
        controller.appear(animated: false)
    }

    // MARK: The key window

    /// Whether it is the window that gets what is typed.
    public var isKeyWindow: Bool { WindowList.shared.key === self }

    /// Whether it may be that.
    open var canBecomeKey: Bool { true }

    /// Makes it the window that gets what is typed.
    open func makeKey() {
        guard canBecomeKey, !isKeyWindow else { return }
        WindowList.shared.key = self
    }

    /// Shows it and makes it the key window.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    /// It has become the key window; not to be called.
    open func becomeKey() {}

    /// It is the key window no more; not to be called.
    open func resignKey() {}

    // MARK: Events

    /// Brings an event to whom it is for: touches to their view, presses to the first responder or, without one, to
    /// the window.
    open func sendEvent(_ event: UIEvent) {
        if let presses = event as? UIPressesEvent {
            EventDelivery.deliver(presses, to: firstResponder ?? self)
        } else {
            EventDelivery.deliver(event, in: self)
        }
    }
}

extension UIWindow {
    /// Which windows are in front of others.
    public struct Level: RawRepresentable, Hashable, Comparable, Sendable {
        /// The level: the greater the further in front.
        public let rawValue: CGFloat

        /// Wraps a number.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// Wraps a number.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// Where an app's windows are.
        public static let normal = Self(0)
        /// Above the status bar.
        public static let statusBar = Self(1000)
        /// In front of all others.
        public static let alert = Self(2000)

        /// Whether one is behind another.
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// A window is to be seen; the notification's object is the window, as of all four.
    nonisolated public static let didBecomeVisibleNotification = Notification.Name(
        "UIWindowDidBecomeVisibleNotification")
    /// A window is not to be seen any more.
    nonisolated public static let didBecomeHiddenNotification = Notification.Name("UIWindowDidBecomeHiddenNotification")
    /// A window has become the key window.
    nonisolated public static let didBecomeKeyNotification = Notification.Name("UIWindowDidBecomeKeyNotification")
    /// A window is the key window no more.
    nonisolated public static let didResignKeyNotification = Notification.Name("UIWindowDidResignKeyNotification")
}
