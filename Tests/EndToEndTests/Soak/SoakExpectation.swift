import LifeCycleModel
import RoostWire

/// What the user did and was told was done: it has to be so, whoever is killed meanwhile.
struct SoakExpectation {
    private(set) var installed: Set<BundleIdentifier> = []
    /// Whether the user swiped it away; an app that is not in here may be either.
    private var quit: [BundleIdentifier: Bool] = [:]
    private var refresh: [BundleIdentifier: Bool] = [:]
    var settings: [String: String] = [:]
    /// Those that a call was about which was cut off.
    var unknownSettings: Set<String> = []
    private(set) var isLocked = false
    /// Whom the user opened last, for aiming at; not necessarily in front.
    private(set) var front: BundleIdentifier?

    mutating func isInstalled(_ apps: [BundleIdentifier]) {
        for app in apps {
            installed.insert(app)
            quit[app] = false
            refresh[app] = true
        }
    }

    /// Nothing is known of it but that it is installed.
    mutating func isUnknown(_ app: BundleIdentifier) {
        quit[app] = nil
        refresh[app] = nil
    }

    /// A call was cut off: what it would have changed may be either.
    mutating func isUnknown(after call: ControlCall) {
        switch call {
        case .launch(let app), .quit(let app): quit[app] = nil
        case .uninstall(let app): isUnknown(app)
        case .set(_, _, let app?): refresh[app] = nil
        case .set(let name, _, nil): unknownSettings.insert(name)
        default: break
        }
    }

    /// A call was answered: it is done.
    mutating func happened(_ call: ControlCall) {
        switch call {
        case .launch(let app), .switchTo(let app?), .accept(let app?):
            quit[app] = false
            front = app
        case .quit(let app): quit[app] = true
        case .home: front = nil
        case .lock: isLocked = true
        case .unlock: isLocked = false
        case .set(_, let value, let app?): refresh[app] = value == "on"
        case .set(let name, let value, nil): settings[name] = Self.asTold(name, value)
        default: break
        }
    }

    /// A setting's value as the system tells it: `2h` is 7200 s.
    private static func asTold(_ name: String, _ value: String) -> String {
        guard let setting = try? DeviceSetting(name: name, value: value) else { return value }
        return DeviceSettings().changed(by: setting).lines.first { $0.name == name }?.value ?? value
    }

    /// What is not as the user left it. Adopts what was not known.
    mutating func compare(_ listed: [AppSummary], isLocked: Bool) -> [String] {
        var lost: [String] = []
        let identifiers = Set(listed.map(\.identifier))
        for app in installed.subtracting(identifiers) where quit[app] != nil { lost.append("\(app) is not installed") }
        for app in identifiers.subtracting(installed) { lost.append("\(app) is installed") }
        for app in listed {
            if let wanted = quit[app.identifier], wanted != app.isForceQuit {
                lost.append("\(app.identifier) was \(wanted ? "" : "not ")swiped away, and it is forgotten")
            }
            if let wanted = refresh[app.identifier], wanted != app.allowsBackgroundRefresh {
                lost.append("\(app.identifier)'s backgroundRefresh was set to \(wanted), and it is forgotten")
            }
            quit[app.identifier] = app.isForceQuit
            refresh[app.identifier] = app.allowsBackgroundRefresh
        }
        if isLocked != self.isLocked { lost.append("the screen is \(isLocked ? "" : "not ")locked") }
        return lost
    }
}
