/// A user event: touches, or key presses (`UIPressesEvent`).
@preconcurrency @MainActor open class UIEvent: NSObject {
    /// The kind of an event; raw values are Apple's.
    public enum EventType: Int, Sendable {
        /// Touches on the screen.
        case touches = 0
        /// The device was moved.
        case motion = 1
        /// Keys of a headset.
        case remoteControl = 2
        /// Key presses.
        case presses = 3
    }

    /// The kind of a motion or remote-control event; raw values are Apple's.
    public enum EventSubtype: Int, Sendable {
        /// No subtype.
        case none = 0
        /// The device was shaken.
        case motionShake = 1
    }

    /// The kind of event.
    open var type: EventType { .touches }

    /// The kind of motion or remote control; always `.none` here.
    open var subtype: EventSubtype { .none }

    /// The time of the event, in seconds since the device started.
    public let timestamp: TimeInterval

    /// The event's touches; nil if it has none.
    open var allTouches: Set<UITouch>? { touches.isEmpty ? nil : touches }

    /// The touches that began in a window; nil if the event has no touches.
    open func touches(for window: UIWindow) -> Set<UITouch>? { allTouches?.filter { $0.window === window } }

    /// The touches that began on a view; nil if the event has no touches.
    open func touches(for view: UIView) -> Set<UITouch>? { allTouches?.filter { $0.view === view } }

    private let touches: Set<UITouch>

    init(touches: Set<UITouch>, timestamp: TimeInterval) {
        self.touches = touches
        self.timestamp = timestamp
        super.init()
    }
}
