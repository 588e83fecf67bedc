import LifeCycleModel
import LifeCyclePolicy

/// Compares the records, decisions and messages of locations with the model.
struct LocationComparison: ConcernComparison {
    private var stored: [LocationRecord] = []
    private var changes = HoldReports()
    private var crossings = HoldReports()

    mutating func systemRestarted() { (changes, crossings) = (HoldReports(), HoldReports()) }

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [LocationDecision] = []
        var messages: [ReferenceLocations.Message] = []
        var regionLists: [ReferenceLocations.RegionList] = []
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
            case .launch(let launch, .send(.concern(.location(.regions(let regions))))):
                regionLists.append(ReferenceLocations.RegionList(launch: launch, regions: regions))
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
        if regionLists != wanted.regionLists {
            return "the brain sends \(regionLists), the model \(wanted.regionLists)"
        }
        if switches != wanted.switches {
            return "the receiver is switched \(switches), in the model \(wanted.switches)"
        }
        return compare(said, model)
    }

    /// The decisions that something holds up a change are compared by their reason: any reason that applies.
    private mutating func compare(_ ours: [LocationDecision], _ model: ReferenceModel) -> String? {
        var left = model.locations.said
        for decision in ours {
            switch decision {
            case .held(let app, let refusal):
                if let finding = changes.report(app, refusal) { return finding }
                continue
            case .crossingHeld(let app, let refusal):
                if let finding = crossings.report(app, refusal) { return finding }
                continue
            default: break
            }
            guard let index = left.firstIndex(of: decision) else {
                return "the brain says \(decision), the model \(model.locations.said)"
            }
            left.remove(at: index)
        }
        guard left.isEmpty else { return "the brain says \(ours), the model \(model.locations.said)" }
        return changes.compare(with: model.locations.heldUp)
            ?? crossings.compare(with: model.locations.regionsHeldUp)
    }
}

/// The obstacles to wakes, by the brain's last decisions about them.
private struct HoldReports {
    private var reported: [AppID: WakeRefusal] = [:]  // ordered: looked up only

    mutating func report(_ app: AppID, _ refusal: WakeRefusal) -> String? {
        if reported[app] == refusal { return "\(app) is said to be held up by \(refusal) again" }
        reported[app] = refusal
        return nil
    }

    mutating func compare(with heldUp: [ReferenceLocations.HeldUp]) -> String? {
        reported = reported.filter { entry in heldUp.contains { $0.app == entry.key } }
        for held in heldUp where !held.reasons.contains(.shuttingDown) {
            guard let refusal = reported[held.app], held.reasons.contains(refusal) else {
                return "\(held.app) is said to be held up by \(reported[held.app] as Any), not \(held.reasons)"
            }
        }
        return nil
    }
}
