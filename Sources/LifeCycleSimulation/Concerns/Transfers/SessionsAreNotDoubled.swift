import LifeCycleModel
import LifeCyclePolicy

/// An app that creates a session with a known name gets the existing session. The number of a session is never reused
/// . No session with tasks is removed.
struct SessionsAreNotDoubled: Invariant {
    static let name = "sessions are not doubled"

    private struct Name: Hashable, Sendable {
        let app: AppID
        let session: SessionIdentifier
    }

    // For look-up only, so the order does not matter.
    private var sessions: [Name: TransferSessionID] = [:]
    private var newest: [AppID: Int32] = [:]
    private var tasks: Set<TransferID> = []
    private var finishing: Set<TransferSessionID> = []
    /// Sessions that were to be finished when the system was restarted. Such a session may be over: the store does not
    /// say whether the app was notified of its end.
    private var mayBeOver: Set<TransferSessionID> = []

    /// For a device that has no sessions yet.
    init() {}

    /// For the device at the start of a journal.
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
                    return "\(id) is opened without a request"
                }
                let name = Name(app: id.app, session: session)
                // A finished session without tasks may be replaced: nothing exists twice.
                if let old = sessions[name], effects.contains(.store(.concern(.transfer(.sessionRemoved(old))))) {
                    sessions[name] = nil
                }
                if let old = sessions[name], old != id, mayBeOver.contains(old) { sessions[name] = nil }
                mayBeOver.remove(id)
                if let old = sessions[name], old != id { return "\(session) is \(old), and is opened as \(id)" }
                if isNew, sessions[name] != nil { return "\(id) exists already and is made again" }
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
