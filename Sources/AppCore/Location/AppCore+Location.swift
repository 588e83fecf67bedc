public import LifeCycleModel

/// The app's location: its requests, and what it can read.
extension AppCore {
    /// The user's decision about the app.
    public var locationPermission: LocationPermission { concerns.location.permission }

    /// The newest position that the app was told in this launch; nil if there is none.
    public var newestLocation: LocationFix? { concerns.location.newest }

    /// Begins standard updates of the app; nil ends them.
    public mutating func setLocationUpdates(_ options: StandardUpdates?, into steps: inout [Step]) {
        concerns.location.setUpdates(options, into: &steps)
    }

    /// Requests one position of the app; false: it does not wait any longer.
    public mutating func setLocationRequest(_ isWanted: Bool, into steps: inout [Step]) {
        concerns.location.send(.requestLocation(isWanted), into: &steps)
    }

    /// Begins or ends the monitoring of significant changes.
    public mutating func setChangeMonitoring(_ isWanted: Bool, into steps: inout [Step]) {
        concerns.location.setChangeMonitoring(isWanted, into: &steps)
    }

    /// The regions that the app monitors.
    public var monitoredRegions: [LocationRegion] { concerns.location.regions }

    /// Begins to monitor a region.
    public mutating func monitorRegion(_ region: LocationRegion, into steps: inout [Step]) {
        concerns.location.monitorRegion(region, into: &steps)
    }

    /// Ends the monitoring of a region, by its identifier.
    public mutating func stopRegion(_ identifier: String, into steps: inout [Step]) {
        concerns.location.stopRegion(identifier, into: &steps)
    }

    /// Asks the user for a permission.
    public mutating func requestLocationPermission(always: Bool, into steps: inout [Step]) {
        concerns.location.requestPermission(always: always, into: &steps)
    }

    /// Begins or ends a background activity session.
    public mutating func setBackgroundActivity(_ isWanted: Bool, into steps: inout [Step]) {
        concerns.location.setActivity(isWanted, into: &steps)
    }

    // MARK: Managers

    /// Adds a location manager. The app's request is the union of its managers' requests.
    public mutating func addLocationManager() -> LocationManagerID { concerns.location.addManager() }

    /// Removes a manager, whose standard updates end.
    public mutating func removeLocationManager(_ id: LocationManagerID, into steps: inout [Step]) {
        concerns.location.removeManager(id, into: &steps)
    }

    /// Records that a manager has a delegate.
    public mutating func introduceLocationManager(_ id: LocationManagerID) { concerns.location.introduce(id) }

    /// Records that a manager's delegate has vanished before it was told of the permission.
    public mutating func forgetIntroduction(of id: LocationManagerID) { concerns.location.forgetIntroduction(id) }

    /// Changes what a manager asks of its updates, if they are on. It ends neither a pause of the updates nor a request
    /// for one position.
    public mutating func changeLocationOptions(
        of id: LocationManagerID, _ options: StandardUpdates, into steps: inout [Step]
    ) {
        concerns.location.changeOptions(of: id, options, into: &steps)
    }

    /// Starts a manager's standard updates.
    public mutating func startLocationUpdates(
        of id: LocationManagerID, _ options: StandardUpdates, into steps: inout [Step]
    ) {
        concerns.location.startUpdates(of: id, options, mayReceive: mayReceiveLocation, into: &steps)
    }

    /// Stops a manager's standard updates.
    public mutating func stopLocationUpdates(of id: LocationManagerID, into steps: inout [Step]) {
        concerns.location.stopUpdates(of: id, into: &steps)
    }

    /// Requests one position for a manager: one call answers. A start or a stop of its updates cancels it.
    public mutating func requestLocation(for id: LocationManagerID, into steps: inout [Step]) {
        concerns.location.requestLocation(for: id, into: &steps)
    }

    /// Starts significant changes for a manager, which receives an event that came before.
    public mutating func startChangeMonitoring(of id: LocationManagerID, into steps: inout [Step]) {
        concerns.location.startChangeMonitoring(of: id, mayReceive: mayReceiveLocation, into: &steps)
    }

