/// A rectangle of a window. Roost draws nothing: a view holds what it is given, has its place in the tree of views,
/// gets the events that fall on it, and lays its subviews out by `layoutSubviews()` alone.
@preconcurrency @MainActor open class UIView: UIResponder {
    /// Creates a view with a frame, in its superview's coordinates.
    public init(frame: CGRect) {
        bounds = CGRect(origin: .zero, size: frame.size)
        center = CGPoint(x: frame.midX, y: frame.midY)
        super.init()
    }

    /// Creates a view without a size. No archives of views exist here: nothing is read.
    public required init?(coder: NSCoder) {
        bounds = .zero
        center = .zero
        super.init()
    }

    /// Creates a view without a size.
    public convenience override init() { self.init(frame: .zero) }

    // MARK: Geometry

    /// Its rectangle in its own coordinates, in points.
    open var bounds: CGRect {
        didSet { if bounds.size != oldValue.size { setNeedsLayout() } }
    }

    /// Its middle in its superview's coordinates.
    open var center: CGPoint

    /// Its rectangle in its superview's coordinates.
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

    /// How its size is to follow its superview's: held, not applied.
    open var autoresizingMask: AutoresizingMask = []

    /// Whether its subviews' sizes are to follow its own: held, not applied.
    open var autoresizesSubviews = true

    // MARK: Looks, all of which are held and nothing more

    /// The colour behind it.
    open var backgroundColor: UIColor?

    /// Its opacity, from 0 to 1. A view that is all but transparent gets no touches.
    open var alpha: CGFloat = 1

    /// Whether it hides what is behind it.
    open var isOpaque = true

    /// Whether it is not to be seen; a hidden view gets no touches.
    open var isHidden = false

    /// Whether what lies outside of its bounds is cut off.
    open var clipsToBounds = false

    /// The colour of what it has to mark; nil for its superview's.
    open var tintColor: UIColor?

    /// How its contents fill it.
    open var contentMode = ContentMode.scaleToFill

    /// A number of the app's to find it by.
    open var tag = 0

    // MARK: Events

    /// Whether it and its subviews get touches.
    open var isUserInteractionEnabled = true

    /// Whether it gets more than the first of several touches.
    open var isMultipleTouchEnabled = false

    /// The controller whose `view` this is.
    weak var controller: UIViewController?

    /// Its controller, else its superview.
    open override var next: UIResponder? { controller ?? superview }

    override var responderWindow: UIWindow? { window }

    /// The innermost view that a touch at `point` falls on, in front of others: nil outside of its bounds, and where
    /// it takes no touches.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard isUserInteractionEnabled, !isHidden, alpha > 0.01, self.point(inside: point, with: event) else {
            return nil
        }
        for subview in subviews.reversed() {
            if let hit = subview.hitTest(subview.convert(point, from: self), with: event) { return hit }
        }
        return self
    }

    /// Whether a point in its own coordinates is within its bounds.
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    // MARK: The tree of views

    /// The view it is in.
    public internal(set) weak var superview: UIView?

    /// The views in it, from back to front.
    public internal(set) var subviews: [UIView] = []

    /// The window it is in.
    open var window: UIWindow? { superview?.window }

    /// Puts a view in front of its other subviews; that leaves the superview it was in.
    open func addSubview(_ view: UIView) { insert(view) { $0.endIndex } }

    /// Leaves its superview.
    open func removeFromSuperview() {
        guard let superview else { return }
        move(to: nil) { superview.subviews.removeAll { $0 === self } }
        superview.setNeedsLayout()
    }

    /// It is about to have another superview, or none.
    open func willMove(toSuperview newSuperview: UIView?) {}

    /// It has another superview, or none.
    open func didMoveToSuperview() {}

    /// It is about to be in another window, or none.
    open func willMove(toWindow newWindow: UIWindow?) {}

    /// It is in another window, or none.
    open func didMoveToWindow() {}

    /// A view was put into it.
    open func didAddSubview(_ subview: UIView) {}

    /// A view is about to leave it.
    open func willRemoveSubview(_ subview: UIView) {}

    // MARK: Layout

    private var needsLayout = true

    /// Asks for `layoutSubviews()`, at the next `layoutIfNeeded()` of it or of a view it is in.
    open func setNeedsLayout() { needsLayout = true }

    /// Lays out what needs it, of it and of all in it.
    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        for subview in subviews { subview.layoutIfNeeded() }
    }

    /// Where a subclass places its subviews.
    open func layoutSubviews() {}

    /// The size that suits it best within another: its present one.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    /// Takes the size that suits it best.
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

    /// Asks for drawing, of which there is none.
    open func setNeedsDisplay() {}

    /// Where a subclass draws. Never called.
    open func draw(_ rect: CGRect) {}
}
