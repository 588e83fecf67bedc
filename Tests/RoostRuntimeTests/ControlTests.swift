import LifeCycleModel
import LifeCyclePolicy
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// The control socket: answers, refusals, and errors of the disk.
@Suite(.serialized) struct ControlTests {
    private func failure(_ bench: Bench, _ call: ControlCall) throws -> ControlFailure.Code? {
        guard case .failed(let failure) = try bench.ask(call) else { return nil }
        #expect(!failure.message.isEmpty)
        return failure.code
    }

    @Test func impossibleActionsAreRefusedWithACode() throws {
        let bench = try Bench()
        #expect(try failure(bench, .launch(bench.id("none"))) == .noSuchApp)
        #expect(try failure(bench, .install(path: "/no bundle", replacing: false)) == .badBundle)
        _ = try bench.ask(.install(path: "/a", replacing: false))
        #expect(try failure(bench, .wake(bench.id("a"), .voip)) == .refused)
        bench.processes.startFailure = SystemError(doing: "start", subject: "a", errno: 2, reason: "No such file")
        #expect(try failure(bench, .launch(bench.id("a"))) == .systemFault)
        bench.processes.startFailure = nil
        #expect(try failure(bench, .launch(bench.id("a"))) == nil)
    }

    /// A tap, the app switcher and an accepted interruption report a start that fails, as opening an app does.
    @Test func everyActThatOpensAnAppReportsAFailedStart() throws {
        let manifest = AppManifest(identifier: try #require(BundleIdentifier("org.test.a")), executable: "app")
        var record = AppRecord(app: AppID(7), manifest: manifest)
        record.switcherPlace = 1
        var client = NotificationClientRecord(app: AppID(7))
        client.registered = .all
        let shown = NotificationID(app: AppID(7), number: 1)
        client.lastNumber = 1
        let delivered = DeliveredRecord(
            id: shown, notification: LocalNotification(), types: .all, fired: .zero, stage: .shown)
        let bench = try Bench(
            kept: ([record], []),
            concerns: [.notification(.client(client)), .notification(.delivered(delivered))])
        bench.processes.startFailure = SystemError(doing: "start", subject: "a", errno: 2, reason: "No such file")
        #expect(try failure(bench, .switchTo(bench.id("a"))) == .systemFault)
        #expect(try failure(bench, .switchTo(nil)) == .systemFault)
        #expect(try failure(bench, .notification(.answer(bench.id("a"), number: 1, .tap))) == .systemFault)
        _ = try bench.ask(.install(path: "/b", replacing: false))
        bench.processes.startFailure = nil
        _ = try bench.ask(.launch(bench.id("b")))
        _ = try bench.ask(.interrupt(.call))
        bench.processes.startFailure = SystemError(doing: "start", subject: "a", errno: 2, reason: "No such file")
        #expect(try failure(bench, .accept(bench.id("a"))) == .systemFault)
    }

    /// A push that is held back does not report an earlier failed launch of the app, which no caller asked for.
    @Test func anEarlierFailedStartIsNotBlamedOnAPush() throws {
        var device = DeviceRecord()
        device.settings.hasPasscode = true
        device.settings.lowPowerMode = true
        (device.isLocked, device.wasUnlockedSinceStart) = (true, false)
        let manifest = AppManifest(
            identifier: try #require(BundleIdentifier("org.test.a")), executable: "app",
            backgroundModes: [.voip, .remoteNotification])
        let bench = try Bench(
            device: device, kept: ([AppRecord(app: AppID(1), manifest: manifest)], []),
            concerns: [.push(PushRecord(app: AppID(1), token: .random()))])
        bench.processes.startFailure = SystemError(doing: "start", subject: "a", errno: 2, reason: "No such file")
        #expect(try failure(bench, .unlock) == nil)
        #expect(bench.log.calls.contains("start \(LaunchID(app: AppID(1), number: 1))"), "\(bench.log.calls)")
        bench.processes.startFailure = nil
        let push = RemoteNotification(payload: #"{"aps":{"content-available":1}}"#, isContentAvailable: true)
        guard case .decisions(let lines) = try bench.ask(.notification(.push(bench.id("a"), push))) else {
            Issue.record("the push failed, although no launch had to")
            return
        }
        #expect(lines.map(\.kind) == ["push"], "\(lines)")
    }

    /// T27: an unlock does not fail if an app that listens for calls may not be woken. The refusal is reported with it.
    @Test func anUnlockIsNotRefusedForAnotherApp() throws {
        var device = DeviceRecord()
        device.settings.hasPasscode = true
        (device.isLocked, device.wasUnlockedSinceStart) = (true, false)
        let manifest = AppManifest(
            identifier: try #require(BundleIdentifier("org.test.a")), executable: "app", backgroundModes: [.voip])
        var record = AppRecord(app: AppID(1), manifest: manifest)
        record.isForceQuit = true
        let bench = try Bench(device: device, kept: ([record], []))
        guard case .decisions(let lines) = try bench.ask(.unlock) else {
            Issue.record("the unlock failed")
            return
        }
        #expect(lines.map(\.kind) == ["unlocked", "refused"], "\(lines)")
        #expect(try failure(bench, .wake(bench.id("a"), .voip)) == .refused, "the caller of the wake is refused")
        #expect(try failure(bench, .unlock) == .refused)
    }

    @Test func anAppMayNotControlTheSystem() throws {
        let bench = try Bench()
        _ = try bench.launch("a")
        // From now on the test's process counts as the app's.
        let peer = try bench.peer(control: true)
        peer.send(ControlCall.home.encoded())
        #expect(try peer.lastWords().isEmpty)
    }

    /// The cgroup alone is not enough: a caller shows the cookie first, and until then gets only errors.
    @Test func aCallerShowsTheCookieFirst() throws {
        let bench = try Bench()
        let install = ControlCall.install(path: "/a", replacing: false)
        let peer = try bench.peer(control: true, cookie: nil)
        for wrong in ["", "cooki", "cookiE", "cookie "] {
            peer.send(install.encoded())
            #expect(try ControlReply(VarlinkReply(peer.next()), to: install) == .notAuthenticated)
            let call = #"{"method":"roost.Control.Authenticate","parameters":{"cookie":"\#(wrong)"}}"#
            peer.send(Array(call.utf8) + [0])
            #expect(try ControlReply(VarlinkReply(peer.next()), to: install) == .notAuthenticated, "\(wrong)")
        }
        peer.send(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0])
        #expect(try VarlinkReply(peer.next()).error == nil, "GetInfo needs no cookie")
        peer.send(Array(#"{"method":"roost.Control.Nothing"}"#.utf8) + [0])
        #expect(try VarlinkReply(peer.next()).error == "roost.Control.NotAuthenticated")
        #expect(bench.supervisor.device.snapshots.isEmpty, "nothing was installed")
        peer.send(Array(#"{"method":"roost.Control.Authenticate","parameters":{"cookie":"cookie"}}"#.utf8) + [0])
        #expect(try VarlinkReply(peer.next()).error == nil)
        peer.send(install.encoded())
        #expect(try VarlinkReply(peer.next()).error == nil, "the same connection still works")
    }

    @Test func aFullDiskIsReportedAndLosesNothing() throws {
        let bench = try Bench()
        bench.store.failure = SystemError(doing: "write", subject: "store", errno: 28, reason: "No space left")
        #expect(try failure(bench, .install(path: "/a", replacing: false)) == .systemFault)
        #expect(bench.store.changes.isEmpty)
        bench.store.failure = nil
        _ = try bench.ask(.home)
        #expect(bench.store.changes.contains { if case .record(.app) = $0 { true } else { false } })
    }

    @Test func watchersReceiveEveryDecision() throws {
        let bench = try Bench()
        _ = try bench.ask(.install(path: "/a", replacing: false))
        let watcher = try bench.peer(control: true)
        watcher.send(ControlCall.watch.encoded())
        func next() throws -> String? {
            let reply = try ControlReply(VarlinkReply(watcher.next()), to: .watch)
            guard case .decision(let line) = reply else { return nil }
            return line.kind
        }
        #expect(try next() == "watching")
        _ = try bench.ask(.launch(bench.id("a")))
        #expect(try next() == "launched")
        #expect(try next() == "advice")
        #expect(try next() == "state")
    }

    @Test func theServiceDescribesItself() throws {
        let bench = try Bench()
        let peer = try bench.peer(control: true)
        peer.send(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0])
        let text = String(decoding: try peer.next(), as: UTF8.self)
        #expect(text.contains("roost.Control"))
        peer.send(Array(#"{"method":"roost.Control.Fly"}"#.utf8) + [0])
        #expect(try VarlinkReply(peer.next()).error == "org.varlink.service.MethodNotFound")
    }

    @Test func anUninstalledAppIsGoneWithItsFiles() throws {
        let bench = try Bench()
        let (launch, _) = try bench.launch("a")
        bench.processes.residents.removeAll()
        _ = try bench.ask(.uninstall(bench.id("a")))
        try bench.run(until: { try bench.state("a") == nil })
        #expect(bench.log.calls.contains("kill \(launch)"))
        #expect(bench.log.calls.suffix(2) == ["remove org.test.a", "store files removed org.test.a"])
    }

    @Test func anUninstallationWaitsForTheDiskAndKeepsAReinstall() throws {
        let bench = try Bench()
        _ = try bench.ask(.install(path: "/a", replacing: false))
        bench.store.failure = SystemError(doing: "write", subject: "store", errno: 28, reason: "No space left")
        #expect(try failure(bench, .uninstall(bench.id("a"))) == .systemFault)
        #expect(!bench.log.calls.contains("remove org.test.a"), "no file is deleted before the record")
        #expect(try failure(bench, .install(path: "/a", replacing: true)) == .systemFault)
        bench.store.failure = nil
        _ = try bench.ask(.home)
        #expect(try bench.state("a") == .notRunning, "the later installation wins")
        #expect(!bench.log.calls.contains("remove org.test.a"))
    }

    /// Calls behind a call that does not end stay with their caller, and end with it.
    @Test func aFloodOfCallsWaitsWithTheCallerAndIsForgotten() throws {
        let bench = try Bench()
        for _ in 0..<2 {
            let peer = try bench.peer(control: true)
            peer.send(ControlCall.watch.encoded())
            _ = try peer.next()
            #expect(peer.sendAtOnce([UInt8](repeating: 0x20, count: 64 << 20)) < 4 << 20, "the socket is full")
            _ = try bench.ask(.status)
            // The caller of the status has disconnected.
            bench.run(until: { bench.supervisor.control?.clientCount == 1 })
            peer.shut()
            bench.run(until: { bench.supervisor.control?.clientCount == 0 })
        }
    }

    /// Calls are answered in order, however many arrive at once and however long some take.
    @Test func manyCallsAtOnceAreAnsweredInTheirOrder() throws {
        let bench = try Bench()
        let peer = try bench.peer(control: true)
        let calls = (0..<200).map { $0 % 2 == 0 ? ControlCall.status : .list }
        #expect(peer.sendAtOnce(calls.flatMap { $0.encoded() }) == calls.map { $0.encoded().count }.reduce(0, +))
        for call in calls {
            switch (call, try ControlReply(VarlinkReply(try peer.next()), to: call)) {
            case (.status, .status), (.list, .apps): break
            case (_, let reply): Issue.record("\(call) was answered by \(reply)")
            }
        }
    }

    @Test func aLaunchCutOffByAKillIsReported() throws {
        let identifier = try #require(BundleIdentifier("org.test.a"))
        let launch = LaunchID(app: AppID(1), number: 1)
        let record = AppRecord(
            app: AppID(1), manifest: AppManifest(identifier: identifier, executable: "app"), lastLaunch: 1)
        let stored = StoredLaunch(
            record: LaunchRecord(launch: launch, reason: .user, isInForeground: true, isSuspended: false), process: nil,
            token: "")
        let bench = try Bench(kept: ([record], [stored]))
        let apps = try #require(try bench.ask(.list).apps)
        #expect(apps.first?.state == .notRunning)
        #expect(apps.first?.lastEnd?.contains("the system was killed while it was starting the app") == true, "\(apps)")
    }

    /// A caller that leaves its answers unread is evicted before an older caller of the same process that read its answers.
    @Test func callersThatLeaveAnswersUnreadAreEvictedFirst() throws {
        let bench = try Bench()
        let status = ControlCall.status.encoded()
        let callers = try (0..<255).map { _ in
            let caller = try bench.peer(control: true)
            caller.send(status)
            _ = try caller.next()
            return caller
        }
        let flooder = try bench.peer(control: true)
        let calls = Array(repeatElement(status, count: 100).joined())
        // Sends until the system no longer reads its calls, and the socket is full.
        while flooder.sendAtOnce(calls) > 0 {
            var turns = 0
            bench.run(until: {
                turns += 1
                return turns > 3
            })
        }
        #expect(bench.supervisor.control?.clientCount == 256)
        _ = try bench.ask(.status)
        _ = try flooder.lastWords()
        callers[0].send(status)
        #expect(try VarlinkReply(callers[0].next()).error == nil)
    }

    /// Silent callers keep no other caller out: of the callers without a call, the oldest is evicted.
    @Test func silentCallersAreEvicted() throws {
        let bench = try Bench()
        let watcher = try bench.peer(control: true)
        watcher.send(ControlCall.watch.encoded())
        _ = try watcher.next()
        let asked = try bench.peer(control: true)
        asked.send(ControlCall.status.encoded())
        _ = try asked.next()
        var silent: [Peer] = []
        for _ in 0..<300 {
            silent.append(try bench.peer(control: true))
            // Lets the loop accept, because the kernel queues only a limited number of connections.
            var turns = 0
            bench.run(until: {
                turns += 1
                return turns > 2
            })
        }
        #expect(bench.supervisor.control?.clientCount == 256)
        guard case .status = try bench.ask(.status) else {
            Issue.record("a new connection was refused")
            return
        }
        #expect(try silent[0].lastWords().isEmpty)
        for peer in [asked, silent[299]] {
            peer.send(ControlCall.status.encoded())
            #expect(try VarlinkReply(peer.next()).error == nil, "callers that asked, and the newest, stay connected")
        }
        _ = try bench.ask(.home)
        _ = try watcher.next()
    }

    /// If all callers have had a call before, the caller that has been silent for longest is evicted.
    @Test func theLongestSilentCallerIsEvicted() throws {
        let bench = try Bench()
        let watcher = try bench.peer(control: true)
        watcher.send(ControlCall.watch.encoded())
        _ = try watcher.next()
        var idle: [Peer] = []
        for _ in 0..<255 {
            let peer = try bench.peer(control: true)
            peer.send(ControlCall.status.encoded())
            _ = try peer.next()
            idle.append(peer)
        }
        guard case .status = try bench.ask(.status) else {
            Issue.record("a new connection was refused")
            return
        }
        #expect(try idle[0].lastWords().isEmpty)
        _ = try bench.ask(.home)
        _ = try watcher.next()
    }

    @Test func theJournalReplaysToTheSameEffects() throws {
        let bench = try Bench()
        _ = try bench.launch("a")
        bench.processes.residents.removeAll()
        _ = try bench.ask(.home)
        bench.supervisor.settle()
        let entries = try JournalReader.entries(of: try #require(Journal.files(in: bench.directory + "/journal").last))
        guard case .start(_, var device)? = entries.first else {
            Issue.record("the journal does not begin with a device")
            return
        }
        for case .turn(let now, let event, let recorded) in entries {
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            #expect(effects == recorded)
        }
        #expect(entries.count > 3)
        #expect(device == bench.supervisor.device)
    }
}
