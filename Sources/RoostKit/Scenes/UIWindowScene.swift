/// A scene with windows.
@preconcurrency @MainActor open class UIWindowScene: UIScene {
    /// The scene's windows, in the order they were made.
    open var windows: [UIWindow] { WindowList.shared.all.filter { $0.windowScene === self } }

    /// The window of the scene that gets what is typed.
    open var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

    /// The screen it is on.
    open var screen: UIScreen { .main }

    /// The scene's own coordinates: the screen's.
    open var coordinateSpace: any UICoordinateSpace { screen }
}

/// A frame of reference on the screen.
@preconcurrency @MainActor public protocol UICoordinateSpace: NSObjectProtocol {
    /// Its rectangle in its own coordinates.
    var bounds: CGRect { get }
}

extension UIScreen: UICoordinateSpace {}
extension UIView: UICoordinateSpace {}
