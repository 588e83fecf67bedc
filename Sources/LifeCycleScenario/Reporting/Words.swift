import AppCore
import LifeCycleModel
import LifeCycleSimulation

/// The names of calls and notifications, and functions that make texts safe to display.
enum Words {
    /// A text with invisible characters replaced by their codes, cut to `longest` scalars. Control characters can upset
    /// a terminal; others can change the direction of text.
    static func shown(_ text: String, longest: Int = 120) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                // These join the parts of an emoji, and the letters of several scripts.
                if scalar.value == 0x200D || scalar.value == 0x200C {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{" + String(scalar.value, radix: 16) + "}"
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > longest ? result + "…" : result
    }

    /// All names of calls to an app's code.
    static let called: [String] =
        DelegateCall.life.map(\.name) + [AppScript.Occasion.expirationHandler.name] + ConcernCall.names
        + SessionCall.Method.allCases.map(\.rawValue)

    /// All names of notifications.
    static let posted: [String] = [
        LifeCycleNotification.didFinishLaunching(.user), .didBecomeActive, .willResignActive, .didEnterBackground,
        .willEnterForeground, .didReceiveMemoryWarning, .protectedDataWillBecomeUnavailable,
        .protectedDataDidBecomeAvailable, .significantTimeChange, .backgroundRefreshStatusDidChange,
        .powerStateDidChange, .batteryStateDidChange, .batteryLevelDidChange, .willTerminate, .sceneWillConnect,
        .sceneWillEnterForeground, .sceneDidActivate, .sceneWillDeactivate, .sceneDidEnterBackground,
        .sceneDidDisconnect,
    ].map(\.name)

    /// A list in words; `nothing` if it is empty.
    static func list(_ names: [String]) -> String {
        names.isEmpty ? "nothing" : names.map { shown($0) }.joined(separator: ", ")
    }

    static func text(_ input: UserInput) -> String {
        switch input {
        case .text(let text): "\"\(shown(text))\""
        case .touch(let x, let y): "a touch at \(points(x)), \(points(y))"
        }
    }

    private static func points(_ thousandths: Int64) -> String {
        thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(thousandths)/1000"
    }
}
