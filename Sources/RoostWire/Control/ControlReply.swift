/// A reply of `roost.Control`.
public enum ControlReply: Hashable, Sendable {
    /// To `install`: the installed app, notes about its bundle, and the decisions.
    case installed(AppSummary, notes: [String], decisions: [DecisionLine])
    /// To all actions on apps or the device, and to `why`.
    case decisions([DecisionLine])
    /// To `list`.
    case apps([AppSummary])
    /// To `watch`, repeatedly.
    case decision(DecisionLine)
    /// To `restart`: the restart is about to happen.
    case restarting
    /// To `status`.
    case status(SystemStatus)
    /// To `settings`.
    case settings(SettingsSummary)
    /// To `transfers`.
    case transfers(TransferPage)
    /// To `transfer`: the number of affected transfers, and the decisions.
    case transferred(Int, decisions: [DecisionLine])
    /// To `notifications`.
    case notifications([NotificationSummary])
    /// To `authenticate`.
    case authenticated
    /// To a wrong cookie, and to any call on an unauthenticated connection.
    case notAuthenticated
    /// To any call that failed.
    case failed(ControlFailure)

    private static let failedError = "roost.Control.Failed"
    private static let notAuthenticatedError = "roost.Control.NotAuthenticated"

    /// Reads the reply to `call`. Throws if it is not a reply to that call.
    public init(_ reply: VarlinkReply, to call: ControlCall) throws(WireError) {
        if let error = reply.error {
            if error == Self.notAuthenticatedError {
                self = .notAuthenticated
                return
            }
            guard error == Self.failedError else {
                throw .unexpectedReply(try VarlinkFailure(reply)?.description ?? error)
            }
            self = .failed(try reply.decoded(as: ControlFailure.self))
            return
        }
        switch call {
        case .install:
            let parameters = try reply.decoded(as: Installed.self)
            self = .installed(parameters.app, notes: parameters.notes, decisions: parameters.decisions)
        case .uninstall, .launch, .home, .wake, .quit, .why, .switchTo, .interrupt, .dismiss, .accept, .lock, .unlock,
            .memory, .clock, .set, .send, .act:
            self = .decisions(try reply.decoded(as: Decisions.self).decisions)
        case .list: self = .apps(try reply.decoded(as: Apps.self).apps)
        case .watch: self = .decision(try reply.decoded(as: Decision.self).decision)
        case .restart: self = .restarting
        case .authenticate: self = .authenticated
        case .status: self = .status(try reply.decoded())
        case .settings: self = .settings(try reply.decoded())
        case .transfer(.list): self = .transfers(try reply.decoded())
        case .notifications: self = .notifications(try reply.decoded(as: Notifications.self).notifications)
        case .transfer(.userAction):
            let parameters = try reply.decoded(as: Transferred.self)
            self = .transferred(parameters.done, decisions: parameters.decisions)
        }
    }

    private struct Notifications: Codable {
        var notifications: [NotificationSummary]
    }

    /// The reply as it is sent. A `decision` announces a further reply.
    public var reply: VarlinkReply {
        switch self {
        case .installed(let app, let notes, let decisions):
            VarlinkReply(Installed(app: app, notes: notes, decisions: decisions))
        case .decisions(let decisions): VarlinkReply(Decisions(decisions: decisions))
        case .apps(let apps): VarlinkReply(Apps(apps: apps))
        case .decision(let decision): VarlinkReply(Decision(decision: decision), continues: true)
        case .restarting, .authenticated: .empty
        case .notAuthenticated: VarlinkReply(error: Self.notAuthenticatedError)
        case .status(let status): VarlinkReply(status)
        case .settings(let settings): VarlinkReply(settings)
        case .transfers(let page): VarlinkReply(page)
        case .transferred(let done, let decisions): VarlinkReply(Transferred(done: done, decisions: decisions))
        case .notifications(let all): VarlinkReply(Notifications(notifications: all))
        case .failed(let failure): VarlinkReply(failure, error: Self.failedError)
        }
    }

    /// The bytes to send, with the terminating NUL.
    public func encoded() -> [UInt8] { reply.encoded() }

    private struct Installed: Codable {
        let app: AppSummary
        let notes: [String]
        let decisions: [DecisionLine]
    }
    private struct Decisions: Codable { let decisions: [DecisionLine] }
    private struct Apps: Codable { let apps: [AppSummary] }
    private struct Decision: Codable { let decision: DecisionLine }
    private struct Transferred: Codable {
        let done: Int
        let decisions: [DecisionLine]
    }
}
