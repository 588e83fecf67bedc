import LifeCycleModel
import LifeCyclePolicy

/// An app that makes a session of a name again gets the one there is; the number of a session is never given twice (R-57,
/// None is forgotten with tasks in it.
struct SessionsAreNotDoubled: Invariant {
    static let name = "sessions are not doubled"

    private struct Name: Hashable, Sendable {
        let app: AppID
        let session: SessionIdentifier
    }

    // In no order that matters: looked up only.
    private var sessions: [Name: TransferSessionID] = [:]
    private var newest: [AppID: Int32] = [:]
    private var tasks: Set<TransferID> = []
    private var finishing: Set<TransferSessionID> = []
    /// Sessions that were to be finished when the system was restarted. Whether the app has heard of their end is persisted
    /// nowhere, so they may be over.
    private var mayBeOver: Set<TransferSessionID> = []

    /// Of a device that has no sessions yet.
    init() {}

    /// Of a device as it is when a journal begins.
    init(_ device: Device) {
        for record in device.sessionRecords { newest[record.id.app] = record.id.number }
    }

    mutating func systemRestarted() { mayBeOver = finishing }

    mutating func check(_ turn: Observation) -> String? {
        let effects = turn.effects
        for effect in effects {
            switch effect {
            case .decided(.concern(.transfer(.sessionOpened(let id, let isNew)))):
                guard case .app(let launch, .requested(.concern(.transfer(let session, .open)))) = turn.event,
                    launch.app == id.app
                else {
                    return "\(id) is opened, and nobody asked for it"
                }
                let name = Name(app: id.app, session: session)
                // One that was finished and has no tasks may make way: nothing is there twice.
                if let old = sessions[name], effects.contains(.store(.concern(.transfer(.sessionRemoved(old))))) {
                    sessions[name] = nil
                }
                if let old = sessions[name], old != id, mayBeOver.contains(old) { sessions[name] = nil }
                mayBeOver.remove(id)
                if let old = sessions[name], old != id { return "\(session) is \(old), and is opened as \(id)" }
                if isNew, sessions[name] != nil { return "\(id) is there, and is made anew" }
                if isNew, id.number <= newest[id.app] ?? 0 { return "the number of \(id) was given before" }
                if isNew { newest[id.app] = id.number }
                sessions[name] = id
            case .store(.concern(.transfer(.session(let record)))):
                if record.isFinishing { finishing.insert(record.id) } else { finishing.remove(record.id) }
            case .store(.concern(.transfer(.task(let record)))): tasks.insert(record.id)
            case .store(.concern(.transfer(.taskRemoved(let id)))): tasks.remove(id)
            case .store(.concern(.transfer(.sessionRemoved(let id)))):
                if tasks.contains(where: { $0.session == id }) { return "\(id) goes, and its tasks are forgotten" }
                sessions = sessions.filter { $0.value != id }
            case .decided(.concern(.transfer(.sessionInvalidated(let id)))):
                sessions = sessions.filter { $0.value != id }
            default: break
            }
        }
        return nil
    }
}
