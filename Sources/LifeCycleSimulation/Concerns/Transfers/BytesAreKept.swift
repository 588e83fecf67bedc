import LifeCycleModel
import LifeCyclePolicy

/// Bytes that have arrived and are safely on disk are not requested again, not even after a restart of the system. A
/// whole file exists until its app has acknowledged it.
struct BytesAreKept: Invariant {
    static let name = "bytes are kept"

    // For look-up only, so the order does not matter.
    private var onDisk: [TransferID: Int64] = [:]
    private var whole: Set<TransferID> = []

    mutating func check(_ turn: Observation) -> String? {
        let effects = turn.effects
        if case .concern(.transfer(.reported(let report))) = turn.event,
            !effects.contains(.decided(.concern(.transfer(.reportIgnored(report.id)))))
        {
            note(report)
        }
        for effect in effects {
            switch effect {
            case .decided(.concern(.transfer(.completed(let id, _)))):
                onDisk[id] = nil
                whole.insert(id)
            case .decided(.concern(.transfer(.delivered(let id)))), .decided(.concern(.transfer(.failed(let id, _)))):
                whole.remove(id)
            case .store(.appRemoved(let app)): whole = whole.filter { $0.session.app != app }
            case .concern(.transfer(.begin(let id, _))):
                if whole.contains(id) { return "\(id) is begun, and all of it is there" }
                guard let received = onDisk[id], let order = turn.device.transferJob(of: id) else { break }
                guard order.checkpoint?.received == received else {
                    return "\(id) is begun from \(order.checkpoint?.received ?? 0), and \(received) bytes are there"
                }
            case .concern(.transfer(.discard(let id))):
                onDisk[id] = nil
                let isUninstalled = effects.contains(.store(.appRemoved(id.session.app)))
                if whole.contains(id), !isUninstalled { return "\(id) is discarded, and its app has not taken it" }
                whole.remove(id)
            default: break
            }
        }
        return nil
    }

    /// Files outlive the system.
    mutating func systemRestarted() {}

    private mutating func note(_ report: TransferReport) {
        switch report {
        case .checkpointed(let id, _, let checkpoint): onDisk[id] = checkpoint.received
        case .failed(let id, _, let problem): onDisk[id] = problem.checkpoint?.received
        case .stopped(let id, _, let checkpoint): onDisk[id] = checkpoint?.received
        case .responded(let id, _, let offset, _): if offset < onDisk[id] ?? 0 { onDisk[id] = nil }
        case .progressed, .completed, .moved: break
        }
    }
}
