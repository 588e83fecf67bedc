extension UIView {
    /// The way a view's frame follows changes of its superview's size.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The bits, as on Apple's platforms.
        public let rawValue: UInt

        /// Accepts Apple's raw values.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The left margin resizes.
        public static let flexibleLeftMargin = Self(rawValue: 1 << 0)
        /// The width resizes.
        public static let flexibleWidth = Self(rawValue: 1 << 1)
        /// The right margin resizes.
        public static let flexibleRightMargin = Self(rawValue: 1 << 2)
        /// The top margin resizes.
        public static let flexibleTopMargin = Self(rawValue: 1 << 3)
        /// The height resizes.
        public static let flexibleHeight = Self(rawValue: 1 << 4)
        /// The bottom margin resizes.
        public static let flexibleBottomMargin = Self(rawValue: 1 << 5)
    }

    /// The way a view's content fills its bounds.
    public enum ContentMode: Int, Sendable {
        /// Scaled to fill both dimensions; the aspect ratio may change.
        case scaleToFill = 0
        /// Scaled to fit within the bounds; the aspect ratio stays.
        case scaleAspectFit = 1
        /// Scaled to cover the bounds; the aspect ratio stays.
        case scaleAspectFill = 2
        /// Redrawn when the bounds change.
        case redraw = 3
        /// Centered.
        case center = 4
        /// Aligned with the top.
        case top = 5
        /// Aligned with the bottom.
        case bottom = 6
        /// Aligned with the left edge.
        case left = 7
        /// Aligned with the right edge.
        case right = 8
        /// Aligned with the top left corner.
        case topLeft = 9
        /// Aligned with the top right corner.
        case topRight = 10
        /// Aligned with the bottom left corner.
        case bottomLeft = 11
        /// Aligned with the bottom right corner.
        case bottomRight = 12
    }

    // MARK: Inserting subviews

    /// Inserts a subview at an index; index 0 is the rearmost. The index is clamped.
    public func insertSubview(_ view: UIView, at index: Int) {
        insert(view) { min(max(index, 0), $0.endIndex) }
    }

    /// Inserts a subview directly above a sibling, or above all subviews if `sibling` is not a subview.
    public func insertSubview(_ view: UIView, aboveSubview sibling: UIView) {
        insert(view) { subviews in (subviews.firstIndex { $0 === sibling }).map { $0 + 1 } ?? subviews.endIndex }
    }

    /// Inserts a subview directly below a sibling, or above all subviews if `sibling` is not a subview.
    public func insertSubview(_ view: UIView, belowSubview sibling: UIView) {
        insert(view) { subviews in subviews.firstIndex { $0 === sibling } ?? subviews.endIndex }
    }

    /// Moves a subview above its siblings.
    public func bringSubviewToFront(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.append(subviews.remove(at: index))
    }

    /// Moves a subview below its siblings.
    public func sendSubviewToBack(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.insert(subviews.remove(at: index), at: 0)
    }

    /// True also for the view itself.
    public func isDescendant(of view: UIView) -> Bool {
        sequence(first: self) { $0.superview }.contains { $0 === view }
    }

    /// The first view with a tag, among this view and its descendants; nil if there is none.
    public func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }

    /// Inserts a view at the index that `index` computes from the other subviews. A precondition fails for an ancestor.
    func insert(_ view: UIView, at index: ([UIView]) -> Int) {
        precondition(!isDescendant(of: view), "a view cannot be its own subview")
        let old = view.superview
        view.move(to: self) {
            old?.subviews.removeAll { $0 === view }
            subviews.insert(view, at: index(subviews))
        }
        didAddSubview(view)
        old?.setNeedsLayout()
        setNeedsLayout()
    }

    /// Changes the superview and calls the methods about the change.
    func move(to new: UIView?, _ change: () -> Void) {
        let oldWindow = window
        let newWindow = new?.window
        superview?.willRemoveSubview(self)
        willMove(toSuperview: new)
        if oldWindow !== newWindow {
            leaveFirstResponder(of: oldWindow)
            forAll { $0.willMove(toWindow: newWindow) }
        }
        change()
        superview = new
        didMoveToSuperview()
        if oldWindow !== newWindow { forAll { $0.didMoveToWindow() } }
    }

    private func forAll(_ tell: (UIView) -> Void) {
        tell(self)
        for subview in subviews { subview.forAll(tell) }
    }

    /// Clears the window's first responder if it is in this view, which is leaving the window.
    private func leaveFirstResponder(of window: UIWindow?) {
        guard let window, let first = window.firstResponder else { return }
        let view = first as? UIView ?? (first as? UIViewController)?.viewIfLoaded
        if view?.isDescendant(of: self) == true { window.firstResponder = nil }
    }

    // MARK: Coordinates

    /// Converts a point from this view to another; nil stands for the outermost view, usually the window.
    public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let outer = offset
        let inner = view?.offset ?? .zero
        return CGPoint(x: point.x + outer.x - inner.x, y: point.y + outer.y - inner.y)
    }

    /// Converts a point from another view to this view; nil stands for the outermost view, usually the window.
    public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
        let outer = view?.offset ?? .zero
        let inner = offset
        return CGPoint(x: point.x + outer.x - inner.x, y: point.y + outer.y - inner.y)
    }

    /// Converts a rectangle from this view to another; nil stands for the outermost view, usually the window.
    public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, to: view), size: rect.size)
    }

    /// Converts a rectangle from another view to this view; nil stands for the outermost view, usually the window.
    public func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, from: view), size: rect.size)
    }

    /// The origin of this view's coordinates in those of the outermost view.
    private var offset: CGPoint {
        var result = CGPoint.zero
        var view = self
        while let outer = view.superview {
            result.x += view.frame.minX - view.bounds.minX
            result.y += view.frame.minY - view.bounds.minY
            view = outer
        }
        return result
    }
}
