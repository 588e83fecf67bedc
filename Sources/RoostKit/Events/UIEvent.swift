/// Something the user did: touches, or as `UIPressesEvent` keys.
@preconcurrency @MainActor open class UIEvent: NSObject {
    /// The kinds of events; the numbers are Apple's.
    public enum EventType: Int, Sendable {
        /// Fingers on the screen.
        case touches = 0
        /// The device was moved.
        case motion = 1
        /// A headset's keys.
        case remoteControl = 2
        /// Keys.
        case presses = 3
    }

    /// The kinds of motion and remote control; the numbers are Apple's.
    public enum EventSubtype: Int, Sendable {
        /// None of them.
        case none = 0
        /// The device was shaken.
        case motionShake = 1
    }

    /// The kind of event.
    open var type: EventType { .touches }

    /// The kind of motion or remote control: neither happens here.
    open var subtype: EventSubtype { .none }

    /// When it happened, in seconds since the device was started.
    public let timestamp: TimeInterval

    /// The touches it is about; nil if it is about none.
    open var allTouches: Set<UITouch>? { touches.isEmpty ? nil : touches }

    /// Those of the touches that began in a window.
    open func touches(for window: UIWindow) -> Set<UITouch>? { allTouches?.filter { $0.window === window } }

    /// Those of the touches that began on a view.
    open func touches(for view: UIView) -> Set<UITouch>? { allTouches?.filter { $0.view === view } }

    private let touches: Set<UITouch>

    init(touches: Set<UITouch>, timestamp: TimeInterval) {
        self.touches = touches
        self.timestamp = timestamp
        super.init()
    }
}
