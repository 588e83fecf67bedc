import LifeCycleModel
import LifeCyclePolicy

/// Requests for one position in the reference model.
extension ReferenceModel {
    mutating func requestLocation(_ isWanted: Bool, _ launch: LaunchID, _ permission: LocationPermission) {
        if isWanted, permission == .deny { return deny(launch) }
        guard waits(launch.app) != isWanted else { return }
        locations.said.append(.requested(launch, isWanted))
        // From now on the app has a record in memory.
        locations.change(launch.app) { _ in }
        locations.waiting.removeAll { $0.launch.app == launch.app }
        if isWanted { locations.waiting.append(ReferenceLocations.Waiting(launch: launch)) }
    }

    /// Whether an app waits for a position, or for the call with it.
    func waits(_ app: AppID) -> Bool { locations.waiting.contains { $0.launch.app == app } }

    /// Whether an app needs a position for its request now.
    func looksForRequest(_ app: AppID) -> Bool {
        locations.waiting.contains { $0.launch.app == app && !$0.isCallPending && mayKnowPosition($0.launch) }
    }

    mutating func receiveRequested(_ app: AppID) {
        guard let place = locations.waiting.firstIndex(where: { $0.launch.app == app && !$0.isCallPending }) else {
            return
        }
        guard looksForRequest(app) else { return locations.waiting[place].since = nil }
        let since = locations.waiting[place].since ?? wallNow
        locations.waiting[place].since = since
        let isSeen = locations.newest != nil && !locations.isOutOfSight
        guard isSeen || wallNow - since >= policy.locationRequest else { return }
        locations.waiting[place].isCallPending = true
        locations.said.append(.located(locations.waiting[place].launch, isKnown: locations.newest != nil))
        requests.append(.call(app, .location(.located(locations.newest)), .whereItRuns))
    }

    /// The times at which the apps are answered in any case.
    var requestTimes: [Nanoseconds] {
        locations.waiting.filter { !$0.isCallPending }.compactMap { $0.since.map { $0 + policy.locationRequest } }
            .filter { $0 > wallNow }
    }
}
