/// The one screen there is. Roost draws nothing: it has a fixed size, that of a telephone of today, which touches are
/// given in.
@preconcurrency @MainActor open class UIScreen: NSObject {
    /// The screen.
    public static let main = UIScreen()

    /// Its rectangle in points: 390 by 844.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }

    /// How many pixels a point is wide: 3.
    open var scale: CGFloat { 3 }

    /// Its rectangle in pixels.
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 1170, height: 2532) }

    /// How many pixels of the device a point is wide.
    open var nativeScale: CGFloat { scale }
}
