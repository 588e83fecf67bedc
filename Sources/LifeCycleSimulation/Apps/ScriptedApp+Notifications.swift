import AppCore
import LifeCycleModel

/// An app's use of notifications, by its behavior profile.
extension ScriptedApp {
    mutating func useNotifications(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        guard profile.notifies > 0, random.chance(profile.notifies, in: 100) else { return }
        if profile.lies > 0, random.chance(1, in: 4) {
            let act = NumberedNotificationAct(number: Int64(random.below(20)), act: .cancelAll)
            acts += [.fault(.lie), .send(.concern(.notification(.act(act))))]
        }
        let count = random.chance(1, in: 6) ? 5 : 1
        for _ in 0..<count { use(Self.act(on: core.scheduledNotifications, at: now, random: &random), into: &acts) }
    }

    private mutating func use(_ act: NotificationAct, into acts: inout [Act]) {
        var new: [Step] = []
        core.notification(act, into: &new)
        sendOnly(new, into: &acts)
    }

    mutating func schedule(_ notification: LocalNotification, into acts: inout [Act]) {
        use(.schedule(notification), into: &acts)
    }

    private static func act(
        on scheduled: [LocalNotification], at now: Nanoseconds, random: inout RandomSource
    ) -> NotificationAct {
        switch random.below(16) {
        case 0: return .cancelAll
        case 1: return .setBadge(Int32(random.below(3)))
        case 2, 3: return .present(notification(at: nil, random: &random))
        case 4, 5: return .register([.all, .alert, .sound, []][random.below(4)])
        case 6, 7: if let last = scheduled.last { return .cancel(last) }
        default: break
        }
        // The simulator's wall clock is ahead of the clock that apps see, sometimes by far.
        let span = [Int64(120_000_000_000), 20_000_000_000_000, 20_000_000_000_000_000][random.below(3)]
        let date = now + Nanoseconds(random.span(upTo: span))
        return .schedule(notification(at: random.chance(1, in: 30) ? .distantFuture : date, random: &random))
    }

    private static func notification(at date: Nanoseconds?, random: inout RandomSource) -> LocalNotification {
        var notification = LocalNotification()
        notification.fireDate = date
        if random.chance(1, in: 3) {
            let names = World.zones.map(\.name) + ["Mars/Olympus"]
            notification.timeZone = names[random.below(names.count)]
        }
        let intervals: [RepeatInterval] = [.hour, .day, .week, .month, .quarter, .year]
        if random.chance(1, in: 4) { notification.repeats = intervals[random.below(intervals.count)] }
        if random.chance(4, in: 5) { notification.alertBody = "notification \(random.below(3))" }
        if random.chance(1, in: 3) { notification.sound = random.chance(1, in: 2) ? .standard : .named("sound.caf") }
        if random.chance(1, in: 4) { notification.badge = Int32(random.below(4)) }
        return notification
    }
}
