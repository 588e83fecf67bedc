/// A scene on the device's screen, and the default class of scenes.
@preconcurrency @MainActor open class UIWindowScene: UIScene {
    /// The scene's windows in order of creation.
    open var windows: [UIWindow] { WindowList.shared.all.filter { $0.windowScene === self } }

    /// The scene's window that receives typed text; nil if there is none.
    open var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

    /// The screen on which the scene is displayed.
    open var screen: UIScreen { .main }

    /// The screen, which the scene fills.
    open var coordinateSpace: any UICoordinateSpace { screen }
}

/// A coordinate system on the screen.
@preconcurrency @MainActor public protocol UICoordinateSpace: NSObjectProtocol {
    /// The bounds in the space's own coordinates, in points.
    var bounds: CGRect { get }
}

extension UIScreen: UICoordinateSpace {}
extension UIView: UICoordinateSpace {}
