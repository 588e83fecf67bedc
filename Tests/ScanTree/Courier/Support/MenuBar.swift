#if os(macOS)
    import AppKit

    final class MenuBar {
        let item = NSStatusBar.system.statusItem(withLength: 20)
    }
#endif
