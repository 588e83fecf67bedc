import LifeCycleModel
import LifeCyclePolicy

/// Compares the decisions about sessions and tasks, the engine's work, the messages to apps, the records and the tasks
/// with the model.
///
/// Not compared are the decisions about tasks that wait, and the times in records since which a task waits.
struct SessionComparison: ConcernComparison {
    private var sessions: [TransferSessionID: TransferSessionRecord] = [:]  // ordered: looked up only
    private var tasks: [TransferID: TransferRecord] = [:]  // ordered: looked up only

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var (said, outputs): ([TransferDecision], [TransferOutput]) = ([], [])
        var (done, woken): ([TransferSessionID], [TransferSessionID]) = ([], [])
        var messages: [ReferenceSessions.Message] = []
        var stored: [TransferID] = []
        for effect in effects {
            switch effect {
            case .decided(.concern(.transfer(.sessionDone(let id)))): done.append(id)
            case .decided(.concern(.transfer(.sessionWakes(let id)))): woken.append(id)
            case .decided(.concern(.transfer(.waits))): break
            case .decided(.concern(.transfer(let decision))): said.append(decision)
            case .concern(.transfer(let output)): outputs.append(output)
            case .launch(let launch, .send(.concern(.transfer(let session, let news)))):
                messages.append(ReferenceSessions.Message(launch: launch, session: session, news: news))
            case .store(.concern(.transfer(let change))): stored.append(take(change))
            default: break
            }
        }
        let wanted = model.sessions
        if done.sorted() != wanted.done.sorted() {
            return ReferenceComparison.differ("sessions that are done", done, wanted.done)
        }
        if woken.sorted() != wanted.woken.sorted() {
            return ReferenceComparison.differ("sessions that wake", woken, wanted.woken)
        }
        return Self.compare(said, wanted.said) ?? Self.compare(outputs, wanted.outputs)
            ?? Self.compare(messages, wanted.messages) ?? compareRecords(stored + wanted.touched, wanted)
            ?? compareTasks(effects, device, wanted)
    }

    /// Stored records remain.
    mutating func systemRestarted() {}

    private mutating func take(_ change: TransferChange) -> TransferID {
        switch change {
        case .session(let record):
            sessions[record.id] = record
            return TransferID(session: record.id, number: 0)
        case .sessionRemoved(let id):
            sessions[id] = nil
            return TransferID(session: id, number: 0)
        case .task(let record):
            tasks[record.id] = record
            return record.id
        case .taskRemoved(let id):
            tasks[id] = nil
            return id
        }
    }

    /// Compares the elements, in any order.
    private static func compare<Element: Equatable>(_ ours: [Element], _ theirs: [Element]) -> String? {
        if ours == theirs { return nil }
        var left = theirs
        for element in ours {
            guard let index = left.firstIndex(of: element) else {
                return "the brain has \(element), the model \(theirs)"
            }
            left.remove(at: index)
        }
        return left.isEmpty ? nil : "the brain has \(ours), the model also \(left)"
    }

    private func compareRecords(_ ids: [TransferID], _ wanted: ReferenceSessions) -> String? {
        for id in Set(ids).sorted() {
            if id.number == 0 {
                let model = wanted.index(of: id.session).map { Self.plain(wanted.sessions[$0].record) }
                let brain = sessions[id.session].map(Self.plain)
                if brain != model { return ReferenceComparison.differ("\(id.session)", brain as Any, model as Any) }
            } else {
                let (brain, model) = (tasks[id].map(Self.plain), wanted[id].map { Self.plain($0.record) })
                if brain != model { return ReferenceComparison.differ("\(id)", brain as Any, model as Any) }
            }
        }
        return nil
    }

    private static func plain(_ record: TransferSessionRecord) -> TransferSessionRecord {
        var plain = record
        (plain.clock, plain.gatesSince) = (nil, nil)
        return plain
    }

    private static func plain(_ record: TransferRecord) -> TransferRecord {
        var plain = record
        plain.since = nil
        return plain
    }

    private func compareTasks(_ effects: [Effect], _ device: Device, _ wanted: ReferenceSessions) -> String? {
        let theirs = wanted.sessions.flatMap(\.tasks)
        if theirs.isEmpty { return device.transferIDs.isEmpty ? nil : "the brain still has \(device.transferIDs)" }
        let ours = device.transferSnapshots
        if ours.map(\.id) != theirs.map(\.record.id) {
            return ReferenceComparison.differ("tasks", ours.map(\.id), theirs.map(\.record.id))
        }
        for (our, their) in zip(ours, theirs) {
            if our.attempt != their.attempt || our.received != their.received || our.expected != their.expected {
                return ReferenceComparison.differ(
                    "\(our.id)", (our.attempt, our.received, our.expected),
                    (their.attempt, their.received, their.expected))
            }
            if let wait = their.ownWait, wait != our.wait {
                return ReferenceComparison.differ("\(our.id) waits", our.wait as Any, wait)
            }
        }
        return nil
    }
}
