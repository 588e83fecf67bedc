/// A rectangular area of a window. Roost draws nothing: a view only stores its appearance. It has a place in the view
/// hierarchy, receives events, and lays out its subviews in `layoutSubviews()`; there are no constraints.
@preconcurrency @MainActor open class UIView: UIResponder {
    /// Creates a view with a frame, in its superview's coordinates.
    public init(frame: CGRect) {
        bounds = CGRect(origin: .zero, size: frame.size)
        center = CGPoint(x: frame.midX, y: frame.midY)
        super.init()
    }

    /// Creates a view of zero size. Reads nothing, because Roost has no archived views.
    public required init?(coder: NSCoder) {
        bounds = .zero
        center = .zero
        super.init()
    }

    /// Creates a view of zero size.
    public convenience override init() { self.init(frame: .zero) }

    // MARK: Geometry

    /// The view's rectangle in its own coordinates, in points.
    open var bounds: CGRect {
        didSet { if bounds.size != oldValue.size { setNeedsLayout() } }
    }

    /// The center in the superview's coordinates, in points.
    open var center: CGPoint

    /// The view's rectangle in the superview's coordinates, in points.
    open var frame: CGRect {
        get {
            CGRect(
                x: center.x - bounds.width / 2, y: center.y - bounds.height / 2, width: bounds.width,
                height: bounds.height)
        }
        set {
            bounds.size = newValue.size
            center = CGPoint(x: newValue.midX, y: newValue.midY)
        }
    }

    /// The way its frame follows its superview's size; stored without effect.
    open var autoresizingMask: AutoresizingMask = []

    /// Whether its subviews follow its size; stored without effect.
    open var autoresizesSubviews = true

    // MARK: Appearance: values stored without drawing

    /// The background color; nil for none.
    open var backgroundColor: UIColor?

    /// The opacity, from 0 to 1. A view at 0.01 or below gets no touches.
    open var alpha: CGFloat = 1

    /// Whether the view hides the content behind it.
    open var isOpaque = true

    /// Whether the view is hidden. A hidden view gets no touches.
    open var isHidden = false

    /// Whether content outside of its bounds is clipped.
    open var clipsToBounds = false

    /// The color of its highlighted elements; nil for the superview's.
    open var tintColor: UIColor?

    /// The way its content fills its bounds.
    open var contentMode = ContentMode.scaleToFill

    /// A number that the app assigns to identify the view.
    open var tag = 0

    // MARK: Events

    /// Whether the view and its subviews get touches.
    open var isUserInteractionEnabled = true

    /// Whether the view gets more than the first of several simultaneous touches.
    open var isMultipleTouchEnabled = false

    /// The controller that manages this view; nil if there is none.
    weak var controller: UIViewController?

    /// The view's controller or, without one, its superview.
    open override var next: UIResponder? { controller ?? superview }

    override var responderWindow: UIWindow? { window }

    /// The frontmost, innermost view that a touch at `point` hits. Nil if the point is outside of the bounds, or if
    /// this view takes no touches.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard isUserInteractionEnabled, !isHidden, alpha > 0.01, self.point(inside: point, with: event) else {
            return nil
        }
        for subview in subviews.reversed() {
            if let hit = subview.hitTest(subview.convert(point, from: self), with: event) { return hit }
        }
        return self
    }

    /// Whether a point in the view's own coordinates is within its bounds.
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    // MARK: View hierarchy

    /// The superview; nil if there is none.
    public internal(set) weak var superview: UIView?

    /// The subviews, from back to front.
    public internal(set) var subviews: [UIView] = []

    /// The window that contains the view; nil if there is none.
    open var window: UIWindow? { superview?.window }

    /// Adds a view in front of the other subviews, and removes it from its previous superview.
    open func addSubview(_ view: UIView) { insert(view) { $0.endIndex } }

    /// Does nothing if the view has no superview.
    open func removeFromSuperview() {
        guard let superview else { return }
        move(to: nil) { superview.subviews.removeAll { $0 === self } }
        superview.setNeedsLayout()
    }

    /// The view is about to move to another superview, or to none.
    open func willMove(toSuperview newSuperview: UIView?) {}

    /// The view has moved to another superview, or to none.
    open func didMoveToSuperview() {}

    /// The view is about to move to another window, or to none.
    open func willMove(toWindow newWindow: UIWindow?) {}

    /// The view has moved to another window, or to none.
    open func didMoveToWindow() {}

    /// Called after a subview was added. Does nothing by default.
    open func didAddSubview(_ subview: UIView) {}

    /// A subview is about to be removed.
    open func willRemoveSubview(_ subview: UIView) {}

    // MARK: Layout

    private var needsLayout = true

    /// Marks the view for layout at the next `layoutIfNeeded()` of the view or an ancestor.
    open func setNeedsLayout() { needsLayout = true }

    /// Lays out this view and its descendants, if marked.
    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        for subview in subviews { subview.layoutIfNeeded() }
    }

    /// Positions the subviews. The default does nothing; subclasses override it.
    open func layoutSubviews() {}

    /// The preferred size within a given size, in points; by default the current size.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    /// Resizes the view to its preferred size.
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

    /// Requests drawing; does nothing.
    open func setNeedsDisplay() {}

    /// Draws the view in a subclass. Never called.
    open func draw(_ rect: CGRect) {}
}
