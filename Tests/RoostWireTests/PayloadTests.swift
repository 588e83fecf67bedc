import LifeCycleModel
import Testing

@testable import RoostWire

/// Valid payloads of a remote notification, and the errors for invalid ones (R-90, R-92).
@Suite struct PayloadTests {
    private func read(_ text: String) throws(PayloadFault) -> RemoteNotification {
        try RemoteNotification(payload: Array(text.utf8))
    }

    @Test func payloadsAreSilentOrVisible() throws {
        let silent = try read("{\"aps\":{\"content-available\":1},\"x\":[1,{\"y\":null}]}")
        #expect(silent.isContentAvailable && !silent.isVisible)
        for people in [
            "\"alert\":\"a\"", "\"alert\":{\"title\":\"t\",\"body\":\"b\"}", "\"badge\":0", "\"sound\":\"default\"",
        ] {
            let notification = try read(" {\"aps\":{\(people)}}\n")
            #expect(notification.isVisible && !notification.isContentAvailable)
        }
        #expect(try read("{\"aps\":{\"content-available\":1,\"alert\":\"a\"}}").isVisible)
    }

    @Test func theVisiblePartOfAPayloadIsRead() throws {
        func shown(_ aps: String) throws -> RemoteNotification.Presentation {
            try #require(try read("{\"aps\":{\(aps)}}").presentation)
        }
        #expect(try shown("\"alert\":\"a\"").notification.alertBody == "a")
        let full = try shown(
            "\"alert\":{\"title\":\"t\",\"subtitle\":\"s\",\"body\":\"b\",\"launch-image\":\"i\"},"
                + "\"badge\":3,\"sound\":\"default\",\"category\":\"c\"")
        var notification = LocalNotification()
        (notification.alertTitle, notification.alertBody, notification.alertLaunchImage) = ("t", "s\nb", "i")
        (notification.badge, notification.sound, notification.category) = (3, .standard, "c")
        #expect(full.notification == notification && !full.clearsBadge)
        #expect(full.kinds(allowed: .all) == .all && full.kinds(allowed: .badge) == .badge)
        // Zero is an ordinary number here, and a title alone is a body.
        let badge = try shown("\"badge\":0")
        #expect(badge.clearsBadge && badge.kinds(allowed: .all) == .badge && badge.kinds(allowed: .alert).isEmpty)
        #expect(try shown("\"alert\":{\"title\":\"t\"}").kinds(allowed: .all) == .alert)
        #expect(try shown("\"alert\":{\"loc-key\":\"K\",\"loc-args\":[\"x\"]}").notification.alertBody == "K")
        #expect(try shown("\"sound\":{\"name\":\"a.caf\",\"critical\":1}").notification.sound == .named("a.caf"))
        #expect(try shown("\"badge\":99999999999").notification.badge == .max)
        #expect(try shown("\"alert\":\"\"").kinds(allowed: .all).isEmpty)
    }

    @Test(arguments: [
        ("[1]", "not a JSON object"), ("{\"aps\":1}", "aps is not an object"), ("{}", "aps is missing"),
        ("{\"aps\":{\"alert\":1}}", "aps.alert is neither a string nor an object"),
        ("{\"aps\":{\"alert\":{\"title\":1}}}", "aps.alert.title is not a string"),
        ("{\"aps\":{\"alert\":{\"loc-args\":[\"a\",1]}}}", "aps.alert.loc-args[1] is not a string"),
        ("{\"aps\":{\"badge\":\"1\"}}", "aps.badge"), ("{\"aps\":{\"badge\":-1}}", "aps.badge is negative"),
        ("{\"aps\":{\"sound\":7}}", "aps.sound is neither"), ("{\"aps\":{\"sound\":{}}}", "aps.sound.name is missing"),
        ("{\"aps\":{\"content-available\":true}}", "aps.content-available"),
        ("{\"aps\":{\"content-available\":2}}", "neither 0 nor 1"), ("{\"aps\":{\"category\":1}}", "aps.category"),
        ("{\"aps\":{}", "is expected at byte 9"), ("  \n", "not a JSON object"),
    ]) func faultsOfAPayloadAreReported(payload: String, words: String) {
        let fault = #expect(throws: PayloadFault.self) { try read(payload) }
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
    }

    @Test func itsLengthIsBounded() throws {
        func payload(_ count: Int) -> String {
            let frame = "{\"aps\":{},\"x\":\"\"}"
            return String(frame.dropLast(2)) + String(repeating: "y", count: count - frame.utf8.count) + "\"}"
        }
        #expect(try read(payload(4096)).payload.utf8.count == 4096)
        #expect(throws: PayloadFault.tooLarge(4097, most: 4096)) { try read(payload(4097)) }
        #expect(throws: PayloadFault.empty) { try read("") }
        #expect(throws: PayloadFault.malformed("it is not UTF-8")) {
            try RemoteNotification(payload: [0x7b, 0xff, 0x7d])
        }
    }

    @Test func tokensAreHexadecimal() throws {
        let token = try #require(DeviceToken([UInt8](0..<32)))
        #expect(token.hexadecimal.hasPrefix("000102") && token.hexadecimal.count == 64)
        let message = SystemMessage.callback(CallbackID(3), .concern(.notification(.registeredForRemote(token))))
        #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
    }
}
