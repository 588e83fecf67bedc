import LifeCycleModel
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// Apps on their two connections: authentication, the order of their messages, and the price of an invalid message.
@Suite(.serialized) struct AppSessionTests {
    @Test func anAppIsLaunchedAndBecomesActive() throws {
        let bench = try Bench()
        let (launch, token) = try bench.launch("a")
        #expect(launch == LaunchID(app: AppID(1), number: 1))
        let app = try bench.connect(token)
        #expect(try app.callbacks.callback().callback == .launch(.user))
        app.requests.send(.acknowledge(CallbackID(1), open: []))
        #expect(try app.callbacks.callback().callback == .didBecomeActive)
        app.requests.send(.acknowledge(CallbackID(2), open: []))
        try bench.run(until: { try bench.state("a") == .active })
    }

    @Test func aLaunchIsOnDiskBeforeItsProcessIsStarted() throws {
        let bench = try Bench()
        _ = try bench.launch("a")
        let stored = try #require(bench.log.calls.firstIndex(of: "store launch 1.1"))
        let started = try #require(bench.log.calls.firstIndex(of: "start 1.1"))
        #expect(stored < started)
    }

    @Test(arguments: ["", "nonsense", "0123456789abcdef0123456789abcdef"])
    func aWrongTokenIsRefused(token: String) throws {
        let bench = try Bench()
        _ = try bench.launch("a")
        let peer = try bench.peer()
        peer.send(.attach(token: token, .new))
        #expect(try peer.lastWords().last?.error != nil)
    }

    @Test func aTokenIsWorthNothingInAnotherProcess() throws {
        let bench = try Bench()
        let (launch, token) = try bench.launch("a")
        bench.processes.residents.remove(launch)
        let peer = try bench.peer()
        peer.send(.attach(token: token, .new))
        #expect(try peer.lastWords().last?.error == AppRefusal.unknownToken.rawValue)
    }

    @Test func theTokenOfAnEndedLaunchIsRefused() throws {
        let bench = try Bench()
        let (launch, token) = try bench.launch("a")
        bench.processes.exit(launch, .exited(code: 0))
        try bench.run(until: { try bench.state("a") == .notRunning })
        let peer = try bench.peer()
        peer.send(.attach(token: token, .new))
        #expect(try peer.lastWords().last?.error == AppRefusal.unknownToken.rawValue)
    }

    @Test func aSecondLivePairIsRefusedAndAReconnectionIsNot() throws {
        let bench = try Bench()
        let (_, token) = try bench.launch("a")
        let app = try bench.connect(token)
        #expect(try app.callbacks.callback().callback == .launch(.user))
        let second = try bench.peer()
        second.send(.attach(token: token, .new))
        #expect(try second.lastWords().last?.error == AppRefusal.alreadyConnected.rawValue)
        app.callbacks.shut()
        app.requests.shut()
        bench.run(until: { bench.supervisor.sessions.hasNoConnection(of: LaunchID(app: AppID(1), number: 1)) })
        let again = try bench.connect(token)
        #expect(try again.callbacks.callback() == (CallbackID(1), .launch(.user)), "repeated until acknowledged")
    }

    @Test func requestsWaitForTheAttachment() throws {
        let bench = try Bench()
        let (_, token) = try bench.launch("a")
        let requests = try bench.peer()
        requests.send(.identify(token: token))
        _ = try requests.next()
        requests.send(.beginTask(BackgroundTask(id: TaskID(1), name: "early")))
        let callbacks = try bench.peer()
        callbacks.send(.attach(token: token, .new))
        _ = try callbacks.callback()
        try bench.run(until: { try openTasks(bench) == ["early"] })
    }

    private func openTasks(_ bench: Bench) throws -> [String] {
        guard case .apps(let apps) = try bench.ask(.list) else { return [] }
        return apps.flatMap { $0.openTasks.map(\.name) }
    }

