import Foundation
import LifeCycleModel
import RoostWire
import Testing

/// A background session in its own process, with a scripted system.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SessionProcessTests {
    private typealias Pair = (
        callbacks: FakeConnection, requests: FakeConnection, attachment: LifeCycleModel.Attachment
    )

    private let session: SessionIdentifier
    private let id = TransferSessionID(app: AppID(1), number: 2)

    init() throws {
        guard let session = SessionIdentifier("test") else { throw TestFailure(description: "no name") }
        self.session = session
    }

    private func launch(_ system: FakeSystem, _ doing: String) throws -> FakeLaunch {
        try FakeLaunch(system, background: doing, app: "SessionTestApp")
    }

    /// The app's messages about its session, until `isLast`; other messages are ignored.
    private func acts(_ requests: FakeConnection, until isLast: (TransferAct) -> Bool) throws -> [TransferAct] {
        var acts: [TransferAct] = []
        while true {
            guard case .concern(.transfer(session, let act)) = try requests.request() else { continue }
            acts.append(act)
            if isLast(act) { return acts }
        }
    }

    private func say(_ pair: Pair, _ news: TransferNews) {
        pair.callbacks.send(SystemMessage.concern(.transfer(session, news)).encoded())
    }

    /// Reports that a file has arrived, below the app's home.
    private func sayDownloaded(_ pair: Pair, _ number: Int64, _ name: String) {
        let response = TransferResponse(url: "http://localhost/a", status: 200, fields: [])
        say(pair, .downloaded(number, file: name, response, size: 4))
    }

    /// Writes a file below the home that the test gives the app.
    private func put(_ text: String) throws -> String {
        let name = ".roosturlsession-\(UUID().uuidString)/file"
        let url = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return name
    }

    private func remove(_ name: String) {
        let url = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(name)
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    private func isResume(_ act: TransferAct) -> Bool { if case .resume = act { true } else { false } }
    private func isAcknowledgment(_ act: TransferAct) -> Bool { if case .acknowledge = act { true } else { false } }

    /// Messages that a connection loses are sent again. An outcome that comes again is acknowledged, and not delivered
    /// again.
    @Test func aNewConnectionRepeatsUnansweredRequests() throws {
        let system = try FakeSystem()
        let app = try launch(system, "download")
        let first = try system.acceptApp()
        first.callbacks.say(1, .launch(.user))
        let said = try acts(first.requests, until: isResume)
        guard said.count == 5, case .open(let configuration) = said[0], case .make(let new) = said[2] else {
            Issue.record("\(said)")
            return
        }
        #expect(
            said == [
                .open(configuration), .list(after: 0), .make(new), .setText(new.number, "first"), .resume(new.number),
            ])
        #expect(app.lines.contains("task \(new.number)") && new.request.url == "http://localhost/a")
        // The system ends before it has answered.
        first.callbacks.end()
        let second = try system.acceptApp()
        let again = try acts(second.requests) { if case .list = $0 { true } else { false } }
        #expect(
            again == [
                .open(configuration), .make(new), .setText(new.number, "first"), .resume(new.number), .list(after: 0),
            ])
        say(second, .opened(id, lowestFree: new.number + 1))
        say(second, .listed([], isLast: true))
        let file = try put("text")
        defer { remove(file) }
        sayDownloaded(second, new.number, file)
        #expect(try acts(second.requests, until: isAcknowledgment) == [.acknowledge([new.number])])
        // The system has not persisted the acknowledgment either.
        second.callbacks.end()
        let third = try system.acceptApp()
        #expect(try acts(third.requests) { if case .open = $0 { true } else { false } } == [.open(configuration)])
        sayDownloaded(third, new.number, file)
        #expect(try acts(third.requests, until: isAcknowledgment) == [.acknowledge([new.number])])
        #expect(app.lines.filter { $0.hasPrefix("finished") } == ["finished first /a text"])
        #expect(app.lines.filter { $0.hasPrefix("completed") } == ["completed well"])
    }

    /// An app that dies while its delegate has the file gets it again, complete, in its next launch.
    @Test func aCrashInTheDelegateLosesNoFile() throws {
        let system = try FakeSystem()
        let file = try put("text")
        defer { remove(file) }
        setenv("TEST_DIES", "1", 1)
        let dying = try launch(system, "attach")
        unsetenv("TEST_DIES")
        for app in [dying, nil] {
            let app = try app ?? launch(system, "attach")
            let pair = try system.acceptApp()
            pair.callbacks.say(1, .launch(.user))
            _ = try acts(pair.requests) { $0 == .list(after: 0) }
            say(pair, .opened(id, lowestFree: 2))
            sayDownloaded(pair, 1, file)
            let request = TransferRequest(url: "http://localhost/a")
            let summary = TransferSummary(
                number: 1, request: request, text: "kept", priority: 500, earliestBegin: nil, isSuspended: false,
                received: 4, expected: 4)
            say(pair, .listed([summary], isLast: true))
            if app === dying {
                #expect(app.exitCode() == -SIGKILL)
                #expect(!app.lines.contains { $0.hasPrefix("completed") })
            } else {
                #expect(try acts(pair.requests, until: isAcknowledgment) == [.acknowledge([1])])
                #expect(app.lines.contains("completed well"))
            }
            #expect(app.lines.contains("finished kept /a text"))
        }
    }

    /// The wake: the session is made again, the pending outcome is delivered, and the handler's call reaches the system
    /// once.
    @Test func theHandlerIsCalledOnce() throws {
        let system = try FakeSystem()
        let app = try launch(system, "nothing")
        let pair = try system.acceptApp()
        pair.callbacks.say(1, .launch(.urlSession))
        pair.callbacks.say(2, .concern(.transfer(.handleEvents(session))))
        _ = try acts(pair.requests) { $0 == .list(after: 0) }
        say(pair, .opened(id, lowestFree: 2))
        say(pair, .listed([], isLast: true))
        say(pair, .failed(1, TransferFailure(code: -1001, reason: "")))
        say(pair, .eventsFinished)
        #expect(try acts(pair.requests) { $0 == .handled } == [.acknowledge([1]), .handled])
        try app.until("the second call is logged") {
            app.lines.contains { $0.contains("was called more than once") }
        }
        #expect(app.lines.filter { $0.hasPrefix("events") } == ["events of test", "events finished"])
        // A new connection receives it again.
        pair.callbacks.end()
        let second = try system.acceptApp()
        #expect(try acts(second.requests) { $0 == .handled }.last == .handled)
    }

    /// An app without the method does not need the time, so its handler counts as called.
    @Test func anAppWithoutTheMethodHandlesAtOnce() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        let pair = try system.acceptApp()
        pair.callbacks.say(1, .launch(.urlSession))
        pair.callbacks.say(2, .concern(.transfer(.handleEvents(session))))
        #expect(try acts(pair.requests) { $0 == .handled } == [.handled])
        #expect(app.lines.contains { $0.contains("does not implement") })
    }

    /// Configurations that a background session forbids end the app, in Apple's words.
    @Test(arguments: [
        ("completion", "Completion handler blocks are not supported in background sessions. Use a delegate instead."),
        ("upload", "Upload tasks from NSData are not supported in background sessions."),
    ])
    func forbiddenUsesTrap(_ doing: String, sentence: String) throws {
        let system = try FakeSystem()
        let app = try launch(system, doing)
        let pair = try system.acceptApp()
        pair.callbacks.say(1, .launch(.user))
        #expect(app.exitCode() < 0)
        #expect(app.lines.contains { $0.contains(sentence) }, "\(app.lines)")
    }
}
