import LifeCycleModel
import LifeCyclePolicy

/// Compares the records, decisions and messages of locations with the model.
struct LocationComparison: ConcernComparison {
    private var stored: [LocationRecord] = []
    /// The obstacle to each app's change, by the brain's last decision about it.
    private var reported: [AppID: WakeRefusal] = [:]  // ordered: looked up only

    mutating func systemRestarted() { reported = [:] }

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [LocationDecision] = []
        var messages: [ReferenceLocations.Message] = []
        var switches: [Bool] = []
        for effect in effects {
            switch effect {
            case .store(.concern(.location(.client(let record)))):
                stored.removeAll { $0.app == record.app }
                stored.append(record)
                stored.sort { $0.app < $1.app }
            case .store(.appRemoved(let app)): stored.removeAll { $0.app == app }
            case .decided(.concern(.location(let decision))): said.append(decision)
            case .launch(let launch, .send(.concern(.location(.permission(let permission))))):
                messages.append(ReferenceLocations.Message(launch: launch, permission: permission))
            case .concern(.location(.setReceiver(let isOn))): switches.append(isOn)
            default: break
            }
        }
        let wanted = model.locations
        if stored != wanted.kept { return "location records: stored are \(stored), the model has \(wanted.kept)" }
        if device.location != wanted.newest {
            return "the location is \(device.location as Any), in the model \(wanted.newest as Any)"
        }
        if messages != wanted.messages { return "the brain sends \(messages), the model \(wanted.messages)" }
        if switches != wanted.switches {
            return "the receiver is switched \(switches), in the model \(wanted.switches)"
        }
        return compare(said, model)
    }

    /// The decisions that something holds up a change are compared by their reason: any reason that applies.
    private mutating func compare(_ ours: [LocationDecision], _ model: ReferenceModel) -> String? {
        var left = model.locations.said
        for decision in ours {
            if case .held(let app, let refusal) = decision {
                if reported[app] == refusal { return "\(app) is said to be held up by \(refusal) again" }
                reported[app] = refusal
                continue
            }
            guard let index = left.firstIndex(of: decision) else {
                return "the brain says \(decision), the model \(model.locations.said)"
            }
            left.remove(at: index)
        }
        guard left.isEmpty else { return "the brain says \(ours), the model \(model.locations.said)" }
        return compareHolds(model)
    }

    private mutating func compareHolds(_ model: ReferenceModel) -> String? {
        for record in stored where !model.locations.heldUp.contains(where: { $0.app == record.app }) {
            reported[record.app] = nil
        }
        for held in model.locations.heldUp where !held.reasons.contains(.shuttingDown) {
            guard let refusal = reported[held.app], held.reasons.contains(refusal) else {
                return "\(held.app) is said to be held up by \(reported[held.app] as Any), not \(held.reasons)"
            }
        }
        return nil
    }
}
