import LifeCycleModel
import RoostWire

/// An action on the system: by its user, by the device, or on its processes.
enum SoakAct: CustomStringConvertible {
    case call(ControlCall)
    /// Uninstalls an app, and installs it again.
    case reinstall(Int)
    /// Installs an app over itself.
    case update(Int)
    /// Gives an app a new script for its callbacks.
    case script(Int, String)
    /// Kills an app's process.
    case killApp(Int)
    /// Kills the supervisor; the guardian starts another.
    case killSupervisor
    /// Kills the supervisor as soon as this call is sent, answered or not.
    case killDuring(ControlCall)
    /// Kills the guardian, or both, and starts the system again.
    case kill(TestSystem.Victim)
    /// Kills the guardian, and starts the system only after its supervisor has given up.
    case abandon
    /// Kills both, and thaws all frozen apps before the system is started again.
    case killAndThaw
    /// Restarts the supervisor by `roost restart`.
    case restart
    /// Sends SIGTERM, and starts the system again.
    case terminate

    /// The name in the statistics.
    var kind: String {
        switch self {
        case .call(let call): String("\(call.call.method)".split(separator: ".").last ?? "").lowercased()
        case .reinstall: "uninstall and install"
        case .update: "install over"
        case .script: "script"
        case .killApp: "kill an app"
        case .killSupervisor, .kill(.supervisor): "kill the supervisor"
        case .killDuring: "kill the supervisor during a call"
        case .kill(.guardian): "kill the guardian"
        case .kill(.both): "kill both"
        case .abandon: "kill the guardian and stay away"
        case .killAndThaw: "kill both, thaw"
        case .restart: "restart"
        case .terminate: "terminate"
        }
    }

    var description: String {
        switch self {
        case .call(let call): "\(call)"
        case .killDuring(let call): "kill the supervisor during \(call)"
        case .reinstall(let app), .update(let app), .killApp(let app): "\(kind) \(app + 1)"
        case .script(let app, let text): "script \(app + 1) \(text.debugDescription)"
        default: kind
        }
    }
}

/// How often the system itself is attacked, for a while.
enum SoakWeather: CaseIterable {
    case calm, fair, stormy

    /// The number of attacks in a thousand actions.
    var violence: UInt64 {
        switch self {
        case .calm: 0
        case .fair: 40
        case .stormy: 200
        }
    }
}

extension Soak {
    /// The next action.
    func nextAct() -> SoakAct {
        if roll(1000) < weather.violence { return violentAct() }
        // Most actions are impossible behind a locked screen.
        if expected.isLocked, roll(3) == 0 { return .call(.unlock) }
        switch roll(100) {
        case 0..<24: return .call(.launch(anApp))
        case 24..<38: return .call(.home)
        case 38..<44: return .call(.switchTo(roll(2) == 0 ? nil : anApp))
        case 44..<48: return .call(.interrupt(pick(Interruption.allCases)))
        case 48..<51: return .call(.dismiss)
        case 51..<54: return .call(.accept(roll(2) == 0 ? nil : anApp))
        case 54..<57: return .call(.lock)
        case 57..<59: return .call(.unlock)
        case 59..<61: return .call(.memory(.warning))
        case 61..<62: return .call(.memory(.critical))
        case 62..<66: return .call(aSetting())
        case 66..<71:
            return .call(.send(expected.foreground ?? anApp, roll(2) == 0 ? .text("soak") : .touch(x: 1, y: 2)))
        case 71..<76: return .call(.quit(anApp))
        case 76..<87: return .call(.wake(anApp, pick([.locationMonitoring, .remoteNotification, .backgroundFetch])))
        case 87..<89: return .update(anIndex)
        case 89..<90: return .reinstall(anIndex)
        case 90..<97:
            let index = anIndex
            let scripts = apps[index].scripts
            return scripts.isEmpty ? .call(.home) : .script(index, pick(scripts))
        default: return .killApp(anIndex)
        }
    }

    private func violentAct() -> SoakAct {
        switch roll(20) {
        case 0..<5: .killSupervisor
        case 5..<8: .killDuring(pick([.launch(anApp), .quit(anApp), .home, aSetting(), .uninstall(anApp)]))
        case 8..<11: .kill(.guardian)
        case 11..<14: .kill(.both)
        case 14: .abandon
        case 15: .killAndThaw
        case 16..<18: .terminate
        default: .restart
        }
    }

    private func aSetting() -> ControlCall {
        let (name, value) = pick([
            ("passcode", "on"), ("passcode", "off"), ("lowPowerMode", "on"), ("lowPowerMode", "off"),
            ("network", "none"), ("network", "wifi"), ("network", "cellular"), ("power", "battery"),
            ("power", "external"), ("batteryLevel", "\(roll(101))"), ("autoLock", "2h"), ("autoLock", "never"),
            ("backgroundRefresh", "on"), ("backgroundRefresh", "off"), ("backgroundRefresh", "on"),
        ])
        let isForApp = name == "backgroundRefresh" && roll(2) == 0
        return .set(name: name, value: value, app: isForApp ? anApp : nil)
    }

    private var anIndex: Int { Int(roll(UInt64(apps.count))) }
    private var anApp: BundleIdentifier { apps[anIndex].identifier }
    private func pick<Value>(_ values: [Value]) -> Value { values[Int(roll(UInt64(values.count)))] }
}
