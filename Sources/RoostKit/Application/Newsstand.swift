import Foundation
import LifeCycleModel

/// The parts of an app's runtime that Newsstand needs; the library itself is a separate module.
extension AppRunner {
    /// Whether the running app declares the background mode `newsstand-content`.
    package static var isOfNewsstand: Bool { modes.contains(BackgroundMode.newsstandContent.rawValue) }

    /// Whether pushes wake the app only for Newsstand downloads: it lacks the background mode `remote-notification`.
    static var isOfNewsstandAlone: Bool {
        isOfNewsstand && !modes.contains(BackgroundMode.remoteNotification.rawValue)
    }

    private static var modes: [String] { current?.info["UIBackgroundModes"] as? [String] ?? [] }
}

extension AppSession {
    /// The app was woken for its Newsstand downloads, which call no delegate method of the application. The Newsstand
    /// library reports when it has delivered all of them. If this launch never created the library, report it here.
    func newsstandDownloadsEnded() {
        guard listener(of: .newsstand, isLast: false) == nil else { return }
        log("The app was woken for its Newsstand downloads, but has not called download(with:) for any of them.")
        transfer(.handled, of: .newsstand)
    }

    /// Whether the app's defaults ask that every Newsstand push wake it. Only a development system respects that.
    static var liftsNewsstandThrottle: Bool {
        UserDefaults.standard.bool(forKey: "NKDontThrottleNewsstandContentNotifications")
    }
}
