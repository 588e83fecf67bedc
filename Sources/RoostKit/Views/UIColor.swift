/// A color with four components. Nothing is drawn with it. Unlike Apple's, it does not adapt to light and dark: the
/// system colors are those of the light appearance.
public final class UIColor: NSObject, Sendable {
    private let red: CGFloat
    private let green: CGFloat
    private let blue: CGFloat
    private let alpha: CGFloat

    /// Creates a color from components, each from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
        super.init()
    }

    /// Creates a gray, from 0 (black) to 1 (white).
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    private convenience init(_ rgb: Int, alpha: CGFloat = 1) {
        func part(_ shift: Int) -> CGFloat { CGFloat((rgb >> shift) & 0xff) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0), alpha: alpha)
    }

    /// The same color with another opacity, from 0 to 1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Writes the components, each from 0 to 1, to the pointers that are not nil. Always returns true.
    @discardableResult public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    /// Whether both colors have equal components.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (red, green, blue, alpha) == (other.red, other.green, other.blue, other.alpha)
    }

    /// A hash of the components; equal colors have equal hashes.
    public override var hash: Int {
        var hasher = Hasher()
        for part in [red, green, blue, alpha] { hasher.combine(part) }
        return hasher.finalize()
    }

    // MARK: Colors by name

    /// Black.
    public static let black = UIColor(white: 0, alpha: 1)
    /// A third of white.
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    /// Half of white.
    public static let gray = UIColor(white: 0.5, alpha: 1)
    /// Two thirds of white.
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    /// White.
    public static let white = UIColor(white: 1, alpha: 1)
    /// Transparent.
    public static let clear = UIColor(white: 0, alpha: 0)
    /// Red.
    public static let red = UIColor(0xff0000)
    /// Green.
    public static let green = UIColor(0x00ff00)
    /// Blue.
    public static let blue = UIColor(0x0000ff)
    /// Cyan.
    public static let cyan = UIColor(0x00ffff)
    /// Yellow.
    public static let yellow = UIColor(0xffff00)
    /// Magenta.
    public static let magenta = UIColor(0xff00ff)
    /// Orange.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    /// Purple.
    public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
    /// Brown.
    public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)

    // MARK: The system's

    /// The background of a view.
    public static let systemBackground = UIColor(0xffffff)
    /// The background of content on top of the main background.
    public static let secondarySystemBackground = UIColor(0xf2f2f7)
    /// The background of content on top of the secondary background.
    public static let tertiarySystemBackground = UIColor(0xffffff)
    /// The background of grouped content.
    public static let systemGroupedBackground = UIColor(0xf2f2f7)
    /// Primary text.
    public static let label = UIColor(0x000000)
    /// Secondary text.
    public static let secondaryLabel = UIColor(0x3c3c43, alpha: 0.6)
    /// Lines that separate content.
    public static let separator = UIColor(0x3c3c43, alpha: 0.29)
    /// The system's red.
    public static let systemRed = UIColor(0xff3b30)
    /// The system's orange.
    public static let systemOrange = UIColor(0xff9500)
    /// The system's yellow.
    public static let systemYellow = UIColor(0xffcc00)
    /// The system's green.
    public static let systemGreen = UIColor(0x34c759)
    /// The system's teal.
    public static let systemTeal = UIColor(0x30b0c7)
    /// The system's blue.
    public static let systemBlue = UIColor(0x007aff)
    /// The system's indigo.
    public static let systemIndigo = UIColor(0x5856d6)
    /// The system's purple.
    public static let systemPurple = UIColor(0xaf52de)
    /// The system's pink.
    public static let systemPink = UIColor(0xff2d55)
    /// The system's gray.
    public static let systemGray = UIColor(0x8e8e93)
}
