import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

extension LocalNotification {
    /// A notification with an alert, at a time on the wall clock of a bench.
    static func alert(_ body: String = "hello", at date: Nanoseconds? = nil) -> LocalNotification {
        var notification = LocalNotification()
        notification.alertBody = body
        notification.fireDate = date
        return notification
    }

    func with(_ change: (inout LocalNotification) -> Void) -> LocalNotification {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Bench {
    /// A running app acts on its notifications.
    @discardableResult
    mutating func notification(_ act: NotificationAct, _ launch: LaunchID = LaunchID(app: AppID(1), number: 1))
        -> String
    {
        let number = (helpers[launch]?.notificationActs ?? 0) + 1
        helpers[launch]?.notificationActs = number
        return does(
            .app(launch, .requested(.concern(.notification(.act(NumberedNotificationAct(number: number, act: act)))))))
    }

    /// A device whose first app is active and may show notifications of all types.
    static func notifying(_ policy: Policy = .iOS26, usesScenes: Bool = false) -> Bench {
        var bench = Bench.with(.active, policy, [.sample(1, usesScenes: usesScenes), .sample(2)])
        _ = bench.notification(.register(.all))
        _ = bench.plays()
        bench.forget()
        return bench
    }

    /// The notifications shown since the first `count` effects.
    func shown(since count: Int = 0) -> [ShownNotification] {
        effects[count...].compactMap { if case .concern(.notification(.show(let shown))) = $0 { shown } else { nil } }
    }

    /// The local notifications that the app was called for since the first `count` effects.
    func received(since count: Int = 0) -> [LocalNotification] {
        effects[count...].callbacks.compactMap {
            if case .concern(.notification(.received(let notification))) = $0 { notification } else { nil }
        }
    }

    /// The identifier of the newest remote notification equal to this one.
    func id(of notification: RemoteNotification) -> PushID {
        came.filter { $0.notification == notification }.map(\.id).max() ?? PushID(app: app(1), number: 0)
    }

    /// The callback of the first app for the notification.
    func call(for notification: RemoteNotification) -> Callback {
        .concern(.notification(.receivedRemote(.of(id(of: notification)))))
    }

    func decisions(since count: Int = 0) -> [NotificationDecision] {
        effects[count...].compactMap {
            if case .decided(.concern(.notification(let decision))) = $0 { decision } else { nil }
        }
    }

    /// The alert bodies of the scheduled notifications in the store.
    var scheduledOnDisk: [String] { notificationsOnDisk.scheduled.map { $0.notification.alertBody ?? "" } }
    var deliveredOnDisk: [String] { notificationsOnDisk.delivered.map { $0.notification.alertBody ?? "" } }

    /// Sets the wall clock, and no other clock.
    mutating func setsClock(by span: Nanoseconds) -> String {
        now = Moment(awake: now.awake, elapsed: now.elapsed, wall: now.wall + span)
        return does(.device(.clockStepped(by: span)))
    }

    /// The device sleeps for the time.
    mutating func sleeps(_ span: Nanoseconds) {
        now = Moment(awake: now.awake, elapsed: now.elapsed + span, wall: now.wall + span)
    }

    /// Sets the time zone of the device.
    mutating func isIn(_ name: String, _ footer: String) -> String {
        guard let footer = ZoneFooter(parsing: footer) else { return "no footer" }
        return does(.device(.zoneChanged(name, ZoneRules(footer: footer))))
    }
}

/// Lines about notifications. A notification's line is its alert body.
enum NotificationLines {
    static func of(_ notification: LocalNotification) -> String { notification.alertBody ?? "silence" }

    static func of(_ act: NotificationAct) -> String {
        switch act {
        case .schedule(let notification): "schedules \(of(notification))"
        case .present(let notification): "presents \(of(notification))"
        case .cancel(let notification): "cancels \(of(notification))"
        case .cancelAll: "cancels all"
        case .setBadge(let number): "badge \(number)"
        case .register(let types): "registers \(types.rawValue)"
        }
    }

    static func of(_ news: NotificationNews) -> String {
        switch news {
        case .begins(let status):
            "receives its notifications: \(status.received), \(status.badge), \(status.types.rawValue)"
        case .scheduled(let notification): "has scheduled \(of(notification))"
        case .unscheduled(let notification): "has no more \(of(notification))"
        case .received(let number): "was received, \(number)"
        case .badge(let number): "has badge \(number)"
        case .launchedBy(let notification): "is launched by \(of(notification))"
        case .launchedByRemote(.of(let push)): "is launched by push \(push)"
        case .launchedByRemote(.text(let payload)): "is launched by \(payload)"
        }
    }

    static func of(_ input: NotificationInput) -> String {
        switch input {
        case .pushArrived(let app, _): "push for \(app)"
        case .tokenMade(let app, let token): "\(token == nil ? "no token" : "a token") for \(app)"
        case .tokenPersisted(let app): "the token of \(app) is persisted"
        case .zoneRead(let name, let rules): "\(name) is \(rules == nil ? "no zone" : "read")"
        case .soundExamined(let id, let file): "sound of \(id): \(file)"
        case .tapped(let id): "tap \(id)"
        case .dismissed(let id): "dismiss \(id)"
        case .allowed(let app, let isAllowed): "\(app) \(isAllowed ? "may" : "may not") notify"
        }
    }

    static func of(_ output: NotificationOutput) -> String {
        switch output {
        case .makeDeviceToken(let app): "make a token for \(app)"
        case .confirmToken(let app): "confirm the token of \(app)"
        case .readZone(let name): "read \(name)"
        case .examineSound(let id, let name): "examine \(name) for \(id)"
        case .show(let shown):
            "show \(shown.id) \(of(shown.notification)), \(shown.types.rawValue), \(shown.sound)"
        case .withdraw(let app, let ids): "withdraw of \(app): \(ids.map(\.description).joined(separator: " "))"
        case .setBadge(let app, let number): "badge of \(app): \(number)"
        }
    }

    static func of(_ decision: NotificationDecision) -> String { "\(decision)" }

    static func of(_ record: NotificationRecord) -> String {
        switch record {
        case .client(let client): "notifications of \(client.app)"
        case .scheduled(let scheduled): "scheduled \(scheduled.id)"
        case .unscheduled(let id): "no more \(id)"
        case .delivered(let delivered): "\(delivered.stage) \(delivered.id)"
        case .removed(let id): "removal of \(id)"
        case .remote(let remote): "push \(remote.id)"
        case .remoteRemoved(let id): "removal of push \(id)"
        }
    }
}
