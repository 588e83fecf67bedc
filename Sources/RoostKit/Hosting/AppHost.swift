package import AppCore
import Foundation
package import LifeCycleModel

/// What a test's device learns of an app it hosts in the test's own process, and what it decides for it.
@MainActor package protocol AppHost: AnyObject {
    /// A method of the app's delegate, or of its scene's, is about to be called.
    func willCall(_ call: DelegateCall)
    /// A notification is about to be posted.
    func willPost(_ notification: LifeCycleNotification)
    /// An expiration handler is about to be called.
    func willExpire(_ task: TaskID)
    /// A callback's calls have returned: whether it counts as finished now. Where not, `finish(_:)` follows.
    func hasReturned(_ callback: CallbackID) -> Bool
    /// The app leaves its process, which is the test's: it is to be forgotten.
    func exit()
}

/// How a hosted app reaches its device: every call may come from any thread.
package protocol HostLink: Sendable {
    /// The virtual CLOCK_MONOTONIC.
    var now: Nanoseconds { get }
    /// Takes a request, in order. Called under the session's lock: it must not call back.
    func send(_ request: AppRequest)
    /// Where the app's files lie.
    var container: URL { get }
    /// A line of the app's log.
    func log(_ line: String)
    /// Where a task was begun: `Module/File.swift` and the line. Said before the request is sent, if one is.
    func began(_ task: TaskID, file: String, line: Int)
    /// Returns when the virtual clock has come to `deadline` and the app may run, or throws a `CancellationError`.
    func sleep(until deadline: Nanoseconds) async throws
}

extension HostLink {
    /// A directory of this process, for devices that give their apps none.
    package var container: URL {
        URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
            .appendingPathComponent("roost-testing-\(getpid())", isDirectory: true)
    }
}

/// What is to be hosted, in place of a process' `main`.
package struct HostedCode {
    /// The whole property list, for what RoostKit reads of it.
    package var info: [String: Any]
    /// The class of the application object; nil for what the property list says.
    package var principalClassName: String?
    /// The delegate's class; nil where there is none, or it is made by `main`.
    package var delegateType: AnyClass?
    /// Runs when the app is launched, before the first callback: it may set the application's delegate.
    package var main: @MainActor () -> Void

    /// Code with these parts.
    package init(
        info: [String: Any], principalClassName: String? = nil, delegateType: AnyClass? = nil,
        main: @escaping @MainActor () -> Void = {}
    ) {
        self.info = info
        self.principalClassName = principalClassName
        self.delegateType = delegateType
        self.main = main
    }
}
