import LifeCycleModel
import LifeCyclePolicy

/// Compares the records, decisions and obstacles of background fetch with the model.
struct FetchComparison: ConcernComparison {
    private var stored: [FetchRecord] = []
    /// The obstacle of each app in the brain's last decision about it.
    private var reported: [AppID: FetchObstacle] = [:]  // ordered: looked up only

    mutating func systemRestarted() { reported = [:] }

    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var said: [FetchDecision] = []
        for effect in effects {
            switch effect {
            case .store(.concern(.fetch(.client(let record)))):
                stored.removeAll { $0.app == record.app }
                stored.append(record)
                stored.sort { $0.app < $1.app }
            case .store(.concern(.fetch(.removed(let app)))), .store(.appRemoved(let app)):
                stored.removeAll { $0.app == app }
                reported[app] = nil
            case .decided(.concern(.fetch(.barred(let app, let obstacle)))):
                if reported[app] == obstacle { return "\(app) is said to be barred by \(obstacle as Any) again" }
                reported[app] = obstacle
            case .decided(.concern(.fetch(let decision))): said.append(decision)
            default: break
            }
        }
        if stored != model.fetches.kept {
            return "fetch records: stored are \(stored), the model has \(model.fetches.kept)"
        }
        return compareSaid(said, model.fetches.said) ?? compareObstacles(model)
    }

    private func compareSaid(_ ours: [FetchDecision], _ theirs: [ReferenceFetches.ExpectedDecision]) -> String? {
        var left = theirs
        for decision in ours {
            guard let index = left.firstIndex(where: { $0.allows(decision) }) else {
                return "the brain says \(decision), the model \(theirs)"
            }
            left.remove(at: index)
        }
        return left.isEmpty ? nil : "the brain says \(ours), the model \(theirs)"
    }

    /// Checks that each app's reported obstacle is one of the model's obstacles.
    private func compareObstacles(_ model: ReferenceModel) -> String? {
        guard model.areConcernsStarted else { return nil }
        for record in model.fetches.records {
            guard let index = model.index(of: record.app) else { continue }
            let obstacles = model.fetchObstacles(index)
            let isSo = reported[record.app].map(obstacles.contains) ?? obstacles.isEmpty
            // During a shutdown there is no decision about each app.
            if !isSo, !obstacles.contains(.refused(.shuttingDown)) {
                return
                    "\(record.app) is said to be barred by \(reported[record.app] as Any), the model has \(obstacles)"
            }
        }
        return nil
    }
}

extension ReferenceFetches.ExpectedDecision {
    fileprivate func allows(_ decision: FetchDecision) -> Bool {
        switch self {
        case .exactly(let own): own == decision
        case .declined(let launch, let refusals): refusals.contains { .declined(launch, $0) == decision }
        case .missed(let app, let refusals): refusals.contains { .missed(app, $0) == decision }
        }
    }
}
