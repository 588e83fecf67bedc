import LifeCycleModel
import RoostWire
import Testing

/// Kept sockets and keep-alive handlers on the wire.
@Suite struct SocketWireTests {
    /// The second number is none that a `Double` can hold.
    private static let ids = [Int64(1), 9_007_199_254_740_993, .max].map { SocketID(rawValue: $0) }

    @Test func requestsComeBackAsTheyWere() throws {
        let descriptors: [Int32] = [0, 5, .max]
        let intervals: [Nanoseconds?] = [nil, Nanoseconds(1), .seconds(600), .distantFuture]
        var requests = intervals.map { SocketRequest.setKeepAlive($0) }
        for id in Self.ids {
            requests.append(.drop(id))
            requests += descriptors.map { .keep(KeptSocket(id: id, descriptor: $0)) }
        }
        for call in requests.map({ AppCall.request(.concern(.socket($0))) }) {
            #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
    }

    @Test func callsAndMessagesComeBackAsTheyWere() throws {
        let news = Self.ids.flatMap { id in
            [SocketNews.kept(id, nil)] + SocketFailure.allCases.map { SocketNews.kept(id, $0) }
        }
        let messages =
            [SystemMessage.callback(CallbackID(3), .concern(.socket(.keepAlive)))]
            + news.map { SystemMessage.concern(.socket($0)) }
        for message in messages {
            #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
        }
    }

    @Test func requestsLookLikeThis() {
        func sent(_ request: SocketRequest) -> String { text(AppCall.request(.concern(.socket(request))).encoded()) }
        let id = SocketID(rawValue: 71)
        #expect(
            sent(.keep(KeptSocket(id: id, descriptor: 5)))
                == #"{"method":"roost.App.KeepSocket","oneway":true,"parameters":{"descriptor":5,"socket":71}}"#)
        #expect(sent(.drop(id)) == #"{"method":"roost.App.DropSocket","oneway":true,"parameters":{"socket":71}}"#)
        #expect(
            sent(.setKeepAlive(.seconds(600)))
                == #"{"method":"roost.App.SetKeepAlive","oneway":true,"parameters":{"interval":600000000000}}"#)
        #expect(sent(.setKeepAlive(nil)) == #"{"method":"roost.App.SetKeepAlive","oneway":true,"parameters":{}}"#)
    }

    @Test func callsAndMessagesLookLikeThis() {
        let id = SocketID(rawValue: 71)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.socket(.keepAlive))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"keepAliveHandler"}}}"#)
        #expect(
            text(SystemMessage.concern(.socket(.kept(id, nil))).encoded())
                == #"{"continues":true,"parameters":{"socketKept":{"socket":71}}}"#)
        #expect(
            text(SystemMessage.concern(.socket(.kept(id, .notConnected))).encoded())
                == #"{"continues":true,"parameters":{"socketKept":{"failure":4,"socket":71}}}"#)
    }

    // MARK: Wrong messages

    private static let wrongRequests: [(String, String)] = [
        (#"KeepSocket""#, "descriptor"), (#"KeepSocket","parameters":{"descriptor":5}"#, "socket"),
        (#"KeepSocket","parameters":{"socket":1}"#, "descriptor"),
        (#"KeepSocket","parameters":{"descriptor":-1,"socket":1}"#, "descriptor"),
        (#"KeepSocket","parameters":{"descriptor":2147483648,"socket":1}"#, "descriptor"),
        (#"KeepSocket","parameters":{"descriptor":1.5,"socket":1}"#, "descriptor"),
        (#"KeepSocket","parameters":{"descriptor":"5","socket":1}"#, "descriptor"),
        (#"KeepSocket","parameters":{"descriptor":null,"socket":1}"#, "descriptor"),
        (#"KeepSocket","parameters":{"descriptor":5,"socket":0}"#, "socket"),
        (#"KeepSocket","parameters":{"descriptor":5,"socket":-1}"#, "socket"),
        (#"KeepSocket","parameters":{"descriptor":5,"socket":9223372036854775808}"#, "socket"),
        (#"KeepSocket","parameters":{"descriptor":5,"socket":1e300}"#, "socket"),
        (#"KeepSocket","parameters":{"descriptor":5,"socket":[1]}"#, "socket"),
        (#"DropSocket""#, "socket"), (#"DropSocket","parameters":{"socket":0}"#, "socket"),
        (#"DropSocket","parameters":{"socket":-9223372036854775808}"#, "socket"),
        (#"DropSocket","parameters":{"socket":18446744073709551615}"#, "socket"),
        (#"DropSocket","parameters":{"socket":"1"}"#, "socket"),
        (#"DropSocket","parameters":{"socket":{}}"#, "socket"),
        (#"SetKeepAlive","parameters":{"interval":0}"#, "interval"),
        (#"SetKeepAlive","parameters":{"interval":-600}"#, "interval"),
        (#"SetKeepAlive","parameters":{"interval":0.5}"#, "interval"),
        (#"SetKeepAlive","parameters":{"interval":9223372036854775808}"#, "interval"),
        (#"SetKeepAlive","parameters":{"interval":true}"#, "interval"),
    ]

    @Test(arguments: wrongRequests) func wrongRequestsAreRefused(call: String, field: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.App.\#(call)}"#))
        do {
            _ = try AppCall(call)
            Issue.record("\(call) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    private static let wrongMessages: [(String, String)] = [
        (#""socketKept":71"#, "socketKept"), (#""socketKept":[71]"#, "socketKept"),
        (#""socketKept":{}"#, "socketKept.socket"), (#""socketKept":{"failure":1}"#, "socketKept.socket"),
        (#""socketKept":{"socket":0}"#, "socketKept.socket"),
        (#""socketKept":{"socket":9223372036854775808}"#, "socketKept.socket"),
        (#""socketKept":{"socket":1,"failure":6}"#, "socketKept.failure"),
        (#""socketKept":{"socket":1,"failure":-1}"#, "socketKept.failure"),
        (#""socketKept":{"socket":1,"failure":4294967296}"#, "socketKept.failure"),
        (#""socketKept":{"socket":1,"failure":"tooMany"}"#, "socketKept.failure"),
        (#""socketKept":{"socket":1},"audioCall":true"#, "parameters"),
        (#""callback":{"kind":"keepAliveHandler"}"#, "callback.id"),
        (#""callback":{"id":0,"kind":"keepAliveHandler"}"#, "callback.id"),
    ]

    @Test(arguments: wrongMessages) func wrongMessagesAreRefused(parameters: String, field: String) throws {
        let reply = try VarlinkReply(message(#"{"continues":true,"parameters":{\#(parameters)}}"#))
        do {
            _ = try SystemMessage(reply)
            Issue.record("\(parameters) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    @Test func theInterfaceListsEverything() {
        let app = VarlinkInterface.app.description
        for word in [
            ", keepAliveHandler", "\n  socketKept: ?(socket: int, failure: ?int)",
            "\nmethod KeepSocket(socket: int, descriptor: int)", "\nmethod DropSocket(socket: int)",
            "\nmethod SetKeepAlive(interval: ?int)",
        ] { #expect(app.contains(word), "\(word)") }
    }
}
