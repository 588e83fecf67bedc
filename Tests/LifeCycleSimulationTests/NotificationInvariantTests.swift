import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import Testing

/// The invariant "notifications fire once". The invariant rejects each violation.
@Suite struct NotificationInvariantTests {
    private static let id = NotificationID(app: app(1), number: 1)

    private static func scheduled(repeats: RepeatInterval? = nil, last: Int64? = nil) -> ScheduledRecord {
        var notification = LocalNotification()
        notification.alertBody = "hello"
        notification.fireDate = .seconds(100)
        notification.repeats = repeats
        return ScheduledRecord(
            id: id, notification: notification, start: CivilTime(utc: .seconds(100)), last: last.map { .seconds($0) })
    }

    private static func stored(_ record: ScheduledRecord) -> Effect {
        .store(.concern(.notification(.scheduled(record))))
    }
    private static let unscheduled = Effect.store(.concern(.notification(.unscheduled(id))))
    private static let fired = Effect.decided(.concern(.notification(.fired(id, late: .zero))))

    private static func shown(_ number: Int64 = 2) -> Effect {
        .concern(
            .notification(
                .show(
                    ShownNotification(
                        id: NotificationID(app: app(1), number: number), notification: scheduled().notification,
                        types: .alert, sound: .none))))
    }

    private static func delivered(_ number: Int64 = 2, _ stage: DeliveredRecord.Stage = .shown) -> Effect {
        .store(
            .concern(
                .notification(
                    .delivered(
                        DeliveredRecord(
                            id: NotificationID(app: app(1), number: number), notification: scheduled().notification,
                            types: .alert, fired: .seconds(100), stage: stage)))))
    }

    /// The finding for the effects, each at a second of the wall clock; nil if there is none.
    private static func finding(_ turns: [(second: Int64, effects: [Effect])]) -> String? {
        var invariants = Invariants()
        for (second, effects) in turns {
            let now = Moment.zero.advanced(by: .seconds(second))
            let violation = invariants.check(.device(.clockWasSet), effects, device: Device(), now: now)
            if let violation, violation.invariant == "notifications fire once" { return violation.finding }
        }
        return nil
    }

    @Test func correctHistoriesPass() {
        let right = Self.finding([
            (0, [Self.stored(Self.scheduled())]),
            (100, [Self.unscheduled, Self.fired, Self.delivered(), Self.shown()]),
        ])
        #expect(right == nil)
        let repeated = Self.finding([
            (0, [Self.stored(Self.scheduled(repeats: .minute))]),
            (100, [Self.stored(Self.scheduled(repeats: .minute, last: 100)), Self.fired]),
            (160, [Self.stored(Self.scheduled(repeats: .minute, last: 160)), Self.fired]),
        ])
        #expect(repeated == nil)
    }

    @Test func unscheduledFiringsAreFound() {
        #expect(Self.finding([(100, [Self.fired])])?.contains("was not scheduled") == true)
    }

    @Test func nothingFiresBeforeItsTime() {
        let early = Self.finding([(0, [Self.stored(Self.scheduled())]), (99, [Self.unscheduled, Self.fired])])
        #expect(early?.contains("before its time") == true)
    }

    @Test func nothingFiresTwice() {
        let twice = Self.finding([
            (0, [Self.stored(Self.scheduled())]), (100, [Self.unscheduled, Self.fired]), (101, [Self.fired]),
        ])
        #expect(twice?.contains("a second time") == true)
    }

    @Test func firedNotificationsMustBeStored() {
        let forgotten = Self.finding([(0, [Self.stored(Self.scheduled())]), (100, [Self.fired])])
        #expect(forgotten?.contains("not kept") == true)
        let lost = Self.finding([
            (0, [Self.stored(Self.scheduled(repeats: .day))]), (100, [Self.unscheduled, Self.fired]),
        ])
        #expect(lost?.contains("no longer") == true)
    }

    @Test func repeatedOrUnstoredDisplaysAreFound() {
        let twice = Self.finding([(100, [Self.delivered(), Self.shown()]), (200, [Self.delivered(), Self.shown()])])
        #expect(twice?.contains("a second time") == true)
        #expect(Self.finding([(100, [Self.shown()])])?.contains("before it is kept") == true)
        #expect(
            Self.finding([(100, [Self.delivered(2, .sounding), Self.shown()])])?.contains("before it is kept") == true)
    }

    @Test func tooManyAreTooMany() {
        let many = (1...65).map { number in
            Self.stored(
                ScheduledRecord(
                    id: NotificationID(app: app(1), number: number), notification: LocalNotification(), start: nil))
        }
        #expect(Self.finding([(0, Array(many.dropLast()))]) == nil)
        #expect(Self.finding([(0, many)])?.contains("65") == true)
    }
}
