import AppCore
public import LifeCycleModel

/// A call of an app's code to its location manager.
private enum LocationSDKCall: SDKCall {
    case setUpdates(StandardUpdates?)
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
        case .setUpdates(let options?):
            "starts updating the location" + (options.allowsBackground ? ", also in the background" : "")
        case .setChangeMonitoring(true): "starts monitoring significant location changes"
        case .setChangeMonitoring(false): "stops monitoring significant location changes"
        }
    }

    func perform(in app: inout ScriptedApp, into acts: inout [ScriptedApp.Act]) {
        var new: [Step] = []
        switch self {
        case .setUpdates(let options): app.core.setLocationUpdates(options, into: &new)
        case .setChangeMonitoring(let isWanted): app.core.setChangeMonitoring(isWanted, into: &new)
        }
        app.add(new, into: &acts)
    }
}

extension AppScript.Act {
    /// Begins standard updates; nil ends them.
    public static func updatesLocation(_ options: StandardUpdates?) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setUpdates(options)))
    }

    /// Begins or ends the monitoring of significant changes.
    public static func monitorsChanges(_ isWanted: Bool) -> Self {
        .sdk(AnySDKCall(LocationSDKCall.setChangeMonitoring(isWanted)))
    }
}
