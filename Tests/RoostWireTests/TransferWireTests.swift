import LifeCycleModel
import RoostWire
import Testing

/// Background downloads on the wire.
@Suite struct TransferWireTests {
    /// The longest name, of the characters that JSON encodes longest.
    static let longName = SessionIdentifier(String(repeating: "\u{1}", count: SessionIdentifier.longest))
    static let session = SessionIdentifier("de.example.\"né\" 👋")

    /// A request in which every property differs from its default.
    static var request: TransferRequest {
        var request = TransferRequest(url: "https://example.org/a?b=\"c\"\\é")
        request.method = "POST"
        request.fields = [HTTPField(name: "X-A!#$%&'*+-.^_`|~9", value: "\tä \"b\""), HTTPField(name: "a", value: "")]
        request.body = "aGFsbG8+/w=="
        request.timeout = .seconds(7)
        request.networks.cellular = false
        return request
    }

    /// A configuration in which every property differs from its default.
    static var configuration: TransferSessionConfiguration {
        var configuration = TransferSessionConfiguration()
        configuration.sendsLaunchEvents = false
        configuration.isDiscretionary = true
        configuration.networks.expensive = false
        configuration.networks.constrained = false
        configuration.connectionsPerHost = 1
        configuration.fields = request.fields
        configuration.requestTimeout = Nanoseconds(1)
        configuration.resourceTimeout = .distantFuture
        configuration.sharedContainer = "group.a"
        return configuration
    }

    /// The largest request, of the characters that JSON encodes longest.
    static var largest: TransferRequest {
        var request = TransferRequest(url: String(repeating: "\u{1}", count: TransferRequest.longestURL))
        request.method = String(repeating: "M", count: 64)
        let value = String(repeating: "\"", count: TransferRequest.longestFields / TransferRequest.mostFields - 1)
        request.fields = Array(repeating: HTTPField(name: "a", value: value), count: TransferRequest.mostFields)
        request.body = String(repeating: "/", count: TransferRequest.longestBody)
        request.timeout = Nanoseconds(.min)
        return request
    }

    static let earlier = TransferID(session: TransferSessionID(app: AppID(3), number: 2), number: .max)

    static let acts: [TransferAct] = [
        .open(TransferSessionConfiguration()), .open(configuration),
        .make(NewTransfer(number: 1, request: TransferRequest(url: "http://a"))),
        .make(NewTransfer(number: .max, request: request, resumes: earlier)), .resume(1), .suspend(2),
        .cancel(3, keepsPartial: true), .cancel(3, keepsPartial: false), .setPriority(4, 0), .setPriority(4, 1000),
        .setText(5, nil), .setText(5, String(repeating: "\u{1}", count: TransferRequest.longestText)),
        .setEarliestBegin(6, nil), .setEarliestBegin(6, Nanoseconds(.max)), .setExpectedToReceive(7, nil),
        .setExpectedToReceive(7, 0), .proceed(8, .continueLoading), .proceed(8, .useNewRequest(request)),
        .proceed(8, .cancel), .list(after: 0), .list(after: .max), .acknowledge([]),
        .acknowledge(Array(1...Int64(TransferAct.mostAcknowledged))), .finishTasksAndInvalidate, .invalidateAndCancel,
        .handled,
    ]

    static let checkpoint = TransferCheckpoint(received: 5, expected: nil, validator: "\"v\"", boot: "b")

    static let news: [TransferNews] = [
        .opened(earlier.session, lowestFree: 1), .listed([], isLast: true),
        .listed([summary(1, request), summary(.max, TransferRequest(url: "http://a"))], isLast: false),
        .progressed(1, received: 0, expected: nil), .progressed(1, received: .max, expected: .max),
        .resumed(2, offset: 5, expected: nil), .resumed(2, offset: 5, expected: 6), .willBegin(3),
        .downloaded(
            4, file: "Library/a", TransferResponse(url: "https://a/b", status: 404, fields: request.fields), size: 0),
        .failed(5, TransferFailure(code: -1001, reason: "no \"answer\"")),
        .failed(
            5, TransferFailure(code: -999, reason: "", cancelledReason: .userForceQuit, resumable: checkpoint)),
        .eventsFinished, .invalidated,
    ]

    static func summary(_ number: Int64, _ request: TransferRequest) -> TransferSummary {
        TransferSummary(
            number: number, request: request, text: number == 1 ? "é" : nil, priority: 1000,
            earliestBegin: number == 1 ? Nanoseconds(-1) : nil, isSuspended: true, received: 3,
            expected: number == 1 ? 4 : nil)
    }

    @Test(arguments: acts) func actsComeBackAsTheyWere(_ act: TransferAct) throws {
        let session = try #require(Self.session)
        let call = AppCall.request(.concern(.transfer(session, act)))
        #expect(call.call.oneway)
        #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
    }

