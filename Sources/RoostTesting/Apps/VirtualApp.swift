public import AppCore
import Foundation
public import LifeCycleModel
import LifeCyclePolicy
public import RoostKit

/// An app that is installed on a virtual device, with a record of its launches and callbacks. Main thread only.
@MainActor public final class VirtualApp {
    /// An open background task.
    public struct OpenTask: Hashable, Sendable, CustomStringConvertible {
        /// The name that the app gave the task, or the name made from the caller.
        public let name: String
        /// The place where the task was begun, such as `SyncManager.swift:41`; nil if unknown.
        public let site: String?

        /// The task as shown in test failures.
        public var description: String { "task \"\(name)\"" + (site.map { ", begun \($0)" } ?? "") }
    }

    /// The end of a launch.
    public struct Termination: Hashable, Sendable {
        /// The reason for the end.
        public let reason: TerminationReason
        /// Apple's code for the reason, if there is one.
        public var code: TerminationCode { reason.code }
        /// The time of the end, since the device was created; the device's sleep does not count.
        public let time: Duration
        /// The tasks that were open when the system decided to end the launch.
        public let openTasks: [OpenTask]
        /// The end of the process's output; empty if the app's code runs in the test's process.
        public let lastWords: String
    }

    let id: AppID
    /// The app's name, as shown in traces.
    public let name: String
    let installation: Installation
    private unowned let device: VirtualDevice

    /// The delegate methods that were called, in order, over all launches.
    public internal(set) var callbacks: [DelegateCall] = []
    /// The notifications that were posted, in order, over all launches.
    public internal(set) var notifications: [LifeCycleNotification] = []
    /// The reasons for which the app was launched or woken, in order.
    public internal(set) var wakes: [LaunchReason] = []
    /// The names of the tasks whose expiration handlers were called, in order.
    public internal(set) var expirations: [String] = []
    /// The lines that the app's runtime wrote to its log, in order.
    public internal(set) var log: [String] = []
    /// The ends of the app's launches, in order.
    public internal(set) var terminations: [Termination] = []
    /// The system's decisions about the app with their reasons, in the words of `roost why`.
    public internal(set) var reasons: [String] = []

    var unexpectedLog: [String] = []
    var unexpectedTerminations: [Termination] = []

    init(id: AppID, name: String, installation: Installation, device: VirtualDevice) {
        self.id = id
        self.name = name
        self.installation = installation
        self.device = device
    }

    var snapshot: AppSnapshot? { device.body.device.snapshot(of: id) }

    /// The current app state.
    public var state: AppState { snapshot?.state ?? .notRunning }

    /// The open background tasks that the system counts. Tasks begun in the foreground count once the app has left it.
    public var openTasks: [OpenTask] {
        guard let snapshot else { return [] }
        return snapshot.openTasks.map { device.openTask($0, of: snapshot.launch) }
    }

    /// The remaining background time; nil if no clock runs, for example in the foreground.
    public var backgroundTimeRemaining: Duration? {
        guard let until = snapshot?.backgroundTimeUntil else { return nil }
        return .nanoseconds(max(0, (until - device.body.now.awake).rawValue))
    }

    /// Returns the callbacks recorded since the last call of this method.
    public func takeCallbacks() -> [DelegateCall] {
        defer { taken = callbacks.count }
        return Array(callbacks[taken...])
    }

    private var taken = 0

    /// The app delegate of the current launch. Nil if the app is not running, or if it runs as a separate process.
    public var delegate: (any UIApplicationDelegate)? {
        guard let launch = snapshot?.launch else { return nil }
        return (device.body.endpoint(of: launch) as? HostedEndpoint)?.delegate
    }

    /// The output of the app's processes over all launches; empty if its code runs in the test's process.
    public var output: String {
        guard case .process(let home, _) = installation else { return "" }
        return (try? String(contentsOfFile: home.output, encoding: .utf8)) ?? ""
    }

    /// The path of the app's home directory, with its stored files; nil if its code runs in the test's process.
    public var container: String? {
        guard case .process(let home, _) = installation else { return nil }
        return home.container
    }
}

/// The way an app's launches are created.
enum Installation {
    /// The app's code runs in the test's process.
    case hosted(HostedInstallation)
    /// Each launch is a separate process.
    case process(ProcessHome, isAdopted: Bool)
}

/// The code that runs at each launch of an app that the test hosts.
struct HostedInstallation {
    let keys: [String: Any]
    let delegateType: (any UIApplicationDelegate.Type)?
    let main: @MainActor () -> Void
}
