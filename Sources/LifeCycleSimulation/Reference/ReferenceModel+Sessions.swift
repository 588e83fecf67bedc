import LifeCycleModel
import LifeCyclePolicy

/// What the reference model takes as given of transfers and fetches: whether these are so, their invariants say.
struct GivenFacts: Hashable, Sendable, Encodable {
    struct Wake: Hashable, Sendable, Encodable {
        let app: AppID
        let session: SessionIdentifier
    }

    /// Apps that are woken, in order, each for a session all of which is done.
    var wakes: [Wake] = []
    /// Apps that are given an opportunity to fetch, in order.
    var fetches: [AppID] = []
    /// What is kept of notifications is different from now on.
    var notifications: [NotificationRecord] = []
    /// The same, because some were due.
    var dueNotifications: [NotificationRecord] = []
    /// What an app is told that it may show.
    var registered: (app: AppID, types: NotificationTypes)? {
        get { registeredApp.map { ($0, registeredTypes) } }
        set { (registeredApp, registeredTypes) = (newValue?.app, newValue?.types ?? []) }
    }
    private var registeredApp: AppID?
    private var registeredTypes: NotificationTypes = []
    /// The user has opened an app by this one.
    var tapped: NotificationID?

    struct Push: Hashable, Sendable, Encodable {
        let app: AppID
        let notification: RemoteNotification
    }

    /// Remote notifications that are handed over, in order.
    var pushes: [Push] = []

    struct Registration: Hashable, Sendable, Encodable {
        let app: AppID
        let token: DeviceToken?
    }

    /// What an app is told of its registration for them.
    var registration: Registration?
}

/// What being woken for a background session means for an app.
extension ReferenceModel {
    mutating func wakeForSessions(at now: Nanoseconds) {
        for wake in given.wakes {
            guard let index = index(of: wake.app) else { continue }
            bringToLife(index, for: wake.session == .newsstand ? .newsstand : .urlSession, hasHandler: true, at: now)
            drawConsequences(at: now)
            apps[index].launch?.owe(.transfer(.handleEvents(wake.session)), .anywhere)
            drawConsequences(at: now)
        }
    }

    mutating func tellSession(_ index: Int, _ session: SessionIdentifier, at now: Nanoseconds) {
        giveHandler(index, .session(session), at: now)
    }

    /// The app may have heard before the system's restart that all of the session is done.
    mutating func mayHandle(_ session: SessionIdentifier, _ app: AppID) {
        if let index = index(of: app) { apps[index].launch?.earlierSessions.append(session) }
    }

    /// It was cut off from them by the system's restart.
    mutating func goOnWithSessions(_ index: Int, at now: Nanoseconds) {
        for session in apps[index].launch?.earlierSessions ?? [] {
            work(index, on: .session(session), isBlamed: false, isAwaited: true, at: now)
        }
    }

    /// Of all that an app does with its sessions, only that it is done with the events changes anything for itself.
    mutating func transfer(_ index: Int, _ session: SessionIdentifier, _ act: TransferAct) {
        guard let launch = apps[index].launch else { return }
        guard !launch.isEarly, !apps[index].manifest.isAdopted, !apps[index].isToBeRemoved else {
            return said.append(.launch(launch.id, .ignoredLate))
        }
        if act == .handled { apps[index].launch?.work.removeAll { $0.subject == .session(session) } }
    }
}
