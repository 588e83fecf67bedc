import LifeCycleModel
import Testing

/// Settings as text: each name with its values, and an error message for other values.
@Suite struct DeviceSettingTests {
    static let good: [(name: String, value: String, setting: DeviceSetting)] = [
        ("passcode", "on", .passcode(true)), ("passcode", "off", .passcode(false)),
        ("backgroundRefresh", "off", .backgroundRefresh(false)), ("lowPowerMode", "on", .lowPowerMode(true)),
        ("metered", "on", .metered(true)), ("lowDataMode", "on", .lowDataMode(true)),
        ("network", "none", .network(.none)), ("network", "wifi", .network(.wifi)),
        ("network", "cellular", .network(.cellular)), ("power", "battery", .power(.battery)),
        ("power", "external", .power(.external)), ("batteryLevel", "0", .batteryLevel(0)),
        ("batteryLevel", "100", .batteryLevel(100)), ("autoLock", "never", .autoLock(nil)),
        ("autoLock", "30s", .autoLock(.seconds(30))), ("autoLock", "2m", .autoLock(.seconds(120))),
    ]

    @Test(arguments: good) func readsValidSettings(name: String, value: String, setting: DeviceSetting) throws {
        #expect(try DeviceSetting(name: name, value: value) == setting)
        #expect(setting.name == name)
    }

    @Test(arguments: [
        ("passcode", "yes"), ("passcode", "ON"), ("passcode", ""), ("network", "WiFi"), ("network", "5g"),
        ("power", "solar"), ("batteryLevel", "101"), ("batteryLevel", "-1"), ("batteryLevel", "50%"),
        ("batteryLevel", "1.5"), ("batteryLevel", ""), ("autoLock", "0"), ("autoLock", "-3s"), ("autoLock", "on"),
        ("autoLock", "99999999999999s"), ("lowPowerMode", "on "), ("backgroundRefresh", "нет"),
    ]) func invalidSettingsListTheValidValues(name: String, value: String) {
        let error = #expect(throws: DeviceSetting.Invalid.self) { try DeviceSetting(name: name, value: value) }
        let values = DeviceSetting.names.first { $0.name == name }?.values ?? "nothing"
        #expect(error?.description == "\(name) cannot be \"\(value)\": it can be \(values)")
    }

    @Test(arguments: ["", "Passcode", "gravity", "passcode "]) func saysWhichThereAre(name: String) {
        let error = #expect(throws: DeviceSetting.Invalid.self) { try DeviceSetting(name: name, value: "on") }
        #expect(
            error?.description
                == "there is no setting called \"\(name)\"; the settings are passcode, backgroundRefresh, "
                + "lowPowerMode, network, metered, lowDataMode, power, batteryLevel, autoLock")
    }

    @Test(arguments: good) func aChangeIsSeenInTheLines(name: String, value: String, setting: DeviceSetting) throws {
        let settings = DeviceSettings().changed(by: setting)
        #expect(settings.lines.map(\.name) == DeviceSetting.names.map(\.name))
        let line = try #require(settings.lines.first { $0.name == name })
        #expect(try DeviceSetting(name: name, value: line.value) == setting, "the displayed value can be parsed")
        for other in DeviceSettings().lines where other.name != name {
            #expect(settings.lines.first { $0.name == other.name }?.value == other.value, "nothing else changes")
        }
    }

    @Test func theBatterysStateFollows() {
        var facts = DeviceFacts()
        #expect(facts.batteryState == .full)
        facts.batteryLevel = 99
        #expect(facts.batteryState == .charging)
        facts.power = .battery
        #expect(facts.batteryState == .unplugged)
    }

    @Test func sessionsAreCountedUp() {
        var sessions = SceneSessions()
        sessions.discard()
        #expect(sessions == SceneSessions(), "no session to close")
        #expect(sessions.open() == SceneSessionID(1))
        #expect(sessions.open() == SceneSessionID(1), "only one session at a time")
        sessions.discard()
        #expect(sessions.open() == SceneSessionID(2))
        sessions.discard()
        #expect(sessions.discarded == [SceneSessionID(1), SceneSessionID(2)])
        sessions.reported([SceneSessionID(1)])
        #expect(sessions.discarded == [SceneSessionID(2)])
        #expect(sessions.current == nil && sessions.last == 2)
    }
}
