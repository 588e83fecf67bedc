import AppCore
public import Foundation
import RoostKit

/// A session that keeps the app in use in the background. Begin it in the foreground.
///
/// With the mode `location` in `UIBackgroundModes`, location updates continue in the background and keep the app running,
/// and the user sees the indicator. With the permission in use, the app is also told of significant changes and regions,
/// and launched for them. If the app ends in the background while updates keep it running, a new position launches it
/// again, at the earliest after a minute or a restart of the system. A new launch in the background has to make the session again at once, for
/// example in `application(_:didFinishLaunchingWithOptions:)`.
///
/// The session ends when it is invalidated or released, and when the user quits the app or denies it the location.
public final class CLBackgroundActivitySession: NSObject, Sendable {
    private let app = AppSession.current
    private let id: BackgroundActivityID

    /// Begins a session. Any thread.
    public override init() {
        id = app.locating { core, steps in core.beginBackgroundActivity(into: &steps) }
        app.onMainThread { [app] in
            let modes = AppRunner.backgroundModes
            LocationBackground.refusal(modes: modes, of: "CLBackgroundActivitySession").map { app.log($0) }
        }
    }

    deinit { invalidate() }

    /// Ends the session. Any thread.
    public func invalidate() {
        app.keepBeforeSuspension()
        app.locating { [id] core, steps in core.endBackgroundActivity(id, into: &steps) }
    }
}
