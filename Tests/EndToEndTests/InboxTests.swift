import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The inbox of the examples, as its users see it.
    @Suite struct InboxTests {
        private static let inbox = BundleIdentifier.named("org.roost.example.Inbox")

        /// A message as a server or a push contains it.
        private func message(_ id: String, _ text: String) -> String {
            "{\"id\":\"\(id)\",\"from\":\"민지\",\"text\":\"\(text)\"}"
        }

        /// Installs the app with the address of its server.
        private func install(_ system: TestSystem, server: String) throws {
            try system.install("Inbox")
            try name(server, system)
        }

        private func name(_ server: String, _ system: TestSystem) throws {
            let file = system.documents(Self.inbox) + "/server.txt"
            try "# mine\n\(server)\n".write(toFile: file, atomically: true, encoding: .utf8)
            system.give(file)
        }

        private let fetch = ControlCall.wake(inbox, .backgroundFetch)

        private func push(_ more: String = "", aps: String = "") throws -> ControlCall {
            let payload = "{\"aps\":{\"content-available\":1\(aps)}\(more)}"
            return .notification(.push(Self.inbox, try RemoteNotification(payload: Array(payload.utf8))))
        }

        /// Sends an event to the app, waits until it has called the handler, and returns the result.
        private func result(_ system: TestSystem, of event: ControlCall) throws -> String {
            let before = try handled(system).count
            try system.tell(event)
            let last = try system.until("the app has called the handler") {
                let all = try handled(system)
                return all.count > before ? all[before] : nil
            }
            try system.until(Self.inbox, is: .suspended)
            try system.expectFrozen(Self.inbox)
            return last
        }

        private func handled(_ system: TestSystem) throws -> [String] {
            try system.why(Self.inbox).filter { $0.kind == "handled" }.compactMap {
                $0.text.split(separator: ",").first.map(String.init)
            }
        }

        private func shown(_ system: TestSystem) throws -> [NotificationSummary] {
            guard case .notifications(let all) = try system.ask(.notifications(app: Self.inbox)) else {
                throw TestFailure(description: "the system does not list the notifications")
            }
            return all.filter { $0.state == "shown" }
        }

        private func badge(_ system: TestSystem) throws -> String? {
            try system.why(Self.inbox).last { $0.text.hasPrefix("its badge ") }?.text
        }

        private func kill(_ system: TestSystem) throws {
            let process = try system.process(Self.inbox)
            process.send(SIGKILL)
            try process.waitUntilGone()
            try system.until(Self.inbox, is: .notRunning)
        }

        /// Messages arrive by a fetch and by pushes, with the app suspended and without a process. Each is displayed,
        /// and a tap opens it.
        @Test(.whereNginxIs) func messagesArriveWhileTheAppIsNotActive() throws {
            try TestSystem.run { system in
                let server = try WebServer(in: system.directory + "/web", rate: "4m")
                func serve(_ messages: [String]) throws {
                    try "[\(messages.joined(separator: ","))]".write(
                        toFile: server.path("messages.json"), atomically: true, encoding: .utf8)
                }
                try serve([message("1", "첫째")])
                try install(system, server: server.url("messages.json"))
                try system.launch(Self.inbox)
                try system.untilPrinted(Self.inbox, "new: 민지: 첫째")
                try system.until("the badge is displayed") { try badge(system) == "its badge shows 1" ? true : nil }
                try system.suspend(Self.inbox)
                #expect(try shown(system).isEmpty, "the user has already read the message")

                // A fetch that finds messages, and a fetch that finds none.
                try serve([message("1", "첫째"), message("2", "둘째\\nof two lines")])
                #expect(try result(system, of: fetch) == "performFetch: newData")
                #expect(try result(system, of: fetch) == "performFetch: noData")
                #expect(try shown(system).map(\.body) == ["민지: 둘째 of two lines"])
                #expect(try badge(system) == "its badge shows 2")

                // A push brings a message to an app without a process. The app finds its earlier messages.
                try kill(system)
                let printed = system.log(Self.inbox).count
                let pushed = try result(system, of: push(",\"message\":" + message("3", "셋째")))
                #expect(pushed == "didReceiveRemoteNotification: newData")
                #expect(system.log(Self.inbox).dropFirst(printed).first == "launched; 2 of 2 messages are unread")
                #expect(try shown(system).map(\.body) == ["민지: 둘째 of two lines", "민지: 셋째"])

                // A tap brings the app to the foreground, or launches it.
                try system.tell(
                    .notification(.answer(Self.inbox, number: try #require(shown(system).first).number, .tap)))
                try system.untilPrinted(Self.inbox, "opened: 민지: 둘째 of two lines", from: printed)
                try system.until(Self.inbox, is: .active)
                #expect(try badge(system) == "its badge shows 2")
                try system.suspend(Self.inbox)
                try kill(system)
                try system.tell(
                    .notification(.answer(Self.inbox, number: try #require(shown(system).first).number, .tap)))
                try system.untilPrinted(Self.inbox, "opened: 민지: 셋째", from: printed)
                try system.until("the badge is lower by one") { try badge(system) == "its badge shows 1" ? true : nil }

                // A push that only announces a message.
                try system.until(Self.inbox, is: .active)
                try system.suspend(Self.inbox)
                try serve([message("4", "넷째")])
                #expect(try result(system, of: push()) == "didReceiveRemoteNotification: newData")
                #expect(try shown(system).map(\.body) == ["민지: 넷째"])
                #expect(try handled(system).count == 4, "each handler is called once")

                // A push with an alert: the system has displayed it, and the user opens the message with it.
                _ = try result(system, of: push(",\"message\":" + message("5", "다섯째"), aps: ",\"alert\":\"다섯째!\""))
                #expect(try shown(system).map(\.body) == ["민지: 넷째", "다섯째!"])
                try system.tell(
                    .notification(.answer(Self.inbox, number: try #require(shown(system).last).number, .tap)))
                try system.untilPrinted(Self.inbox, "opened: 민지: 다섯째", from: printed)
                try system.until(Self.inbox, is: .active)
            }
        }

        /// Faulty servers and invalid messages: the app logs each in one line, and loses nothing.
        @Test func invalidMessagesAreLogged() throws {
            try TestSystem.run { system in
                let bad = try BadWebServer()
                try install(system, server: "ftp://no.example/")
                try system.launch(Self.inbox)
                try system.untilPrinted(
                    Self.inbox, "no messages: \"ftp://no.example/\" in server.txt is no web address")
                try system.suspend(Self.inbox)
                let first = ",\"message\":" + message("1", "kept")
                #expect(try result(system, of: push(first)) == "didReceiveRemoteNotification: newData")
                for (server, line) in [
                    (bad.url("500", "status=500"), " answered 500"),
                    (bad.url("noise", "size=100"), "the answer is no JSON"),
                    (bad.url("huge", "size=20000000"), "more than 1048576 bytes from "),
                    (bad.url("cut", "size=1000&cut=10"), "cannot fetch "),
                    ("http://localhost:1/", "cannot fetch http://localhost:1/: "),
                    ("", "write the address of a server into "),
                ] {
                    try name(server, system)
                    let printed = system.log(Self.inbox).count
                    let fetched = try result(system, of: fetch)
                    #expect(fetched == "performFetch: failed", "\(server)")
                    let said = system.log(Self.inbox).dropFirst(printed)
                    #expect(said.count == 1 && said.contains { $0.contains(line) }, "\(said)")
                }
                for (message, line) in [
                    ("{\"text\":\"?\"}", "it has no id"), ("{\"id\":7,\"text\":\"?\"}", "it has no id"),
                    ("{\"id\":\"a\\nb\",\"text\":\"?\"}", "its id \"a b\" is not one short line"),
                    ("{\"id\":\"2\"}", "message 2 has no text"), ("[]", "it is no object"),
                ] {
                    // Silent pushes would be held back. This push is visible.
                    let pushed = try result(
                        system, of: push(",\"message\":\(message)", aps: ",\"alert\":\"!\""))
                    #expect(pushed == "didReceiveRemoteNotification: failed", "\(message)")
                    #expect(system.log(Self.inbox).last == "a message is left out: " + line)
                }
                try kill(system)
                // The app sets an unreadable file aside, and does not overwrite it.
                let documents = system.documents(Self.inbox)
                let file = documents + "/messages.json"
                #expect(Kernel.text(file)?.contains("kept") == true)
                try "no JSON".write(toFile: file, atomically: true, encoding: .utf8)
                system.give(file)
                try system.launch(Self.inbox)
                try system.untilPrinted(
                    Self.inbox, "cannot read the messages, starting with none; the old file is ")
                let aside = try FileManager.default.contentsOfDirectory(atPath: documents)
                    .filter { $0.hasSuffix(".unreadable") }
                #expect(aside.count == 1 && Kernel.text(documents + "/" + aside[0]) == "no JSON")
            }
        }
    }
}
