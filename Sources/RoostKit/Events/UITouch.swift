/// One finger on the screen, from the instant it comes down until it is lifted.
@preconcurrency @MainActor public final class UITouch: NSObject {
    /// How far a touch has come; the numbers are Apple's.
    public enum Phase: Int, Sendable {
        /// It has come down.
        case began = 0
        /// It has moved.
        case moved = 1
        /// It has not moved since the last event.
        case stationary = 2
        /// It was lifted.
        case ended = 3
        /// The system has ended it.
        case cancelled = 4
    }

    /// How far it has come.
    public internal(set) var phase = Phase.began

    /// When it came so far, in seconds since the device was started.
    public internal(set) var timestamp: TimeInterval

    /// How often the place was tapped in a row: once, here.
    public var tapCount: Int { 1 }

    /// The window it came down in; nil where there was none.
    public let window: UIWindow?

    /// The view it came down on, which gets all of the touch; nil where there was none.
    public let view: UIView?

    private let place: CGPoint

    /// A touch at a place of the screen.
    init(at place: CGPoint, window: UIWindow?, view: UIView?, timestamp: TimeInterval) {
        self.place = place
        self.window = window
        self.view = view
        self.timestamp = timestamp
        super.init()
    }

    /// Where it is, in a view's coordinates; in the window's, for nil.
    public func location(in view: UIView?) -> CGPoint {
        guard let window else { return place }
        let inWindow = window.convert(fromScreen: place)
        return view?.convert(inWindow, from: window) ?? inWindow
    }

    /// Where it was at the last event, in a view's coordinates: touches do not move here.
    public func previousLocation(in view: UIView?) -> CGPoint { location(in: view) }
}
