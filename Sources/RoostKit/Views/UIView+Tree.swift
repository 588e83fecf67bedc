extension UIView {
    /// How a view's size follows its superview's.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The bits, as Apple has them.
        public let rawValue: UInt

        /// Wraps the bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The margin at the left follows.
        public static let flexibleLeftMargin = Self(rawValue: 1 << 0)
        /// The width follows.
        public static let flexibleWidth = Self(rawValue: 1 << 1)
        /// The margin at the right follows.
        public static let flexibleRightMargin = Self(rawValue: 1 << 2)
        /// The margin at the top follows.
        public static let flexibleTopMargin = Self(rawValue: 1 << 3)
        /// The height follows.
        public static let flexibleHeight = Self(rawValue: 1 << 4)
        /// The margin at the bottom follows.
        public static let flexibleBottomMargin = Self(rawValue: 1 << 5)
    }

    /// How a view's contents fill it.
    public enum ContentMode: Int, Sendable {
        /// Both sides are filled, whatever the proportions.
        case scaleToFill = 0
        /// All is to be seen.
        case scaleAspectFit = 1
        /// No part is left empty.
        case scaleAspectFill = 2
        /// Drawn anew at each size.
        case redraw = 3
        /// In the middle.
        case center = 4
        /// At the top.
        case top = 5
        /// At the bottom.
        case bottom = 6
        /// At the left.
        case left = 7
        /// At the right.
        case right = 8
        /// In the top left corner.
        case topLeft = 9
        /// In the top right corner.
        case topRight = 10
        /// In the bottom left corner.
        case bottomLeft = 11
        /// In the bottom right corner.
        case bottomRight = 12
    }

    // MARK: Where a subview goes

    /// Puts a view at an index among its subviews, 0 being the rearmost.
    public func insertSubview(_ view: UIView, at index: Int) {
        insert(view) { min(max(index, 0), $0.endIndex) }
    }

    /// Puts a view right in front of another of its subviews.
    public func insertSubview(_ view: UIView, aboveSubview sibling: UIView) {
        insert(view) { subviews in (subviews.firstIndex { $0 === sibling }).map { $0 + 1 } ?? subviews.endIndex }
    }

    /// Puts a view right behind another of its subviews.
    public func insertSubview(_ view: UIView, belowSubview sibling: UIView) {
        insert(view) { subviews in subviews.firstIndex { $0 === sibling } ?? subviews.endIndex }
    }

    /// Moves one of its subviews to the front.
    public func bringSubviewToFront(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.append(subviews.remove(at: index))
    }

    /// Moves one of its subviews to the back.
    public func sendSubviewToBack(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.insert(subviews.remove(at: index), at: 0)
    }

    /// Whether it is `view`, or is in it.
    public func isDescendant(of view: UIView) -> Bool {
        sequence(first: self) { $0.superview }.contains { $0 === view }
    }

    /// The view with a tag, of it and those in it.
    public func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }

    /// Puts a view where `index` says, among the subviews without it.
    func insert(_ view: UIView, at index: ([UIView]) -> Int) {
        precondition(!isDescendant(of: view), "a view cannot be put into itself")
        let old = view.superview
        view.move(to: self) {
            old?.subviews.removeAll { $0 === view }
            subviews.insert(view, at: index(subviews))
        }
        didAddSubview(view)
        old?.setNeedsLayout()
        setNeedsLayout()
    }

    /// Changes the superview, and tells all who are to know.
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

    /// What leaves a window cannot be its first responder any more.
    private func leaveFirstResponder(of window: UIWindow?) {
        guard let window, let first = window.firstResponder else { return }
        let view = first as? UIView ?? (first as? UIViewController)?.viewIfLoaded
        if view?.isDescendant(of: self) == true { window.firstResponder = nil }
    }

    // MARK: Coordinates

    /// A point of this view's in another's coordinates; in the window's, or the outermost view's, for nil.
    public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let outer = offset
        let inner = view?.offset ?? .zero
        return CGPoint(x: point.x + outer.x - inner.x, y: point.y + outer.y - inner.y)
    }

    /// A point of another view's in this one's coordinates; of the window's, or the outermost view's, for nil.
    public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
        let outer = view?.offset ?? .zero
        let inner = offset
        return CGPoint(x: point.x + outer.x - inner.x, y: point.y + outer.y - inner.y)
    }

    /// A rectangle of this view's in another's coordinates; in the window's, or the outermost view's, for nil.
    public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, to: view), size: rect.size)
    }

    /// A rectangle of another view's in this one's coordinates; of the window's, or the outermost view's, for nil.
    public func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, from: view), size: rect.size)
    }

    /// Where its coordinates begin in those of the outermost view.
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
