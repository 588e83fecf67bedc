/// A key press, from the instant the key is pressed until it is released.
@preconcurrency @MainActor public final class UIPress: NSObject {
    /// The stage of a press; raw values are Apple's.
    public enum Phase: Int, Sendable {
        /// The key was pressed.
        case began = 0
        /// The force has changed.
        case changed = 1
        /// Nothing has changed since the last event.
        case stationary = 2
        /// The key was released.
        case ended = 3
        /// The system has canceled the press.
        case cancelled = 4
    }

    /// The current stage.
    public internal(set) var phase = Phase.began

    /// The time of the last change of stage, in seconds since the device started.
    public internal(set) var timestamp: TimeInterval

    /// The pressed key.
    public let key: UIKey?

    /// The window that receives the press; nil if there is no window.
    public let window: UIWindow?

    /// The responder that receives the press first: the window's first responder, or the window itself.
    public let responder: UIResponder?

    /// The force of the press; always 0, because keys do not measure it.
    public var force: CGFloat { 0 }

    init(key: UIKey, window: UIWindow?, responder: UIResponder?, timestamp: TimeInterval) {
        self.key = key
        self.window = window
        self.responder = responder
        self.timestamp = timestamp
        super.init()
    }
}

/// A key, identified by the text it types. `keyCode` is missing, because the input does not come from a keyboard.
@preconcurrency @MainActor public final class UIKey: NSObject {
    /// The text that the key types.
    public let characters: String

    /// The text that the key types without modifier keys; the same, because no modifier is ever held.
    public var charactersIgnoringModifiers: String { characters }

    /// The modifier keys held at the same time; always empty.
    public var modifierFlags: UIKeyModifierFlags { [] }

    init(characters: String) {
        self.characters = characters
        super.init()
    }
}

/// The modifier keys that were held during a press.
public struct UIKeyModifierFlags: OptionSet, Sendable {
    /// The bits, as on Apple's platforms.
    public let rawValue: Int

    /// Accepts Apple's raw values.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Caps Lock.
    public static let alphaShift = Self(rawValue: 1 << 16)
    /// Shift.
    public static let shift = Self(rawValue: 1 << 17)
    /// Control.
    public static let control = Self(rawValue: 1 << 18)
    /// Option.
    public static let alternate = Self(rawValue: 1 << 19)
    /// Command.
    public static let command = Self(rawValue: 1 << 20)
    /// A key of the numeric pad.
    public static let numericPad = Self(rawValue: 1 << 21)
}

/// An event of key presses.
@preconcurrency @MainActor open class UIPressesEvent: UIEvent {
    /// Always `.presses`.
    open override var type: EventType { .presses }

    /// The event's presses.
    public let allPresses: Set<UIPress>

    init(presses: Set<UIPress>, timestamp: TimeInterval) {
        allPresses = presses
        super.init(touches: [], timestamp: timestamp)
    }
}

/// A responder that accepts text: as first responder it receives what the user types.
@preconcurrency @MainActor public protocol UIKeyInput: NSObjectProtocol {
    /// Whether the responder contains any text.
    var hasText: Bool { get }

    /// Inserts a typed character.
    func insertText(_ text: String)

    /// Deletes the character before the insertion point.
    func deleteBackward()
}