    /// Stops significant changes for a manager; for the app if no other manager receives them.
    public mutating func stopChangeMonitoring(of id: LocationManagerID, into steps: inout [Step]) {
        concerns.location.stopChangeMonitoring(of: id, into: &steps)
    }

    /// Begins to monitor a region for a manager, which is told of the result. The region is nil if it cannot be
    /// monitored.
    public mutating func startRegion(
        _ region: LocationRegion?, named identifier: String, of id: LocationManagerID, into steps: inout [Step]
    ) {
        concerns.location.startRegion(region, named: identifier, of: id, into: &steps)
    }

    /// Asks for the state of a region for a manager.
    public mutating func askState(
        of region: LocationRegion, for id: LocationManagerID, into steps: inout [Step]
    ) {
        concerns.location.askState(of: region, for: id, into: &steps)
    }

    /// Starts live updates, which a manager stands for. They ask the user for the location in use if the app's
    /// `Info.plist` allows it.
    public mutating func startLiveUpdates(
        of id: LocationManagerID, keys: LocationKeys, into steps: inout [Step]
    ) {
        concerns.location.startLiveUpdates(of: id, keys: keys, mayReceive: mayReceiveLocation, into: &steps)
    }

    /// Adds a background activity session: the app is in use in the background while it has one.
    public mutating func beginBackgroundActivity(into steps: inout [Step]) -> BackgroundActivityID {
        concerns.location.beginActivity(into: &steps)
    }

    /// Ends a background activity session, unless it has ended.
    public mutating func endBackgroundActivity(_ id: BackgroundActivityID, into steps: inout [Step]) {
        concerns.location.endActivity(id, into: &steps)
    }

    /// The most calls that managers have to make now.
    public var locationDeliveryCount: Int { concerns.location.deliveryCount }

    /// Takes the next call that a manager has to make to its delegate; nil if there is none.
    public mutating func nextLocationDelivery() -> LocationDelivery? { concerns.location.nextDelivery() }

    private var mayReceiveLocation: Bool {
        switch locationPermission {
        case .ask, .deny: false
        case .whenInUse: applicationState.isForeground || !concerns.location.activities.isEmpty
        case .always: true
        }
    }
}

/// The rule for `allowsBackgroundLocationUpdates`.
public enum LocationBackground {
    /// The key in `Info.plist`, and the mode that it must have.
    private static let (key, mode) = ("UIBackgroundModes", "location")

    /// Why an app may not let its updates continue in the background by this means; nil if it may.
    public static func refusal(
        modes: [String], of means: String = "allowsBackgroundLocationUpdates = true"
    ) -> String? {
        modes.contains(mode) ? nil : "\(means) needs \"\(mode)\" in \(key) in Info.plist"
    }
}

/// The keys of an app's `Info.plist` that locations read.
public struct LocationKeys: Hashable, Sendable {
    /// The key that is true if the app's live updates do not ask the user without a `CLServiceSession`.
    public static let explicitSession = "NSLocationRequireExplicitServiceSession"

    /// All keys of the file.
    public let all: Set<String>
    /// Whether the app's live updates do not ask the user without a `CLServiceSession`.
    public let requiresSession: Bool

    /// The keys of a file.
    public init(all: Set<String>, requiresSession: Bool) { (self.all, self.requiresSession) = (all, requiresSession) }
}

/// A text in an app's `Info.plist` that tells the user why the app needs the location; the raw value is its key.
public enum LocationPurpose: String, Hashable, Sendable, CaseIterable {
    case whenInUse = "NSLocationWhenInUseUsageDescription"
    case always = "NSLocationAlwaysAndWhenInUseUsageDescription"

    /// The texts that are missing for a request for permission. Without them the request does nothing.
    public static func missing(in keys: Set<String>, always: Bool) -> [LocationPurpose] {
        (always ? [.whenInUse, .always] : [.whenInUse]).filter { !keys.contains($0.rawValue) }
    }
}
