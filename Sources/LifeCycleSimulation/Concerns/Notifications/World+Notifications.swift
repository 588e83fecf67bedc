public import LifeCycleModel
import LifeCyclePolicy

/// The body's part in notifications: zones, sounds, and the user's actions on displayed notifications.
extension World {
    /// The zones that exist, by name.
    static let zones: [(name: String, footer: String)] = [
        ("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"), ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
        ("Australia/Sydney", "AEST-10AEDT,M10.1.0,M4.1.0/3"), ("Asia/Kolkata", "IST-5:30"),
    ]

    private static func rules(of zone: String) -> ZoneRules? {
        zones.first { $0.name == zone }.flatMap { ZoneFooter(parsing: $0.footer) }.map { ZoneRules(footer: $0) }
    }

    fileprivate mutating func perform(_ output: NotificationOutput) {
        switch output {
        case .readZone(let name):
            plan(.adapterReports(.notification(.zoneRead(name, Self.rules(of: name)))), in: latency())
        case .examineSound(let id, _):
            let formats = SoundFile.Format.allCases
            let sounds: [SoundFile] = [
                .missing, .unreadable, .sound(formats[random.below(formats.count)], length: .seconds(29)),
                .sound(.linearPCM, length: .seconds(30)),
            ]
            let sound = sounds[random.below(sounds.count)]
            plan(.adapterReports(.notification(.soundExamined(id, sound))), in: latency())
        case .makeDeviceToken(let app):
            let token = makeToken()
            handle(.concern(.notification(.tokenMade(app, token))))
        case .confirmToken(let app): handle(.concern(.notification(.tokenPersisted(app))))
        case .show, .withdraw, .setBadge: break
        }
    }

    /// Schedules a notification by an app's script.
    mutating func schedule(_ notification: LocalNotification, in span: Nanoseconds, _ index: Int) {
        var dated = notification
        dated.fireDate = now.wall + span
        var acts: [ScriptedApp.Act] = []
        let launch = processes[index].app.launch
        processes[index].app.schedule(dated, into: &acts)
        for act in acts { perform(act, of: launch) }
    }

    /// The device moves to another zone.
    mutating func goTo(zone name: String) {
        guard let rules = Self.rules(of: name) else { return }
        zone = name
        handle(.device(.zoneChanged(name, rules)))
    }

    /// The displayed notifications of an app, in the order in which they fired.
    public func shownNotifications(of app: AppID) -> [DeliveredRecord] {
        device.notificationRecords.delivered.filter { $0.id.app == app && $0.stage == .shown }
    }

    /// The user acts on a notification, which usually exists.
    mutating func useNotification(of app: AppID) {
        let shown = device.notificationRecords.delivered.filter { $0.stage == .shown }
        if random.chance(1, in: 8) {
            handle(.concern(.notification(.allowed(app, random.chance(3, in: 4)))))
        } else if random.chance(1, in: 6) {
            goTo(zone: Self.zones[random.below(Self.zones.count)].name)
        } else if shown.isEmpty || random.chance(1, in: 20) {
            let id = NotificationID(app: app, number: Int64(1 + random.below(20)))
            handle(.concern(.notification(random.chance(1, in: 2) ? .tapped(id) : .dismissed(id))))
        } else {
            let id = shown[random.below(shown.count)].id
            handle(.concern(.notification(random.chance(2, in: 3) ? .tapped(id) : .dismissed(id))))
        }
    }
}

extension NotificationOutput: SimulatedOutput {
    func perform(in world: inout World) { world.perform(self) }

    func perform(in world: inout SmallWorld) {
        switch self {
        case .makeDeviceToken(let app):
            let token = DeviceToken(Array(repeating: 1, count: DeviceToken.size))
            world.handle(.concern(.notification(.tokenMade(app, token))))
        case .confirmToken(let app): world.handle(.concern(.notification(.tokenPersisted(app))))
        case .readZone, .examineSound, .show, .withdraw, .setBadge: break
        }
    }
}