    @Test(arguments: news) func newsIsDecodedUnchanged(_ news: TransferNews) throws {
        let message = SystemMessage.concern(.transfer(try #require(Self.session), news))
        #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
    }

    @Test func theCallbackIsDecodedUnchanged() throws {
        let message = SystemMessage.callback(
            CallbackID(2), .concern(.transfer(.handleEvents(try #require(Self.session)))))
        #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
    }

    @Test func messagesHaveTheDocumentedForm() throws {
        let session = try #require(SessionIdentifier("s"))
        #expect(
            text(AppCall.request(.concern(.transfer(session, .acknowledge([1, 2])))).encoded())
                == #"{"method":"roost.App.Transfer","oneway":true,"parameters":"#
                + #"{"act":{"kind":"acknowledge","tasks":[1,2]},"session":"s"}}"#)
        #expect(
            text(SystemMessage.concern(.transfer(session, .progressed(7, received: 1, expected: nil))).encoded())
                == #"{"continues":true,"parameters":{"transfer":"#
                + #"{"news":{"kind":"progressed","received":1,"task":7},"session":"s"}}}"#)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.transfer(.handleEvents(session)))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"handleSessionEvents","session":"s"}}}"#)
    }

    /// The largest request of an app fits a message.
    @Test func theLargestActFits() throws {
        let act = TransferAct.make(NewTransfer(number: .max, request: Self.largest, resumes: Self.earlier))
        let call = AppCall.request(.concern(.transfer(try #require(Self.longName), act)))
        #expect(call.encoded().count <= WireLimits.message)
        #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
    }

    /// A page that would be too large ends early, and is then not the last. All pages together list every task.
    @Test func aPageNeverOutgrowsAMessage() throws {
        let session = try #require(Self.longName)
        let tasks = (1...8 as ClosedRange<Int64>).map { number in
            var summary = Self.summary(number, Self.largest)
            summary.text = String(repeating: "\u{1}", count: TransferRequest.longestText)
            return summary
        }
        var received: [TransferSummary] = []
        while received.count < tasks.count {
            let rest = TransferNews.listed(Array(tasks[received.count...]), isLast: true)
            let message = SystemMessage.concern(.transfer(session, rest))
            let bytes = message.encoded()
            #expect(bytes.count <= WireLimits.message)
            guard
                case .concern(.transfer(_, .listed(let page, let isLast))) = try SystemMessage(
                    VarlinkReply(bytes.dropLast())),
                !page.isEmpty
            else {
                Issue.record("no page")
                return
            }
            received += page
            #expect(isLast == (received.count == tasks.count))
        }
        #expect(received == tasks)
    }

    /// Every outcome can be sent, regardless of the server's answer. An outcome that the app cannot read would be
    /// repeated forever.
    @Test func everyOutcomeFitsIntoAMessage() throws {
        let session = try #require(Self.longName)
        let long = "http://a/" + String(repeating: "\u{1}", count: 100_000)
        let fields = (0..<1000).map { HTTPField(name: "n\($0)", value: String(repeating: "\"", count: 1000)) }
        let outcomes: [TransferNews] = [
            .downloaded(1, file: "f", TransferResponse(url: long, status: 200, fields: fields), size: 1),
            .failed(1, TransferFailure(code: -1, reason: long)),
        ]
        for outcome in outcomes {
            let bytes = SystemMessage.concern(.transfer(session, outcome)).encoded()
            #expect(bytes.count <= WireLimits.message)
            guard case .concern(.transfer(session, let read)) = try SystemMessage(VarlinkReply(bytes.dropLast())) else {
                Issue.record("not a transfer message")
                continue
            }
            switch read {
            case .downloaded(1, "f", let response, size: 1):
                #expect(response.url.isEmpty && response.status == 200 && response.fields.count > 20)
            case .failed(1, let failure):
                #expect(failure.code == -1 && long.hasPrefix(failure.reason) && failure.reason.utf8.count > 2000)
            default: Issue.record("\(read)")
            }
        }
    }

    /// Servers do not know our limits: fields that do not fit are left out, and nothing else of the answer.
    @Test func aServersHeaderIsCut() throws {
        let many = (0..<1000).map { HTTPField(name: "n\($0)", value: String(repeating: "v", count: 100)) }
        let bad = [HTTPField(name: "", value: ""), HTTPField(name: "a", value: "b\r\nc: d")]
        let response = TransferResponse(url: "http://a", status: 200, fields: bad + many)
        let message = SystemMessage.concern(
            .transfer(
                try #require(Self.session), .downloaded(1, file: "f", response, size: 1)))
        guard
            case .concern(.transfer(_, .downloaded(1, "f", let read, size: 1))) = try SystemMessage(
                VarlinkReply(message.encoded().dropLast()))
        else {
            Issue.record("the message was not decoded")
            return
        }
        #expect(!read.fields.isEmpty && read.fields == Array(many.prefix(read.fields.count)))
    }

    // MARK: Bad input

    private static func act(_ json: String, session: String = "s") -> String {
        #"{"method":"roost.App.Transfer","parameters":{"session":"\#(session)","act":\#(json)}}"#
    }

    private static func make(_ request: String, task: String = "1") -> String {
        act(#"{"kind":"make","task":\#(task),"request":\#(request)}"#)
    }

    private static func request(_ json: String) -> String {
        #"{"url":"http://a","method":"GET","networks":{"cellular":true,"expensive":true,"constrained":true},\#(json)}"#
    }

    private static func fields(_ count: Int, name: String = "a", value: String = "") -> String {
        let field = #"{"name":"\#(name)","value":"\#(value)"}"#
        return #""fields":[\#(Array(repeating: field, count: count).joined(separator: ","))]"#
    }

    static let wrong: [(String, String)] = [
        (act(#"{"kind":"handled"}"#, session: ""), "session"),
        (act(#"{"kind":"handled"}"#, session: String(repeating: "s", count: 1025)), "session"),
        (#"{"method":"roost.App.Transfer","parameters":{"session":"s"}}"#, "act"),
        (act(#"{"kind":"fly"}"#), "act.kind"), (act(#"{"kind":"resume"}"#), "act.task"),
        (act(#"{"kind":"resume","task":0}"#), "act.task"), (act(#"{"kind":"suspend","task":-1}"#), "act.task"),
        (act(#"{"kind":"cancel","task":1}"#), "act.keepsPartial"),
        (act(#"{"kind":"setPriority","task":1,"priority":1001}"#), "act.priority"),
        (act(#"{"kind":"setPriority","task":1,"priority":-1}"#), "act.priority"),
        (act(#"{"kind":"setText","task":1,"text":"\#(String(repeating: "t", count: 4097))"}"#), "act.text"),
        (act(#"{"kind":"setEarliestBegin","task":1,"time":1.5}"#), "act.time"),
        (act(#"{"kind":"setExpectedToReceive","task":1,"count":-1}"#), "act.count"),
        (act(#"{"kind":"proceed","task":1}"#), "act.disposition"),
        (act(#"{"kind":"proceed","task":1,"disposition":"useNewRequest"}"#), "act.request"),
        (act(#"{"kind":"list","after":-1}"#), "act.after"),
        (act(#"{"kind":"acknowledge","tasks":[1,0]}"#), "act.tasks[1]"),
        (
            act(#"{"kind":"acknowledge","tasks":[\#(Array(repeating: "1", count: 1001).joined(separator: ","))]}"#),
            "act.tasks"
        ),
        (make("7"), "act.request"), (make(request(fields(257))), "act.request.fields"),
        (make(request(fields(100, value: String(repeating: "v", count: 400)))), "act.request.fields"),
        (make(request(fields(1, name: ""))), "act.request.fields[0].name"),
        (make(request(fields(1, name: "a b"))), "act.request.fields[0].name"),
        (make(request(fields(1, value: #"a\r\nHost: b"#))), "act.request.fields[0].value"),
        (make(request(fields(0) + #","body":"a b""#)), "act.request.body"),
        (
            make(request(fields(0) + #","body":"\#(String(repeating: "a", count: TransferRequest.longestBody + 1))""#)),
            "act.request.body"
        ),
        (
            make(#"{"url":"http://\#(String(repeating: "a", count: TransferRequest.longestURL))"}"#),
            "act.request.url"
        ),
        (make(#"{"url":"http://a","method":"GET /"}"#), "act.request.method"),
        (
            act(
                #"{"kind":"make","task":1,"request":\#(request(fields(0))),"resumes":{"app":1,"session":0,"task":1}}"#),
            "act.resumes.session"
        ),
        (act(#"{"kind":"open","configuration":{}}"#), "act.configuration.sendsLaunchEvents"),
        (
            act(
                #"{"kind":"open","configuration":{"sendsLaunchEvents":true,"isDiscretionary":false,"#
                    + #""networks":{"cellular":true,"expensive":true,"constrained":true},"connectionsPerHost":0}}"#),
            "act.configuration.connectionsPerHost"
        ),
    ]

    @Test(arguments: wrong) func theErrorNamesTheField(_ json: String, _ expected: String) {
        do {
            let call = try AppCall(VarlinkCall(message(json)))
            Issue.record("accepted as \(call)")
        } catch WireError.invalidParameter(let field, _) {
            #expect(field == expected)
        } catch {
            Issue.record("\(error)")
        }
    }
}
