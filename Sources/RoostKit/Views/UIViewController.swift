/// A controller that manages a view hierarchy. Nothing is drawn. The appearance methods are called at the same moments
/// as in UIKit, and the controller stores what it presents.
///
/// Entering and leaving the background does not call appearance methods. Only the application's and the scene's life
/// cycle report it.
@preconcurrency @MainActor open class UIViewController: UIResponder {
    /// Creates a controller. Roost has no nibs: both values are only stored.
    public init(nibName: String?, bundle: Bundle?) {
        self.nibName = nibName
        nibBundle = bundle
        super.init()
    }

    /// Creates a controller. Reads nothing, because Roost has no archived controllers.
    public required init?(coder: NSCoder) {
        nibName = nil
        nibBundle = nil
        super.init()
    }

    /// Creates a controller.
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// The name passed to the initializer. No nib is loaded.
    public let nibName: String?

    /// The bundle passed to the initializer.
    public let nibBundle: Bundle?

    /// The title; stored without effect.
    open var title: String?

    /// The presentation style; stored without effect.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    // MARK: The view

    private var loadedView: UIView?

    /// The view, loaded on first access.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            newValue?.controller = self
        }
    }

    /// The view; nil if it is not loaded.
    open var viewIfLoaded: UIView? { loadedView }

    /// False until `view` is first used.
    open var isViewLoaded: Bool { loadedView != nil }

    /// Calls `loadView()` and `viewDidLoad()`, but at most once.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        precondition(loadedView != nil, "loadView() of \(type(of: self)) sets no view")
        viewDidLoad()
    }

    /// Creates the view: an empty view of the screen's size by default. A subclass may set another view.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    /// Called once, after `loadView()`. Does nothing by default.
    open func viewDidLoad() {}

    // MARK: Appearance

    /// The view is about to appear.
    open func viewWillAppear(_ animated: Bool) {}

    /// The view is in the hierarchy and about to be laid out.
    open func viewIsAppearing(_ animated: Bool) {}

    /// Called after the layout of the view. Does nothing by default.
    open func viewDidAppear(_ animated: Bool) {}

    /// The view is about to disappear.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Called once every controller that disappears has received `viewWillDisappear(_:)`. Does nothing by default.
    open func viewDidDisappear(_ animated: Bool) {}

    /// The view is about to lay out its subviews.
    open func viewWillLayoutSubviews() {}

    /// The view has laid out its subviews.
    open func viewDidLayoutSubviews() {}

    private var isShown = false

    /// Calls the appearance methods of this controller and its children.
    func appear(animated: Bool) {
        guard !isShown else { return }
        isShown = true
        loadViewIfNeeded()
        let family = family
        for member in family { member.viewWillAppear(animated) }
        for member in family { member.viewIsAppearing(animated) }
        view.layoutIfNeeded()
        for member in family {
            member.isShown = true
            member.viewDidAppear(animated)
        }
    }

    /// Calls the disappearance methods of this controller and its children.
    func disappear(animated: Bool) {
        guard isShown else { return }
        let family = family
        for member in family { member.viewWillDisappear(animated) }
        for member in family {
            member.isShown = false
            member.viewDidDisappear(animated)
        }
    }

    /// This controller, and the children whose views are in its own view.
    private var family: [UIViewController] {
        guard let own = viewIfLoaded else { return [self] }
        let inside = children.filter { $0.viewIfLoaded?.isDescendant(of: own) == true }
        return [self] + inside.flatMap(\.family)
    }

    // MARK: Presentation

    /// The presented controller; nil if there is none.
    public private(set) var presentedViewController: UIViewController?

    /// The presenting controller; nil if there is none.
    public private(set) weak var presentingViewController: UIViewController?

    /// Presents another controller and loads its view. If this controller is visible, the presented controller appears
    /// at once. A controller presents one controller at a time; a second attempt is logged. `completion` runs before
    /// this returns.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil, viewControllerToPresent.presentingViewController == nil else {
            return AppLog.write(
                "Attempt to present \(viewControllerToPresent) on \(self) whose presentation is in progress or which "
                    + "is already presenting.")
        }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        viewControllerToPresent.loadViewIfNeeded()
        if isShown { viewControllerToPresent.appear(animated: flag) }
        completion?()
    }

    /// Dismisses the presented controller. If it presents no controller, the presenting controller dismisses this
    /// controller.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            if let presentingViewController {
                presentingViewController.dismiss(animated: flag, completion: completion)
            } else {
                completion?()
            }
            return
        }
        if presented.presentedViewController != nil { presented.dismiss(animated: false) }
        presentedViewController = nil
        presented.presentingViewController = nil
        presented.disappear(animated: flag)
        completion?()
    }

    // MARK: Children

    /// The child controllers.
    public private(set) var children: [UIViewController] = []

    /// The parent controller; nil if there is none.
    public private(set) weak var parent: UIViewController?

    /// Adds a child controller. The app must add its view to the hierarchy.
    open func addChild(_ childController: UIViewController) {
        if childController.parent != nil { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    /// Does not remove the controller's view from the hierarchy.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// The controller is about to move to another parent, or to none.
    open func willMove(toParent parent: UIViewController?) {}

    /// The controller has moved to another parent, or to none. The app calls this after `addChild(_:)`.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Events

    /// The superview of its view or, without one, the presenting controller.
    open override var next: UIResponder? { viewIfLoaded?.superview ?? presentingViewController }

    override var responderWindow: UIWindow? { viewIfLoaded?.window }

    /// Memory is low: release everything that can be recreated (T14).
    open func didReceiveMemoryWarning() {}

    /// This controller, its children and the presented controller, recursively.
    var everyone: [UIViewController] {
        [self] + children.flatMap(\.everyone) + (presentedViewController?.everyone ?? [])
    }
}

/// The style of a modal presentation; stored without effect.
public enum UIModalPresentationStyle: Int, Sendable {
    /// Covers the whole screen.
    case fullScreen = 0
    /// A sheet with the width of a page.
    case pageSheet = 1
    /// A centered sheet.
    case formSheet = 2
    /// Covers the presenting controller.
    case currentContext = 3
    /// A custom presentation.
    case custom = 4
    /// Covers the screen; the content below stays visible.
    case overFullScreen = 5
    /// Covers the presenting controller, which stays visible.
    case overCurrentContext = 6
    case popover = 7
    /// No presentation.
    case none = -1
    /// The system's choice.
    case automatic = -2
}
