import LifeCycleModel

/// Why a region is not monitored; raw values are those of Apple's `CLError`.
public enum LocationRegionFailure: Int32, Hashable, Sendable {
    /// The user does not allow it.
    case denied = 4
    /// The app has too many regions, or this one cannot be monitored.
    case failure = 5
}

/// The monitored regions of the app.
extension LocationMirror {
    /// The app's last request for a region in this launch.
    struct RegionRequest: Hashable, Sendable {
        let identifier: String
        /// Nil for a stop.
        let region: LocationRegion?
    }

    /// A manager waits for the state of a region.
    struct RegionQuestion: Hashable, Sendable {
        let manager: LocationManagerID
        let region: LocationRegion
    }

    // MARK: Calls and messages

    /// The regions that the system monitors. A request of this launch may be newer.
    mutating func learn(_ list: [LocationRegion]) {
        let isRequested = { [regionRequests] (region: LocationRegion) in
            regionRequests.contains { $0.identifier == region.identifier }
        }
        regions.removeAll { !isRequested($0) }
        for region in list where !isRequested(region) { put(region) }
    }

    /// All managers are told, and learn the state, too. Before there is one, the crossing waits for it.
    mutating func crossed(_ identifier: String, isInside: Bool) {
        guard let region = regions.first(where: { $0.identifier == identifier }) else { return }
        earlyCrossings.removeAll { $0.region == identifier }
        let receivers = managers.filter(\.isIntroduced).map(\.id)
        if receivers.isEmpty {
            earlyCrossings.append(LocationRegionState(region: identifier, isInside: isInside))
        }
        for manager in receivers { tell(manager, region, isInside: isInside) }
    }

    private mutating func tell(_ manager: LocationManagerID, _ region: LocationRegion, isInside: Bool) {
        queue(.crossed(region, isInside: isInside), to: manager)
        queue(.determined(region, isInside: isInside), to: manager)
    }

    mutating func learn(_ states: [LocationRegionState]) {
        for question in regionQuestions {
            let state = states.first { $0.region == question.region.identifier }
            queue(.determined(question.region, isInside: state?.isInside), to: question.manager)
        }
        regionQuestions = []
    }

    /// The first manager with a delegate receives the crossings that came before it.
    mutating func tellEarlyCrossings(to manager: LocationManagerID) {
        for crossing in earlyCrossings {
            guard let region = regions.first(where: { $0.identifier == crossing.region }),
                let isInside = crossing.isInside
            else { continue }
            tell(manager, region, isInside: isInside)
        }
        earlyCrossings = []
    }

    /// The requests of this launch, after a new connection.
    func sendRegionsAgain(into steps: inout [Step]) {
        for request in regionRequests {
            send(request.region.map { .monitorRegion($0) } ?? .stopRegion(request.identifier), into: &steps)
        }
        if !regionQuestions.isEmpty { send(.requestRegionStates, into: &steps) }
    }

    // MARK: The requests of the app

    mutating func monitorRegion(_ region: LocationRegion, into steps: inout [Step]) {
        note(RegionRequest(identifier: region.identifier, region: region))
        put(region)
        send(.monitorRegion(region), into: &steps)
    }

    mutating func stopRegion(_ identifier: String, into steps: inout [Step]) {
        note(RegionRequest(identifier: identifier, region: nil))
        regions.removeAll { $0.identifier == identifier }
        earlyCrossings.removeAll { $0.region == identifier }
        send(.stopRegion(identifier), into: &steps)
    }

    /// Begins to monitor a region for a manager, which is told. The region is nil if it cannot be monitored.
    mutating func startRegion(
        _ region: LocationRegion?, named identifier: String, of manager: LocationManagerID, into steps: inout [Step]
    ) {
        let isNew = !regions.contains { $0.identifier == identifier }
        if permission == .deny { return queue(.monitoringFailed(identifier, .denied), to: manager) }
        guard let region, !isNew || regions.count < LocationRegion.most else {
            return queue(.monitoringFailed(identifier, .failure), to: manager)
        }
        monitorRegion(region, into: &steps)
        queue(.startedMonitoring(region), to: manager)
    }

    mutating func askState(of region: LocationRegion, for manager: LocationManagerID, into steps: inout [Step]) {
        guard regions.contains(where: { $0.identifier == region.identifier }) else {
            return queue(.determined(region, isInside: nil), to: manager)
        }
        regionQuestions.append(RegionQuestion(manager: manager, region: region))
        send(.requestRegionStates, into: &steps)
    }

    private mutating func put(_ region: LocationRegion) {
        regions.removeAll { $0.identifier == region.identifier }
        regions.append(region)
    }

    private mutating func note(_ request: RegionRequest) {
        regionRequests.removeAll { $0.identifier == request.identifier }
        regionRequests.append(request)
        // Old stops have long been carried out. An app may use ever new identifiers.
        let stops = regionRequests.indices.filter { regionRequests[$0].region == nil }
        if stops.count > LocationRegion.most { regionRequests.remove(at: stops[0]) }
    }
}
