import Foundation
import LifeCycleModel

/// What Newsstand needs of an app's runtime; the library itself is a module of its own.
extension AppRunner {
    /// Whether the app whose code this is has declared that it is of Newsstand.
    package static var isOfNewsstand: Bool { modes.contains(BackgroundMode.newsstandContent.rawValue) }

    /// Whether pushes wake it for downloads, and for nothing else.
    static var isOfNewsstandAlone: Bool {
        isOfNewsstand && !modes.contains(BackgroundMode.remoteNotification.rawValue)
    }

    private static var modes: [String] { current?.info["UIBackgroundModes"] as? [String] ?? [] }
}

extension AppSession {
    /// The app is woken for its Newsstand downloads: nobody calls its delegate for that. The library says when it has told
    /// all of them; an app that has not made it in this launch is not waited for.
    func newsstandDownloadsEnded() {
        guard listener(of: .newsstand, isLast: false) == nil else { return }
        log("The app was woken for its Newsstand downloads, and has called download(with:) for none of them.")
        transfer(.handled, of: .newsstand)
    }

    /// Whether the app's defaults say that each push may wake it. Only a system for development heeds it.
    static var liftsNewsstandThrottle: Bool {
        UserDefaults.standard.bool(forKey: "NKDontThrottleNewsstandContentNotifications")
    }
}
