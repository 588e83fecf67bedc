import AppCore
public import LifeCycleModel

/// A call of an app's code to background fetch.
private struct FetchSDKCall: SDKCall {
    let interval: Nanoseconds?

    var signature: String { "setMinimumBackgroundFetchInterval(_:)" }
    var rule: String { "R-89" }

    var text: String {
        switch interval {
        case nil: "asks for no fetches"
        case .zero?: "asks to fetch as often as possible"
        case let interval?: "asks to fetch at most every \(interval)"
        }
    }

    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act]) {
        var new: [Step] = []
        app.core.setMinimumFetchInterval(interval, into: &new)
        app.add(new, into: &acts)
    }
}

extension AppScript.Act {
    /// Requests fetches at this interval at most; nil for no fetches.
    public static func fetches(_ interval: Nanoseconds?) -> Self {
        .sdk(AnySDKCall(FetchSDKCall(interval: interval)))
    }
}
