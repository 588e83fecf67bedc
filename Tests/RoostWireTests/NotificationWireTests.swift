import LifeCycleModel
import RoostWire
import Testing

/// Local notifications on the wire.
@Suite struct NotificationWireTests {
    private static var full: LocalNotification {
        var notification = LocalNotification()
        notification.fireDate = Nanoseconds(-5)
        notification.timeZone = "Europe/Berlin"
        notification.repeats = .quarter
        notification.alertBody = "\u{0}\"☃️\u{7f}\n한국어"
        notification.alertTitle = "title"
        notification.alertAction = ""
        notification.hasAction = false
        notification.alertLaunchImage = "image"
        notification.sound = .named("alarmsound.caf")
        notification.badge = .min
        notification.userInfo = "YnBsaXN0MDA="
        notification.category = "category"
        return notification
    }

    private static func acts() -> [NotificationAct] {
        var standard = LocalNotification()
        standard.sound = .standard
        return [
            .schedule(full), .schedule(LocalNotification()), .schedule(standard), .present(full), .cancel(full),
            .cancelAll,
            .setBadge(7), .register([.alert, .sound]),
        ]
    }

    @Test func requestsAreDecodedUnchanged() throws {
        for (number, act) in zip(Int64(1)..., Self.acts()) {
            let call = AppCall.request(
                .concern(.notification(.act(NumberedNotificationAct(number: number, act: act)))))
            #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
    }

    @Test func notificationNewsIsDecodedUnchanged() throws {
        let news: [NotificationNews] = [
            .begins(NotificationStatus(received: 4, badge: 3, types: .all)), .scheduled(Self.full),
            .unscheduled(LocalNotification()), .received(0), .badge(0), .launchedBy(Self.full),
            .launchedByRemote(.text("{\"aps\":{\"alert\":\"☃️\"}}\n")),
        ]
        for message in news.map({ SystemMessage.concern(.notification($0)) }) {
            #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
        }
        let calls: [NotificationCall] = [.received(Self.full), .receivedRemote(.text("{}\n")), .registered(.badge)]
        for callback in calls {
            let message = SystemMessage.callback(CallbackID(3), .concern(.notification(callback)))
            #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
        }
    }

    @Test(
        arguments: [
            #"{"number":0,"kind":"cancelAll"}"#, #"{"number":1,"kind":"postpone"}"#, #"{"number":1,"kind":"schedule"}"#,
            #"{"number":1,"kind":"schedule","notification":{"repeats":"second"}}"#,
            #"{"number":1,"kind":"schedule","notification":{"fireDate":1.5}}"#,
            #"{"number":1,"kind":"schedule","notification":{"badge":4294967296}}"#,
            #"{"number":1,"kind":"schedule","notification":{"userInfo":"no base64!"}}"#,
            #"{"number":1,"kind":"setBadge"}"#, #"{"number":1,"kind":"register","types":"all"}"#,
        ])
    func invalidNotificationsAreRefused(parameters: String) throws {
        let text = #"{"method":"roost.App.Notification","oneway":true,"parameters":"# + parameters + "}"
        #expect(throws: WireError.self) { try AppCall(VarlinkCall(Array(text.utf8))) }
    }

    @Test func fieldsThatAreTooLongAreRefused() throws {
        let limits: [(String, Int)] = [
            ("alertBody", LocalNotification.longestBody), ("alertTitle", LocalNotification.longestText),
            ("soundName", LocalNotification.longestText), ("userInfo", LocalNotification.longestUserInfo),
        ]
        for (field, limit) in limits {
            for (length, isTaken) in [(limit, true), (limit + 1, false)] {
                let value = String(repeating: "a", count: length)
                let text =
                    #"{"method":"roost.App.Notification","oneway":true,"parameters":{"number":1,"kind":"present","#
                    + #""notification":{""# + field + #"":""# + value + #""}}}"#
                let taken = (try? AppCall(VarlinkCall(Array(text.utf8)))) != nil
                #expect(taken == isTaken, "\(field) of \(length) bytes")
            }
        }
    }
}
