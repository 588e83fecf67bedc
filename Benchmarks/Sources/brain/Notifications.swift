import LifeCycleModel
import LifeCyclePolicy

/// The cost of local notifications in the brain: every app schedules 64, and all of them fire one by one.
struct NotificationLoad {
    static let each: Int64 = 64

    let apps: Int32
    private(set) var device: Device
    private var effects: [Effect] = []
    private var now = Moment(awake: .seconds(1000), elapsed: .seconds(1000), wall: .seconds(1_800_000_000))
    private var records = NotificationRecords()
    private(set) var shown = 0

    init(apps: Int32) {
        self.apps = apps
        device = Device(policy: .iOS26, apps: [], launches: [])
        handle(.device(.zoneChanged("UTC", .utc)))
        for number in 1...apps {
            let app = AppID(number)
            guard let identifier = BundleIdentifier("org.example.app\(number)") else { fatalError("no identifier") }
            handle(
                .device(.appInstalled(app, AppManifest(identifier: identifier, executable: "app", usesScenes: true))))
            handle(.device(.appOpened(app)))
            let launch = LaunchID(app: app, number: 1)
            handle(.process(launch, .started))
            handle(
                .app(
                    launch,
                    .attached(
                        Attachment(lastCallback: CallbackID(0), phase: .starting, open: [], isSceneConnected: false))))
            act(.register(.all), 1, of: launch)
        }
    }

    var count: Int { Int(apps) * Int(Self.each) }

    /// The due time of each notification; all are different.
    private func date(_ app: Int32, _ number: Int64) -> Nanoseconds {
        Nanoseconds.seconds(1_800_010_000 + number * Int64(apps) + Int64(app))
    }

    private mutating func handle(_ event: Event) {
        effects.removeAll(keepingCapacity: true)
        device.handle(event, at: now, into: &effects)
    }

    private mutating func act(_ act: NotificationAct, _ number: Int64, of launch: LaunchID) {
        handle(
            .app(launch, .requested(.concern(.notification(.act(NumberedNotificationAct(number: number, act: act)))))))
    }

    mutating func schedule() {
        for app in 1...apps {
            for number in 1...Self.each {
                var notification = LocalNotification()
                notification.alertBody = "notification \(number)"
                notification.fireDate = date(app, number)
                act(.schedule(notification), number + 1, of: LaunchID(app: AppID(app), number: 1))
            }
        }
    }

    /// Advances from one due time to the next, and returns how often the device had to wake up.
    mutating func fire() -> Int {
        var wakeUps = 0
        while let deadline = device.nextDeadline {
            now = now.advanced(by: max(.zero, deadline.at - now.awake))
            handle(.deadlineReached)
            if deadline.reason == .notification { wakeUps += 1 }
            for case .concern(.notification(.show)) in effects { shown += 1 }
        }
        return wakeUps
    }

    /// The device after a restart from the stored records.
    func restarted() -> Device {
        let apps = (1...apps).compactMap { number in
            BundleIdentifier("org.example.app\(number)").map {
                AppRecord(app: AppID(number), manifest: AppManifest(identifier: $0, executable: "app"))
            }
        }
        let kept = device.notificationRecords
        let changes: [NotificationRecord] =
            kept.clients.map { .client($0) } + kept.scheduled.map { .scheduled($0) }
            + kept.delivered.map { .delivered($0) }
        return Device(policy: .iOS26, apps: apps, launches: [], concerns: changes.map { .notification($0) })
    }
}

/// Prints the costs for 1,000 and for 32,000 notifications.
func measureNotifications() {
    for apps: Int32 in [16, 500, 16, 500] {
        var load = NotificationLoad(apps: apps)
        let insert = seconds(clock.measure { load.schedule() })
        let start = seconds(clock.measure { guard load.restarted().nextDeadline != nil else { fatalError("lost") } })
        var wakeUps = 0
        let fire = seconds(clock.measure { wakeUps = load.fire() })
        print("notifications=\(load.count) insert=\(Int(insert * 1e9) / load.count)", terminator: " ")
        print("fire=\(Int(fire * 1e9) / load.count) start=\(Int(start * 1e6))", terminator: " ")
        print("shown=\(load.shown) wakeups=\(wakeUps)")
    }
}
