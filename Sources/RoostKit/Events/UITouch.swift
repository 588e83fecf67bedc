/// A finger on the screen, from the instant it touches the screen until it is lifted.
@preconcurrency @MainActor public final class UITouch: NSObject {
    /// The stage of a touch; raw values are Apple's.
    public enum Phase: Int, Sendable {
        /// The finger has touched the screen.
        case began = 0
        /// The finger has moved.
        case moved = 1
        /// The finger has not moved since the last event.
        case stationary = 2
        /// The finger was lifted.
        case ended = 3
        /// The system has canceled the touch.
        case cancelled = 4
    }

    /// The current stage.
    public internal(set) var phase = Phase.began

    /// The time of the last change of stage, in seconds since the device started.
    public internal(set) var timestamp: TimeInterval

    /// The number of taps at the same place in a row; always 1 here.
    public var tapCount: Int { 1 }

    /// The window in which the touch began; nil if there was none.
    public let window: UIWindow?

    /// The view on which the touch began, which receives the whole touch; nil if there was none.
    public let view: UIView?

    private let place: CGPoint

    /// Creates a touch at a point in screen coordinates.
    init(at place: CGPoint, window: UIWindow?, view: UIView?, timestamp: TimeInterval) {
        self.place = place
        self.window = window
        self.view = view
        self.timestamp = timestamp
        super.init()
    }

    /// The position in a view's coordinates, or in the window's if `view` is nil.
    public func location(in view: UIView?) -> CGPoint {
        guard let window else { return place }
        let inWindow = window.convert(fromScreen: place)
        return view?.convert(inWindow, from: window) ?? inWindow
    }

    /// The position at the last event, in a view's coordinates. Touches do not move here, so it equals `location(in:)`.
    public func previousLocation(in view: UIView?) -> CGPoint { location(in: view) }
}
