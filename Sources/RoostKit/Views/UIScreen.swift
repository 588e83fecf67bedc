/// The device's only screen. Roost draws nothing. The screen has the fixed size of a present-day phone, which defines
/// the coordinates of touches.
@preconcurrency @MainActor open class UIScreen: NSObject {
    /// The device's only screen.
    public static let main = UIScreen()

    /// The bounds in points: 390 by 844.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }

    /// The number of pixels per point: 3.
    open var scale: CGFloat { 3 }

    /// The bounds in pixels.
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 1170, height: 2532) }

    /// The number of physical pixels per point: 3.
    open var nativeScale: CGFloat { scale }
}
