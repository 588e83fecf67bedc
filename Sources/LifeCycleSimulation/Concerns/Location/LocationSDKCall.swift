import AppCore
import LifeCycleModel

/// A call of an app's code to its location manager.
private enum LocationSDKCall: SDKCall {
    case setUpdates(distanceFilter: Int64?)
    case setChangeMonitoring(Bool)

    var signature: String {
        switch self {
        case .setUpdates(nil): "stopUpdatingLocation()"
        case .setUpdates: "startUpdatingLocation()"
        case .setChangeMonitoring(true): "startMonitoringSignificantLocationChanges()"
        case .setChangeMonitoring(false): "stopMonitoringSignificantLocationChanges()"
        }
    }

    var rule: String {
        switch self {
        case .setUpdates: "R-135"
        case .setChangeMonitoring: "R-141"
        }
    }

    var text: String {
        switch self {
        case .setUpdates(nil): "stops updating the location"
        case .setUpdates: "starts updating the location"
        case .setChangeMonitoring(true): "starts monitoring significant location changes"
        case .setChangeMonitoring(false): "stops monitoring significant location changes"
        }
    }

    func perform(in app: inout ScriptedApp, into acts: inout [ScriptedApp.Act]) {
        var new: [Step] = []
        switch self {
        case .setUpdates(let filter): app.core.setLocationUpdates(distanceFilter: filter, into: &new)
        case .setChangeMonitoring(let isWanted): app.core.setChangeMonitoring(isWanted, into: &new)
        }
        app.add(new, into: &acts)
    }
}

extension AppScript.Act {
    /// Begins standard updates, with the least distance between two of them in centimetres; nil ends them.
    public static func updatesLocation(distanceFilter: Int64?) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setUpdates(distanceFilter: distanceFilter)))
    }

    /// Begins or ends the monitoring of significant changes.
    public static func monitorsChanges(_ isWanted: Bool) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setChangeMonitoring(isWanted)))
    }
}
