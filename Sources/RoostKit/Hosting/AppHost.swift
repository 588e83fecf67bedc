package import AppCore
import Foundation
package import LifeCycleModel

/// A test's device as seen by an app that the test hosts in its own process: it observes calls and can postpone their
/// end.
@MainActor package protocol AppHost: AnyObject {
    /// A method of the app's delegate, or of its scene's, is about to be called.
    func willCall(_ call: DelegateCall)
    /// A notification is about to be posted.
    func willPost(_ notification: LifeCycleNotification)
    /// An expiration handler is about to be called.
    func willExpire(_ task: TaskID)
    /// A callback's calls have returned. Returns whether the callback counts as finished now. If not, `finish(_:)`
    /// follows.
    func hasReturned(_ callback: CallbackID) -> Bool
    /// The app exits. Its process is the test's, so the host only forgets the app.
    func exit()
}

/// The link from a hosted app to its device. Any thread.
package protocol HostLink: Sendable {
    /// CLOCK_MONOTONIC of the virtual device.
    var now: Nanoseconds { get }
    /// Handles a request, in order. It is called under the session's lock and must not call back.
    func send(_ request: AppRequest)
    /// The directory of the app's files.
    var container: URL { get }
    /// Writes a line to the app's log.
    func log(_ line: String)
    /// Reports the file (`Module/File.swift`) and line where a task was begun. Called before the request, if any, is
    /// sent.
    func began(_ task: TaskID, file: String, line: Int)
    /// Returns when the virtual clock has reached `deadline` and the app may run. Throws `CancellationError` if
    /// canceled.
    func sleep(until deadline: Nanoseconds) async throws
}

extension HostLink {
    /// A directory of this process, for devices that provide none.
    package var container: URL {
        URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
            .appendingPathComponent("roost-testing-\(getpid())", isDirectory: true)
    }
}

/// The code to host, in place of a process's `main`.
package struct HostedCode {
    /// The complete property list; RoostKit reads it.
    package var info: [String: Any]
    /// The name of the application object's class; nil to use the property list's.
    package var principalClassName: String?
    /// The delegate's class; nil if there is none, or if `main` sets the delegate.
    package var delegateType: (any UIApplicationDelegate.Type)?
    /// Runs at the launch, before the first callback. It may set the application's delegate.
    package var main: @MainActor () -> Void

    /// Creates hosted code from its parts.
    package init(
        info: [String: Any], principalClassName: String? = nil, delegateType: (any UIApplicationDelegate.Type)? = nil,
        main: @escaping @MainActor () -> Void = {}
    ) {
        self.info = info
        self.principalClassName = principalClassName
        self.delegateType = delegateType
        self.main = main
    }
}
