import LifeCycleModel
import LifeCyclePolicy

/// A task's outcome is reported once after a session was opened, and never again after its acknowledgment.
struct OutcomesAreDeliveredOnce: Invariant {
    static let name = "outcomes are delivered once"

    private struct Opened: Hashable, Sendable {
        let launch: LaunchID
        let session: SessionIdentifier
    }

    // For look-up only, so the order does not matter.
    private var received: [Opened: Set<Int64>] = [:]
    private var acknowledged: Set<TransferID> = []

    mutating func check(_ turn: Observation) -> String? {
        switch turn.event {
        case .app(let launch, .requested(.concern(.transfer(let session, .open)))):
            received[Opened(launch: launch, session: session)] = nil
        case .app(let launch, .requested(.concern(.transfer(let session, .make(let new))))):
            // Another task may have the same number.
            if let id = Self.id(of: session, launch.app, turn.device) {
                acknowledged.remove(TransferID(session: id, number: new.number))
            }
            received[Opened(launch: launch, session: session)]?.remove(new.number)
        case .process(let launch, .exited(_)): received = received.filter { $0.key.launch != launch }
        default: break
        }
        for effect in turn.effects {
            switch effect {
            case .decided(.concern(.transfer(.delivered(let id)))): acknowledged.insert(id)
            case .launch(let launch, .send(.concern(.transfer(let session, .downloaded(let number, _, _, _))))),
                .launch(let launch, .send(.concern(.transfer(let session, .failed(let number, _))))):
                // A number that no task can have is refused each time.
                guard number > 0 else { break }
                let isNew = received[Opened(launch: launch, session: session), default: []].insert(number).inserted
                if !isNew { return "\(launch) is notified twice of the outcome of task \(number) of \(session)" }
                guard let id = Self.id(of: session, launch.app, turn.device) else { break }
                let task = TransferID(session: id, number: number)
                if acknowledged.contains(task) { return "\(launch) is notified of \(task), which it has acknowledged" }
            default: break
            }
        }
        return nil
    }

    /// The newest session with that name.
    private static func id(of session: SessionIdentifier, _ app: AppID, _ device: Device) -> TransferSessionID? {
        device.sessionRecords.last { $0.id.app == app && $0.identifier == session }?.id
    }

    /// A message from before the restart may not have arrived.
    mutating func systemRestarted() { received = [:] }
}
