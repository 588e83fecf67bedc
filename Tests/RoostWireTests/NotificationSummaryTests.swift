import LifeCycleModel
import RoostWire
import Testing

/// A notification in `roost.Control` has everything that a shell needs to draw it.
@Suite struct NotificationSummaryTests {
    private static let id = NotificationID(app: AppID(1), number: 7)

    private func summary(
        remote payload: String, types: NotificationTypes = .all
    ) throws -> NotificationSummary {
        let remote = try RemoteNotification(payload: Array(payload.utf8))
        let shown = try #require(remote.presentation).notification
        let app = try #require(ControlWireTests.app)
        return NotificationSummary(Self.id, of: app, shown, state: "shown", types: types, remote: remote)
    }

    private static let payload = """
        {"aps":{"alert":{"title":"T","body":"B"},"sound":{"name":"ring.caf","critical":1},"badge":0,"category":"C",\
        "thread-id":"t1","interruption-level":"time-sensitive"},"mine":{"a":[1]}}

        """

    @Test func remoteNotificationsAreSummarized() throws {
        let summary = try summary(remote: Self.payload)
        #expect(summary.title == "T" && summary.body == "B" && summary.sound == "ring.caf" && summary.badge == 0)
        #expect(summary.category == "C" && summary.thread == "t1" && summary.level == "time-sensitive")
        #expect(summary.payload == Self.payload && summary.userInfo == nil && summary.isCut == nil)
    }

    @Test func disallowedTypesAreLeftOut() throws {
        let summary = try summary(remote: Self.payload, types: .alert)
        #expect(summary.sound == nil && summary.badge == nil && summary.body == "B")
    }

    @Test func localNotificationsAreSummarized() throws {
        var notification = LocalNotification()
        (notification.alertBody, notification.sound, notification.category) = ("B", .standard, "C")
        (notification.badge, notification.userInfo, notification.repeats) = (3, "YnBsaXN0", .day)
        let app = try #require(ControlWireTests.app)
        let summary = NotificationSummary(Self.id, of: app, notification, state: "scheduled")
        #expect(summary.sound == "default" && summary.badge == 3 && summary.category == "C")
        #expect(summary.userInfo == "YnBsaXN0" && summary.payload == nil && summary.level == nil)
        let reply = ControlReply.notifications([summary])
        #expect(try ControlReply(VarlinkReply(reply.encoded().dropLast()), to: .notifications(app: nil)) == reply)
    }

    @Test func tooMuchIsCut() throws {
        var summary = try summary(remote: Self.payload)
        let before = summary.weight
        summary.body = String(repeating: "x", count: 1000)
        summary.cut(after: 200)
        #expect(before > Self.payload.utf8.count && summary.body?.count == 200)
        #expect(summary.isCut == true && summary.payload == nil && summary.title == "T" && summary.sound == "ring.caf")
    }

    @Test func theLevelIsAString() {
        #expect(throws: PayloadFault.self) {
            try RemoteNotification(payload: Array(#"{"aps":{"alert":"a","interruption-level":1}}"#.utf8))
        }
    }
}