    @Test func aBeginReadAfterTheFreezeThawsAgain() throws {
        let bench = try Bench()
        let (launch, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        bench.processes.beforeFreeze = { _ in
            // The app's last action before it is frozen: the message is in the socket, and not read yet.
            bench.processes.beforeFreeze = nil
            app.requests.sendAtOnce(.beginTask(BackgroundTask(id: TaskID(1), name: "late")))
        }
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        bench.run(until: { bench.log.calls.contains("thaw \(launch)") })
        #expect(try bench.state("a") == .background)
        #expect(try openTasks(bench) == ["late"])
    }

    /// An app that sends much. Several iterations of the loop are committed at once, and no later than after a limited
    /// time.
    @Test(arguments: [false, true]) func turnsAreCommittedTogetherDuringAFlood(atOnce: Bool) throws {
        let bench = try Bench()
        bench.supervisor.gathering = atOnce ? .distantFuture ... .distantFuture : .zero ... .zero
        let (_, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        let session = try #require(SessionIdentifier("s"))
        let count: Int64 = 300
        let acts =
            [.open(TransferSessionConfiguration())]
            + (1...count).map { TransferAct.make(NewTransfer(number: $0, request: TransferRequest(url: "http://a/"))) }
        let bytes = acts.flatMap { AppCall.request(.concern(.transfer(session, $0))).encoded() }
        let before = bench.store.commits
        #expect(app.requests.sendAtOnce(bytes) == bytes.count)
        func made() -> Int {
            bench.store.changes.count { if case .record(.concern(.transfer(.task))) = $0 { true } else { false } }
        }
        bench.run(until: { made() == count })
        let commits = bench.store.commits - before
        // At most 32 messages an iteration.
        #expect(atOnce ? commits == 1 : commits >= 10, "\(commits) commits")
    }

    @Test func aFreezeThatTakesItsTimeIsLookedAtAgain() throws {
        let bench = try Bench()
        let (_, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        bench.processes.pendingLooks = 3
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        try bench.run(until: { try bench.state("a") == .suspended })
    }

    /// R-48. The wake lock belongs to the kernel and outlives a killed system, so a new system first releases it.
    @Test(arguments: [false, true]) func untilIOS6ATaskKeepsTheDeviceAwake(kernelHasNone: Bool) throws {
        let bench = try Bench(policy: .iOS4)
        if kernelHasNone { bench.power.failure = .init(doing: "lock", subject: "power", errno: 2, reason: "none") }
        #expect(bench.log.calls.first == "may sleep")
        func words() -> [String] { bench.log.calls.dropFirst().filter { ["keep awake", "may sleep"].contains($0) } }
        let (_, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        _ = try bench.ask(.home)
        let (id, _) = try app.callbacks.callback()
        let task = BackgroundTask(id: TaskID(1), name: "upload")
        app.requests.send(.acknowledge(id, open: [task]))
        let (last, callback) = try app.callbacks.callback()
        #expect(callback == .didEnterBackground)
        app.requests.send(.acknowledge(last, open: [task]))
        bench.run(until: { words() == ["keep awake"] })
        app.requests.send(.endTask(TaskID(1)))
        bench.run(until: { words() == ["keep awake", "may sleep"] })
        try bench.run(until: { try bench.state("a") == .suspended })
    }

    /// The body measures on the brain's order, and reports the size; also if the brain has postponed the order. A tree
    /// that is too wide to be measured has the largest size.
    @Test(arguments: [900, Int64.max]) func aContainerIsMeasuredWhenTheBrainSaysSo(size: Int64) throws {
        var policy = Policy.iOS26
        policy.containerSize = 1000
        policy.containerPause = .milliseconds(300)
        let bench = try Bench(policy: policy)
        let (launch, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        try bench.run(until: { try bench.state("a") == .suspended })
        #expect(bench.log.calls.filter { $0 == "measure org.test.a" }.count == 1)
        // The bytes that its downloads have received count as its own.
        bench.files.containerSize = size
        bench.engine.sizes[launch.app] = 101
        _ = try bench.ask(.launch(bench.id("a")))
        try bench.answer(app, until: .didBecomeActive)
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        bench.run(until: { bench.log.calls.contains("kill \(launch)") })
        #expect(bench.log.calls.filter { $0 == "measure org.test.a" }.count == 2)
    }

    @Test func aThawThatFailsIsTriedAgain() throws {
        var policy = Policy.iOS26
        policy.thawRetry = .milliseconds(20)
        let bench = try Bench(policy: policy)
        let (launch, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        try bench.run(until: { try bench.state("a") == .suspended })
        bench.processes.failingThaws = 2
        _ = try bench.ask(.launch(bench.id("a")))
        bench.run(until: { bench.log.calls.count { $0 == "thaw \(launch)" } == 3 })
        try bench.answer(app, until: .didBecomeActive)
        #expect(bench.log.calls.count { $0 == "thaw \(launch)" } == 3, "the third thaw has worked")
    }

    /// An app acknowledges its last callback and exits at once. The freeze that follows finds no process, which is no
    /// error of the machine.
    @Test func anAppThatExitsBeforeItsFreezeIsNotFrozen() throws {
        let bench = try Bench()
        let (launch, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        _ = try bench.ask(.home)
        try bench.answer(app, until: .willResignActive)
        let (id, callback) = try app.callbacks.callback()
        try #require(callback == .didEnterBackground)
        // Both messages arrive before the loop's next iteration.
        app.requests.sendAtOnce(.acknowledge(id, open: []))
        bench.processes.exit(launch, .exited(code: 0))
        try bench.run(until: { try bench.state("a") == .notRunning })
        #expect(!bench.log.calls.contains("freeze \(launch)"))
    }

    /// A busy machine may take longer to end an app's last processes than the system waits for them.
    @Test func whatAnEndedLaunchLeavesIsRemovedLater() throws {
        let bench = try Bench()
        let (launch, _) = try bench.launch("a")
        bench.processes.leftovers = 3
        bench.processes.exit(launch, .exited(code: 0))
        try bench.run(until: { try bench.state("a") == .notRunning })
        #expect(bench.processes.leftovers == 2)
        bench.run(until: { bench.processes.leftovers < 0 })
        #expect(bench.supervisor.collectAgain == nil)
        #expect(bench.log.calls.count { $0 == "leftovers" } == 3)
    }

    @Test func anAppThatCannotBeFrozenIsEnded() throws {
        let bench = try Bench()
        let (launch, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        bench.processes.freezeFailure = .init(doing: "freeze", subject: "a", errno: 5, reason: "I/O error")
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        try bench.run(until: { try bench.state("a") == .notRunning })
        #expect(bench.log.calls.contains("kill \(launch)"))
    }

    struct BadMessage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }

        init(_ name: String, json: String) { self.init(name, Array(json.utf8) + [0]) }
    }

    static let badMessages: [BadMessage] = [
        BadMessage("garbage", json: "hello"),
        BadMessage("nothing", [0]),
        BadMessage("not UTF-8", [0xFF, 0xFE, 0]),
        BadMessage("unknown method", json: #"{"method":"roost.App.Fly"}"#),
        BadMessage("wrong type", json: #"{"method":"roost.App.EndTask","parameters":{"task":"one"}}"#),
        BadMessage("too deep", json: String(repeating: "[", count: 5000)),
        BadMessage("endless", [UInt8](repeating: UInt8(ascii: "a"), count: 300_000)),
        BadMessage("introduced twice", json: #"{"method":"roost.App.Identify","parameters":{"token":"x"}}"#),
    ]

    @Test(arguments: badMessages)
    func aBadMessageClosesOnlyItsConnection(message: BadMessage) throws {
        let bench = try Bench()
        let (_, badToken) = try bench.launch("bad")
        let bad = try bench.connect(badToken)
        try bench.answer(bad, until: .didBecomeActive)
        let (_, goodToken) = try bench.launch("good")
        let good = try bench.connect(goodToken)
        #expect(try good.callbacks.callback().callback == .launch(.user))
        bad.requests.send(message.bytes)
        _ = try bad.requests.lastWords()
        good.requests.send(.acknowledge(CallbackID(1), open: []))
        // The bad app never acknowledges willResignActive. The bad app has no connection, and loses its time.
        #expect(try bad.callbacks.callback().callback == .willResignActive)
        #expect(try bench.state("good") == .inactive)
        #expect(try bench.state("bad") == .active)
    }

    @Test func aPeerThatSaysNothingSensibleFirstIsCutOff() throws {
        let bench = try Bench()
        let peer = try bench.peer()
        peer.send(.endTask(TaskID(1)))
        #expect(try peer.lastWords().last?.error == AppRefusal.notIdentified.rawValue)
    }

    @Test func memoryIsReleasedOnceEachTimeAppsAreSuspended() throws {
        let bench = try Bench()
        let (_, token) = try bench.launch("a")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        #expect(bench.log.releases == 0)
        for count in 1...2 {
            _ = try bench.ask(.home)
            try bench.answer(app, until: .didEnterBackground)
            bench.run(until: { bench.log.releases > 0 && bench.log.releases >= count })
            _ = try bench.ask(.list)
            #expect(bench.log.releases == count, "a list suspends no app")
            _ = try bench.ask(.launch(bench.id("a")))
            try bench.answer(app, until: .didBecomeActive)
        }
    }
}
