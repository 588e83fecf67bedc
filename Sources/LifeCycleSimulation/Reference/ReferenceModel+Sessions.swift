import LifeCycleModel
import LifeCyclePolicy

/// What the reference model takes as given of transfers: whether these are so, the invariants of transfers say.
struct TransferFacts: Hashable, Sendable, Encodable {
    struct Wake: Hashable, Sendable, Encodable {
        let app: AppID
        let session: SessionIdentifier
    }

    /// Apps that are woken, in order, each for a session all of which is done.
    var wakes: [Wake] = []
    /// The sessions of which the app the event is about has to hear that all is done: it may have heard so before the
    /// system's restart.
    var owing: [SessionIdentifier] = []
}

/// What being woken for a background session means for an app.
extension ReferenceModel {
    mutating func wakeForSessions(at now: Nanoseconds) {
        for wake in given.wakes {
            guard let index = index(of: wake.app) else { continue }
            bringToLife(index, for: .urlSession, at: now)
            drawConsequences(at: now)
            if apps[index].launch?.owedSessions.contains(wake.session) == false {
                apps[index].launch?.owedSessions.append(wake.session)
            }
            drawConsequences(at: now)
        }
    }

    /// It is called: off the foreground its time for that begins.
    mutating func tellSession(_ index: Int, _ session: SessionIdentifier, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        apps[index].launch?.owedSessions.removeAll { $0 == session }
        guard launch.phase == .background else { return }
        apps[index].launch?.sessionWork.removeAll { $0.session == session }
        apps[index].launch?.sessionWork.append(
            ReferenceLaunch.SessionWork(session: session, until: now + policy.sessionEvents, isBlamed: true))
    }

    /// It was cut off from them by the system's restart.
    mutating func goOnWithSessions(_ index: Int, at now: Nanoseconds) {
        for session in given.owing where apps[index].launch?.owedSessions.contains(session) == false {
            apps[index].launch?.sessionWork.append(
                ReferenceLaunch.SessionWork(session: session, until: now + policy.sessionEvents, isBlamed: false))
        }
    }

    /// Of all that an app does with its sessions, only that it is done with the events changes anything for itself.
    mutating func transfer(_ index: Int, _ session: SessionIdentifier, _ act: TransferAct) {
        guard let launch = apps[index].launch else { return }
        guard !launch.isEarly, !apps[index].manifest.isAdopted, !apps[index].isToBeRemoved else {
            return said.append(.ignoredLate(launch.id))
        }
        if act == .handled { apps[index].launch?.sessionWork.removeAll { $0.session == session } }
    }

    /// True where it has taken too long, and is killed for that.
    mutating func passSessionWork(_ index: Int, at now: Nanoseconds) -> Bool {
        let late = apps[index].launch?.sessionWork.filter { $0.until <= now } ?? []
        if late.contains(where: \.isBlamed) {
            kill(index, .sessionEventsNotHandled)
            return true
        }
        apps[index].launch?.sessionWork.removeAll { $0.until <= now }
        return false
    }
}
