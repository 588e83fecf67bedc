import LifeCycleModel
import LifeCyclePolicy

/// What the reference model takes as given of transfers: whether these are so, their invariants say.
struct GivenFacts: Hashable, Sendable, Encodable {
    struct Wake: Hashable, Sendable, Encodable {
        let app: AppID
        let session: SessionIdentifier
    }

    /// Apps that are woken, in order, each for a session all of which is done.
    var wakes: [Wake] = []
}

/// What being woken for a background session means for an app.
extension ReferenceModel {
    mutating func settleSessions() {
        for wake in given.wakes {
            let reason: LaunchReason = wake.session == .newsstand ? .newsstand : .urlSession
            wishes.append(.wake(wake.app, reason, .transfer(.handleEvents(wake.session))))
        }
        given.wakes = []
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
