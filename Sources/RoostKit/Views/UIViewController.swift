/// Manages a view and what is in it. Nothing is drawn: a controller is told of its view's appearance at the instants
/// UIKit would tell it, and holds what it presents.
///
/// An app that goes to the background and comes back does not make views disappear and appear: that is told by the
/// application's and the scene's life cycle alone.
@preconcurrency @MainActor open class UIViewController: UIResponder {
    /// Creates a controller. No nibs exist here: the names are held.
    public init(nibName: String?, bundle: Bundle?) {
        self.nibName = nibName
        nibBundle = bundle
        super.init()
    }

    /// Creates a controller. No archives of controllers exist here: nothing is read.
    public required init?(coder: NSCoder) {
        nibName = nil
        nibBundle = nil
        super.init()
    }

    /// Creates a controller.
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// The name of the nib it was given, which is not loaded.
    public let nibName: String?

    /// The bundle it was given.
    public let nibBundle: Bundle?

    /// What it shows, in a word; held.
    open var title: String?

    /// How it is to be presented; held.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    // MARK: Its view

    private var loadedView: UIView?

    /// Its view, which is loaded when it is first asked for.
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

    /// Its view, if that is loaded.
    open var viewIfLoaded: UIView? { loadedView }

    /// Whether its view is loaded.
    open var isViewLoaded: Bool { loadedView != nil }

    /// Loads its view, if that has not been done.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        precondition(loadedView != nil, "loadView() of \(type(of: self)) sets no view")
        viewDidLoad()
    }

    /// Makes its view: an empty one of the screen's size, unless a subclass sets another.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    /// Its view is loaded.
    open func viewDidLoad() {}

    // MARK: Appearance

    /// Its view is about to be seen.
    open func viewWillAppear(_ animated: Bool) {}

    /// Its view is in place and about to be laid out.
    open func viewIsAppearing(_ animated: Bool) {}

    /// Its view is to be seen.
    open func viewDidAppear(_ animated: Bool) {}

    /// Its view is about to go.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Its view has gone.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Its view is about to lay out its subviews.
    open func viewWillLayoutSubviews() {}

    /// Its view has laid out its subviews.
    open func viewDidLayoutSubviews() {}

    private var isShown = false

    /// Tells it and its children that they are to be seen.
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

    /// Tells it and its children that they have gone.
    func disappear(animated: Bool) {
        guard isShown else { return }
        let family = family
        for member in family { member.viewWillDisappear(animated) }
        for member in family {
            member.isShown = false
            member.viewDidDisappear(animated)
        }
    }

    /// It and the children whose views are in its own.
    private var family: [UIViewController] {
        guard let own = viewIfLoaded else { return [self] }
        let inside = children.filter { $0.viewIfLoaded?.isDescendant(of: own) == true }
        return [self] + inside.flatMap(\.family)
    }

    // MARK: Presentation

    /// The controller it presents.
    public private(set) var presentedViewController: UIViewController?

    /// The controller that presents it.
    public private(set) weak var presentingViewController: UIViewController?

    /// Presents another controller: its view is loaded and it is told that it appears, at once, if this one is to be
    /// seen. A controller presents one other at a time; a second is worth a line in the log.
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

    /// Dismisses what it presents or, if that is nothing, asks the one that presents it to dismiss it.
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

    /// The controllers in it.
    public private(set) var children: [UIViewController] = []

    /// The controller it is in.
    public private(set) weak var parent: UIViewController?

    /// Takes a controller in. Its view is put into place by the app.
    open func addChild(_ childController: UIViewController) {
        if childController.parent != nil { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    /// Leaves the controller it is in.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// It is about to be in another controller, or none.
    open func willMove(toParent parent: UIViewController?) {}

    /// It is in another controller, or none; called by the app after `addChild(_:)`.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Events

    /// The view its own is in; where that is none, the controller that presents it.
    open override var next: UIResponder? { viewIfLoaded?.superview ?? presentingViewController }

    override var responderWindow: UIWindow? { viewIfLoaded?.window }

    /// Memory is short: drop what can be made anew (T14).
    open func didReceiveMemoryWarning() {}

    /// It, all it holds and all it presents.
    var everyone: [UIViewController] {
        [self] + children.flatMap(\.everyone) + (presentedViewController?.everyone ?? [])
    }
}

/// How a controller is to be presented; held, nothing more.
public enum UIModalPresentationStyle: Int, Sendable {
    /// Over all.
    case fullScreen = 0
    /// A sheet as wide as a page.
    case pageSheet = 1
    /// A sheet in the middle.
    case formSheet = 2
    /// In the presenting controller's place.
    case currentContext = 3
    /// As the presenting controller sees to it.
    case custom = 4
    /// Over all, which remains to be seen.
    case overFullScreen = 5
    /// In the presenting controller's place, which remains to be seen.
    case overCurrentContext = 6
    /// In a bubble.
    case popover = 7
    /// No presentation.
    case none = -1
    /// As the system chooses.
    case automatic = -2
}
