/// The app's windows, none of which it keeps.
@MainActor final class WindowList {
    private static let ofProcess = WindowList()

    /// The list of the app whose code this is.
    static var shared: WindowList { AppRunner.current?.windows ?? ofProcess }

    private struct Entry { weak var window: UIWindow? }

    private var entries: [Entry] = []
    /// Whether the app has been active: from then on windows are shown as they come.
    private var isOpen = false

    /// The windows there are, in the order they were made.
    var all: [UIWindow] { entries.compactMap(\.window) }

    /// Those to be seen, from back to front.
    var visible: [UIWindow] {
        let windows = all.filter { !$0.isHidden }
        // Sorting by level alone would not keep the order of equals.
        return windows.enumerated().sorted { a, b in
            (a.element.windowLevel, a.offset) < (b.element.windowLevel, b.offset)
        }
        .map(\.element)
    }

    /// The window that gets what is typed.
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

    /// Whether a window may be shown: the app has been active, and the window is in a scene if the app uses them.
    func isOpen(for window: UIWindow) -> Bool {
        guard isOpen else { return false }
        guard let application = UIApplication.instance, !application.openSessions.isEmpty else { return true }
        return window.windowScene.map { $0.activationState != .unattached } ?? false
    }

    /// The app is active: shows what waits for that.
    func open() {
        isOpen = true
        for window in all { window.showIfDue() }
    }

    /// The foremost window that takes a touch at a point of the screen.
    func window(at point: CGPoint) -> UIWindow? {
        visible.last { $0.hitTest($0.convert(fromScreen: point), with: nil) != nil }
    }
}

extension UIWindow {
    /// A point of the screen in the window's coordinates.
    func convert(fromScreen point: CGPoint) -> CGPoint {
        CGPoint(x: point.x - frame.minX + bounds.minX, y: point.y - frame.minY + bounds.minY)
    }
}
