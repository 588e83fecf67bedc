public import LifeCycleModel

/// The number of a location manager, unique in a launch of the app.
public struct LocationManagerID: Hashable, Sendable {
    let rawValue: Int64
}

/// A call that a location manager makes to its delegate.
public struct LocationDelivery: Hashable, Sendable {
    /// The manager that calls.
    public let manager: LocationManagerID
    /// The call and its values.
    public let call: LocationManagerCall
}

/// A call of a location manager to its delegate.
public enum LocationManagerCall: Hashable, Sendable {
    /// A call of the system.
    case location(LocationCall)
    /// `locationManager(_:didStartMonitoringFor:)`.
    case startedMonitoring(LocationRegion)
    /// `locationManager(_:monitoringDidFailFor:withError:)`, with the region's identifier.
    case monitoringFailed(String, LocationRegionFailure)
    /// `locationManager(_:didEnterRegion:)` and `locationManager(_:didExitRegion:)`.
    case crossed(LocationRegion, isInside: Bool)
    /// `locationManager(_:didDetermineState:for:)`; nil if the state is not known.
    case determined(LocationRegion, isInside: Bool?)
    /// Live updates wait for something else than a position.
    case waits(LiveUpdateObstacle)
}

/// A reason why live updates have no position yet.
public enum LiveUpdateObstacle: Hashable, Sendable {
    /// The user's decision, which the app has asked for.
    case permissionRequest
    /// A `CLServiceSession`, which the app requires of itself by its `Info.plist`.
    case serviceSession
    /// The foreground, or a background activity session.
    case use
}

/// The number of a background activity session, unique in a launch of the app.
public struct BackgroundActivityID: Hashable, Sendable {
    let rawValue: Int64
}

/// A location manager of the app, with the services that it has started.
struct LocationManagerServices: Hashable, Sendable {
    let id: LocationManagerID
    /// The manager's standard updates, as it asks for them; nil without them.
    var updates: StandardUpdates?
    var monitorsChanges = false
    /// Whether it stands for live updates, which continue after a denial.
    var isLive = false
    /// Whether the manager waits for the position that it requested.
    var isRequesting = false
    /// Whether the manager has had a delegate.
    var isIntroduced = false
    /// The last update that the manager was told; nil if there was none since the start of its updates.
    var told: LocationFix?

    /// The updates that the manager receives among new positions. Another manager may have a smaller filter.
    mutating func take(_ fixes: [LocationFix]) -> [LocationFix] {
        guard let distanceFilter = updates?.distanceFilter else { return [] }
        var received: [LocationFix] = []
        for fix in fixes {
            if let told, told == fix || distanceFilter > 0 && told.distance(to: fix) < distanceFilter { continue }
            told = fix
            received.append(fix)
        }
        return received
    }
}

extension StandardUpdates {
    /// The app's request for several managers: everything that one of them needs. Nil without managers.
    init?(union all: [StandardUpdates]) {
        guard let filter = all.map(\.distanceFilter).min() else { return nil }
        self.init(
            distanceFilter: filter, allowsBackground: all.contains(where: \.allowsBackground),
            pausesAutomatically: all.allSatisfy(\.pausesAutomatically),
            showsIndicator: all.contains(where: \.showsIndicator))
    }
}

extension LocationManagerCall {
    /// Whether the app learns from the call where the device is.
    var tellsThePlace: Bool {
        switch self {
        case .location(let call): call.tellsThePlace
        case .crossed, .determined: true
        case .startedMonitoring, .monitoringFailed, .waits: false
        }
    }
}
