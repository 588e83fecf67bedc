public import AppCore
import Foundation
public import LifeCycleModel
import LifeCyclePolicy
public import RoostKit

/// An app that is installed on a virtual device: what became of it, and what its code has heard.
@MainActor public final class VirtualApp {
    /// A background task that is open.
    public struct OpenTask: Hashable, Sendable, CustomStringConvertible {
        /// Its name: the app's, or the one made from the caller.
        public let name: String
        /// Where it was begun, `SyncManager.swift:41`; nil where that is not known.
        public let site: String?

        /// As failures show it.
        public var description: String { "task \"\(name)\"" + (site.map { ", begun \($0)" } ?? "") }
    }

    /// How a launch ended.
    public struct Termination: Hashable, Sendable {
        /// Why.
        public let reason: TerminationReason
        /// Apple's code for it, where there is one.
        public var code: TerminationCode { reason.code }
        /// When, since the device was made.
        public let time: Duration
        /// The tasks that were open when it was decided.
        public let openTasks: [OpenTask]
        /// The end of what its process had printed; empty where its code runs in the test's process.
        public let lastWords: String
    }

    let id: AppID
    /// As traces show it.
    public let name: String
    let installation: Installation
    private unowned let device: VirtualDevice

    /// What its code has heard, in order, over all launches: each method of a delegate as it was called.
    public internal(set) var callbacks: [DelegateCall] = []
    /// The notifications that were posted, in order, over all launches.
    public internal(set) var notifications: [LifeCycleNotification] = []
    /// What it was launched or woken for, in order.
    public internal(set) var wakes: [LaunchReason] = []
    /// The names of the tasks whose expiration handlers were called.
    public internal(set) var expirations: [String] = []
    /// What it has written to its log.
    public internal(set) var log: [String] = []
    /// How its launches ended.
    public internal(set) var terminations: [Termination] = []
    /// Why things were decided as they were, as `roost why` tells it.
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

    /// Its state at this instant.
    public var state: AppState { snapshot?.state ?? .notRunning }

    /// The background tasks it has open that count: those begun in the foreground do once the app has left it.
    public var openTasks: [OpenTask] {
        guard let snapshot else { return [] }
        return snapshot.openTasks.map { device.openTask($0, of: snapshot.launch) }
    }

    /// The background time it has left; nil where no clock runs for it, as in the foreground.
    public var backgroundTimeRemaining: Duration? {
        guard let until = snapshot?.backgroundTimeUntil else { return nil }
        return .nanoseconds(max(0, (until - device.body.now.awake).rawValue))
    }

    /// What its code has heard since this was last asked.
    public func takeCallbacks() -> [DelegateCall] {
        defer { taken = callbacks.count }
        return Array(callbacks[taken...])
    }

    private var taken = 0

    /// The app delegate of the launch that runs; nil where none does, and for an app with processes of its own.
    public var delegate: (any UIApplicationDelegate)? {
        guard let launch = snapshot?.launch else { return nil }
        return (device.body.endpoint(of: launch) as? HostedEndpoint)?.delegate
    }

    /// What its processes have printed, over all launches; empty where its code runs in the test's process.
    public var output: String {
        guard case .process(let home, _) = installation else { return "" }
        return (try? String(contentsOfFile: home.output, encoding: .utf8)) ?? ""
    }

    /// The home directory of its processes, with what they have stored; nil where its code runs in the test's process.
    public var container: String? {
        guard case .process(let home, _) = installation else { return nil }
        return home.container
    }
}

/// How an app's launches are made.
enum Installation {
    /// Its code runs in the test's process.
    case hosted(HostedInstallation)
    /// Each is a process of its own.
    case process(ProcessHome, isAdopted: Bool)
}

/// What is started at each launch of an app that the test hosts.
struct HostedInstallation {
    let keys: [String: Any]
    let delegateType: AnyClass?
    let main: @MainActor () -> Void
}
