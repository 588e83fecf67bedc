import AppCore
public import LifeCycleModel

/// A call of an app's code to its location manager.
private enum LocationSDKCall: SDKCall {
    case setUpdates(StandardUpdates?)
    case requestLocation
    case setChangeMonitoring(Bool)
    case monitorRegion(LocationRegion)
    case stopRegion(String)
    case setBackgroundActivity(Bool)

    var signature: String {
        switch self {
        case .setUpdates(nil): "stopUpdatingLocation()"
        case .setUpdates: "startUpdatingLocation()"
        case .requestLocation: "requestLocation()"
        case .setChangeMonitoring(true): "startMonitoringSignificantLocationChanges()"
        case .setChangeMonitoring(false): "stopMonitoringSignificantLocationChanges()"
        case .monitorRegion: "startMonitoring(for:)"
        case .stopRegion: "stopMonitoring(for:)"
        case .setBackgroundActivity(true): "CLBackgroundActivitySession()"
        case .setBackgroundActivity(false): "invalidate()"
        }
    }

    var rule: String {
        switch self {
        case .setUpdates, .requestLocation: "R-135"
        case .setChangeMonitoring: "R-141"
        case .monitorRegion, .stopRegion: "R-144"
        case .setBackgroundActivity: "R-149"
        }
    }

    var text: String {
        switch self {
        case .setUpdates(nil): "stops updating the location"
        case .setUpdates(let options?):
            "starts updating the location" + (options.allowsBackground ? ", also in the background" : "")
        case .requestLocation: "requests the location once"
        case .setChangeMonitoring(true): "starts monitoring significant location changes"
        case .setChangeMonitoring(false): "stops monitoring significant location changes"
        case .monitorRegion(let region): "starts monitoring the region \(region.identifier)"
        case .stopRegion(let identifier): "stops monitoring the region \(identifier)"
        case .setBackgroundActivity(true): "begins a background activity session"
        case .setBackgroundActivity(false): "ends its background activity session"
        }
    }

    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act]) {
        var new: [Step] = []
        switch self {
        case .setUpdates(let options): app.core.setLocationUpdates(options, into: &new)
        case .requestLocation: app.core.setLocationRequest(true, into: &new)
        case .setChangeMonitoring(let isWanted): app.core.setChangeMonitoring(isWanted, into: &new)
        case .monitorRegion(let region): app.core.monitorRegion(region, into: &new)
        case .stopRegion(let identifier): app.core.stopRegion(identifier, into: &new)
        case .setBackgroundActivity(let isWanted): app.core.setBackgroundActivity(isWanted, into: &new)
        }
        app.add(new, into: &acts)
    }
}

extension AppScript.Act {
    /// Begins standard updates; nil ends them.
    public static func updatesLocation(_ options: StandardUpdates?) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setUpdates(options)))
    }

    /// Requests one position.
    public static let requestsLocation = Self.sdk(AnySDKCall(LocationSDKCall.requestLocation))

    /// Begins or ends the monitoring of significant changes.
    public static func monitorsChanges(_ isWanted: Bool) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setChangeMonitoring(isWanted)))
    }

    /// Begins to monitor a region.
    public static func monitorsRegion(_ region: LocationRegion) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.monitorRegion(region)))
    }

    /// Begins or ends a background activity session.
    public static func hasBackgroundActivity(_ isWanted: Bool) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setBackgroundActivity(isWanted)))
    }

    /// Ends the monitoring of a region, by its identifier.
    public static func stopsRegion(_ identifier: String) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.stopRegion(identifier)))
    }
}
