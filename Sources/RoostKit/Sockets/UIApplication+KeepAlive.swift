import AppCore
public import Foundation
import LifeCycleModel

/// The shortest timeout of a keep-alive handler, in seconds.
public let UIMinimumKeepAliveTimeout: TimeInterval = 600

/// The keep-alive handler of a VoIP app.
extension UIApplication {
    /// Sets the handler that the system calls in the background so that the app can refresh its connection to its
    /// server.
    ///
    /// The app must declare `voip` in `UIBackgroundModes`. While the app is in the background, the system calls the
    /// handler on the main thread. It does so at least once in each timeout, unless the launch rules refuse the call.
    /// To save power, it calls the handlers of several apps together, up to a tenth of the timeout earlier. After a
    /// call the app has 10 seconds. A new handler replaces the earlier one, and the timeout begins again. The handler
    /// is gone with the app's process, so set it in each launch.
    ///
    /// - Parameters:
    ///   - timeout: The longest time between two calls, in seconds, at least `UIMinimumKeepAliveTimeout`, or else the
    ///     limit `keepAliveFloor` of the system.
    ///   - keepAliveHandler: The handler; nil removes an earlier one.
    /// - Returns: Whether the handler is set. Without the mode, below the limit, or if the timeout is not a number, an
    ///   earlier handler stays.
    @discardableResult public func setKeepAliveTimeout(
        _ timeout: TimeInterval, handler keepAliveHandler: (() -> Void)? = nil
    ) -> Bool {
        let interval: Nanoseconds? = keepAliveHandler == nil ? nil : Self.interval(timeout) ?? .distantFuture
        var isSet = false
        session.ask { isSet = $0.setKeepAlive(interval, into: &$1) }
        if isSet || keepAliveHandler == nil { self.keepAliveHandler = keepAliveHandler }
        return isSet
    }

    /// Removes the keep-alive handler.
    public func clearKeepAliveTimeout() { setKeepAliveTimeout(0, handler: nil) }
}
