/// The app's windows, as weak references.
@MainActor final class WindowList {
    private static let ofProcess = WindowList()

    /// The list of the app whose code is running.
    static var shared: WindowList { AppRunner.current?.windows ?? ofProcess }

    private struct Entry { weak var window: UIWindow? }

    private var entries: [Entry] = []
    /// Whether the app has been active; from then on, windows are shown at once.
    private var isOpen = false

    /// The existing windows in order of creation.
    var all: [UIWindow] { entries.compactMap(\.window) }

    /// The visible windows, from back to front.
    var visible: [UIWindow] {
        let windows = all.filter { !$0.isHidden }
        // Sorting by level alone would not preserve the order of equal levels.
        return windows.enumerated().sorted { a, b in
            (a.element.windowLevel, a.offset) < (b.element.windowLevel, b.offset)
        }
        .map(\.element)
    }

    /// The window that receives typed text; nil if there is none.
    weak var key: UIWindow? {
        didSet {
            guard key !== oldValue else { return }
            if let oldValue {
                oldValue.resignKey()
                NotificationCenter.default.post(name: UIWindow.didResignKeyNotification, object: oldValue)
            }
            if let key {
                key.becomeKey()
                NotificationCenter.default.post(name: UIWindow.didBecomeKeyNotification, object: key)
            }
        }
    }

    func add(_ window: UIWindow) {
        entries.removeAll { $0.window == nil }
        entries.append(Entry(window: window))
    }

    /// Whether a window may be shown: the app has been active and, in an app with scenes, the window is in a connected
    /// scene.
    func isOpen(for window: UIWindow) -> Bool {
        guard isOpen else { return false }
        guard let application = UIApplication.instance, !application.openSessions.isEmpty else { return true }
        return window.windowScene.map { $0.activationState != .unattached } ?? false
    }

    /// Shows the waiting windows, because the app is active.
    func open() {
        isOpen = true
        for window in all { window.showIfDue() }
    }

    /// The frontmost window that accepts a touch at a point in screen coordinates.
    func window(at point: CGPoint) -> UIWindow? {
        visible.last { $0.hitTest($0.convert(fromScreen: point), with: nil) != nil }
    }
}

extension UIWindow {
    /// Converts a point from screen coordinates to the window's.
    func convert(fromScreen point: CGPoint) -> CGPoint {
        CGPoint(x: point.x - frame.minX + bounds.minX, y: point.y - frame.minY + bounds.minY)
    }
}
