/// A key that is held, from the instant it goes down until it comes up.
@preconcurrency @MainActor public final class UIPress: NSObject {
    /// How far a press has come; the numbers are Apple's.
    public enum Phase: Int, Sendable {
        /// The key has gone down.
        case began = 0
        /// The force has changed.
        case changed = 1
        /// Nothing has changed since the last event.
        case stationary = 2
        /// The key has come up.
        case ended = 3
        /// The system has ended it.
        case cancelled = 4
    }

    /// How far it has come.
    public internal(set) var phase = Phase.began

    /// When it came so far, in seconds since the device was started.
    public internal(set) var timestamp: TimeInterval

    /// The key.
    public let key: UIKey?

    /// The window it goes to; nil where there is none.
    public let window: UIWindow?

    /// Who gets it first: the first responder or, without one, the window.
    public let responder: UIResponder?

    /// How hard it is pressed: keys do not tell.
    public var force: CGFloat { 0 }

    init(key: UIKey, window: UIWindow?, responder: UIResponder?, timestamp: TimeInterval) {
        self.key = key
        self.window = window
        self.responder = responder
        self.timestamp = timestamp
        super.init()
    }
}

/// A key by what it types. `keyCode` is left out: what is typed here comes from no keyboard.
@preconcurrency @MainActor public final class UIKey: NSObject {
    /// What it types.
    public let characters: String

    /// What it types without other keys held: the same, since none are.
    public var charactersIgnoringModifiers: String { characters }

    /// The keys held beside it: none.
    public var modifierFlags: UIKeyModifierFlags { [] }

    init(characters: String) {
        self.characters = characters
        super.init()
    }
}

/// Keys that are held beside another.
public struct UIKeyModifierFlags: OptionSet, Sendable {
    /// The bits, as Apple has them.
    public let rawValue: Int

    /// Wraps the bits.
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

/// An event of keys.
@preconcurrency @MainActor open class UIPressesEvent: UIEvent {
    /// `presses`.
    open override var type: EventType { .presses }

    /// The presses it is about.
    public let allPresses: Set<UIPress>

    init(presses: Set<UIPress>, timestamp: TimeInterval) {
        allPresses = presses
        super.init(touches: [], timestamp: timestamp)
    }
}

/// A responder that takes text: as first responder it gets what is typed.
@preconcurrency @MainActor public protocol UIKeyInput: NSObjectProtocol {
    /// Whether it holds any text.
    var hasText: Bool { get }

    /// A character was typed.
    func insertText(_ text: String)

    /// The key that deletes was pressed.
    func deleteBackward()
}
