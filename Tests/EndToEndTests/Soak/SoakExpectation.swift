import LifeCycleModel
import RoostWire

/// The user's actions whose success was reported. The actions must stay in effect, whichever process is killed.
struct SoakExpectation {
    private(set) var installed: Set<BundleIdentifier> = []
    /// Whether the user swiped the app away. An app without an entry may be in either state.
    private var quit: [BundleIdentifier: Bool] = [:]
    private var refresh: [BundleIdentifier: Bool] = [:]
    var settings: [String: String] = [:]
    /// The settings of interrupted calls.
    var unknownSettings: Set<String> = []
    private(set) var isLocked = false
    /// The app that the user opened last, as a target; it is not necessarily in the foreground.
    private(set) var foreground: BundleIdentifier?

    mutating func isInstalled(_ apps: [BundleIdentifier]) {
        for app in apps {
            installed.insert(app)
            quit[app] = false
            refresh[app] = true
        }
    }

    /// Only the installation of the app is known.
    mutating func isUnknown(_ app: BundleIdentifier) {
        quit[app] = nil
        refresh[app] = nil
    }

    /// A call was interrupted: its change may be in effect or not.
    mutating func isUnknown(after call: ControlCall) {
        switch call {
        case .launch(let app), .quit(let app): quit[app] = nil
        case .uninstall(let app): isUnknown(app)
        case .set(_, _, let app?): refresh[app] = nil
        case .set(let name, _, nil): unknownSettings.insert(name)
        default: break
        }
    }

    /// A call was answered, so its change is in effect.
    mutating func happened(_ call: ControlCall) {
        switch call {
        case .launch(let app), .switchTo(let app?), .accept(let app?):
            quit[app] = false
            foreground = app
        case .quit(let app): quit[app] = true
        case .home: foreground = nil
        case .lock: isLocked = true
        case .unlock: isLocked = false
        case .set(_, let value, let app?): refresh[app] = value == "on"
        case .set(let name, let value, nil): settings[name] = Self.asReported(name, value)
        default: break
        }
    }

    /// A setting's value as the system reports it: `2h` is 7200 s.
    private static func asReported(_ name: String, _ value: String) -> String {
        guard let setting = try? DeviceSetting(name: name, value: value) else { return value }
        return DeviceSettings().changed(by: setting).lines.first { $0.name == name }?.value ?? value
    }

    /// Reports every difference from the user's actions, and adopts the unknown values.
    mutating func compare(_ listed: [AppSummary], isLocked: Bool) -> [String] {
        var lost: [String] = []
        let identifiers = Set(listed.map(\.identifier))
        for app in installed.subtracting(identifiers) where quit[app] != nil { lost.append("\(app) is not installed") }
        for app in identifiers.subtracting(installed) { lost.append("\(app) is installed") }
        for app in listed {
            if let wanted = quit[app.identifier], wanted != app.isForceQuit {
                lost.append("\(app.identifier) was \(wanted ? "" : "not ")force-quit, but is reported otherwise")
            }
            if let wanted = refresh[app.identifier], wanted != app.allowsBackgroundRefresh {
                lost.append("\(app.identifier)'s backgroundRefresh was set to \(wanted), but is reported otherwise")
            }
            quit[app.identifier] = app.isForceQuit
            refresh[app.identifier] = app.allowsBackgroundRefresh
        }
        if isLocked != self.isLocked { lost.append("the screen is \(isLocked ? "" : "not ")locked") }
        return lost
    }
}
