import LifeCycleModel
import LifeCyclePolicy

/// The facts that the reference model takes as given: the stored changes of transfers in the event, and the attempts
/// that the engine begins. The model has no network.
struct GivenFacts: Hashable, Sendable, Encodable {
    struct Begin: Hashable, Sendable, Encodable {
        let id: TransferID
        let attempt: Int32
    }

    /// The changes before the check of whether the session is done, and those after it.
    var changes: [TransferChange] = []
    var laterChanges: [TransferChange] = []
    var begun: [Begin] = []

    init() {}

    init(_ effects: [Effect]) {
        var settled: [TransferSessionID] = []
        for effect in effects {
            switch effect {
            case .store(.concern(.transfer(let change))):
                if settled.contains(change.session) { laterChanges.append(change) } else { changes.append(change) }
            case .decided(.concern(.transfer(.sessionDone(let id)))),
                .decided(.concern(.transfer(.sessionWakes(let id)))):
                settled.append(id)
            case .concern(.transfer(.begin(let id, let attempt))): begun.append(Begin(id: id, attempt: attempt))
            default: break
            }
        }
    }
}

extension TransferChange {
    fileprivate var session: TransferSessionID {
        switch self {
        case .session(let record): record.id
        case .sessionRemoved(let id): id
        case .task(let record): record.id.session
        case .taskRemoved(let id): id.session
        }
    }
}

/// The effect of wakes for background sessions on apps.
extension ReferenceModel {
    /// After the system's restart: before the restart, an app may have been called for a finished session.
    mutating func sessionsRestarted() {
        for session in sessions.sessions where session.record.areEventsPending && session.isDone {
            guard let index = index(of: session.record.id.app) else { continue }
            apps[index].launch?.earlierSessions.append(session.record.identifier)
        }
    }

    /// Continues the app's work on session events that the system's restart interrupted.
    mutating func goOnWithSessions(_ index: Int, at now: Nanoseconds) {
        for session in apps[index].launch?.earlierSessions ?? [] {
            work(index, on: .session(session), isBlamed: false, isAwaited: true, at: now)
        }
    }

    /// Of all acts on sessions, only `handled` changes the app itself.
    mutating func transfer(_ index: Int, _ session: SessionIdentifier, _ act: TransferAct) {
        guard let launch = apps[index].launch else { return }
        guard !launch.isEarly, !apps[index].manifest.isAdopted, !apps[index].isToBeRemoved else {
            return said.append(.launch(launch.id, .ignoredLate))
        }
        guard act == .handled else { return }
        apps[index].launch?.work.removeAll { $0.handler == .session(session) }
        handled(session, of: launch.id.app)
    }
}
