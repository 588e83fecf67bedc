import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The single copy of each remote notification. Everything else refers to it by its id, and it exists as long as a
/// reference does (R-90, R-91).
@Suite struct PushContentTests {
    private static let first = PushID(app: app(1), number: 1)
    private static let payload = #"{"aps":{"content-available":1,"alert":"news"},"text":"marker"}"#
    private static let loud = RemoteNotification(
        payload: payload, isContentAvailable: true, presentation: RemoteNotification.Presentation(.alert("news")))
    private static let silent = RemoteNotification(payload: payload, isContentAvailable: true)
    private static let alert = RemoteNotification(
        payload: payload, isContentAvailable: false, presentation: RemoteNotification.Presentation(.alert("news")))

    /// The first app has registered for all types of notifications, and is suspended.
    private static func suspended(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.with(.active, policy, [.sample(1, modes: [.remoteNotification]), .sample(2)])
        _ = bench.notification(.register(.all))
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        let token = DeviceToken(Array(repeating: 1, count: DeviceToken.size))
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), token))))
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    private static func copies(in value: some Any) -> Int { "\(value)".ranges(of: "marker").count }
    private static func comes(_ push: RemoteNotification) -> Event {
        .concern(.notification(.pushArrived(app(1), push)))
    }

    private func isNeeded(_ bench: Bench) -> (here: Bool, onDisk: Bool) {
        (!bench.device.remoteNotifications.isEmpty, !bench.notificationsOnDisk.remotes.isEmpty)
    }

    /// The notification is displayed and held back. The app that it launches finds it among the launch options and is
    /// called for it.
    @Test func displayedAndHeldPushesShareOneCopy() {
        var bench = Self.suspended(.iOS4)
        _ = bench.plays(.device(.appOpened(app(1))))
        let count = bench.effects.count
        bench.handle(.device(.appForceQuit(app(1))))
        bench.handle(Self.comes(Self.loud))
        #expect(bench.pushesOnDisk[app(1)]?.held == Self.first)
        #expect(bench.notificationsOnDisk.delivered.map(\.push) == [Self.first])
        #expect(Self.copies(in: bench.device) == 1 && Self.copies(in: bench.stored) == 1)
        bench.handle(.concern(.notification(.tapped(bench.notificationsOnDisk.delivered[0].id))))
        #expect(Self.copies(in: bench.device) == 1 && Self.copies(in: bench.stored) == 0)
        let lines = bench.plays()
        #expect(lines.contains("is launched by push 1.1"))
        #expect(bench.effects[count...].callbacks.contains(bench.call(for: Self.loud)))
        #expect(Self.copies(in: bench.effects) == 0, "effects contain only the id")
        #expect(Self.copies(in: bench.device) == 0)
    }

    @Test func anAppGetsItsPayload() {
        var bench = Self.suspended()
        bench.handle(Self.comes(Self.silent))
        let call = SystemMessage.callback(CallbackID(9), bench.call(for: Self.silent))
        let news = SystemMessage.concern(.notification(.launchedByRemote(.of(Self.first))))
        #expect(
            bench.device.filled(call)
                == .callback(CallbackID(9), .concern(.notification(.receivedRemote(.text(Self.payload))))))
        #expect(
            bench.device.filled(news) == .concern(.notification(.launchedByRemote(.text(Self.payload)))))
        _ = bench.plays()
        #expect(bench.device.filled(call) == nil && bench.device.filled(news) == nil, "the app received the payload")
        let other = SystemMessage.callback(CallbackID(9), .didBecomeActive)
        #expect(bench.device.filled(other) == other)
    }

    @Test func contentIsKeptUntilTheCallbackReturns() {
        var bench = Self.suspended()
        bench.handle(Self.comes(Self.silent))
        #expect(isNeeded(bench) == (true, false), "the content is not persisted")
        _ = bench.acknowledge(launch(1))
        #expect(isNeeded(bench) == (false, false))
    }

    @Test func contentIsDroppedIfTheLaunchEndsUncalled() {
        var bench = Self.suspended()
        bench.handle(Self.comes(Self.silent))
        _ = bench.plays(.process(launch(1), .exited(.signaled(9))))
        #expect(isNeeded(bench) == (false, false))
    }

    @Test func heldPushesAreKeptUntilDelivered() {
        var bench = Self.suspended()
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        let other = RemoteNotification(payload: "{}", isContentAvailable: true)
        bench.handle(Self.comes(other))
        bench.handle(Self.comes(Self.silent))
        #expect(bench.device.remoteNotifications.map(\.notification) == [Self.silent], "the newer replaces the older")
        #expect(bench.notificationsOnDisk.remotes == bench.device.remoteNotifications)
        _ = bench.restarts()
        _ = bench.plays(.deadlineReached)
        #expect(bench.notificationsOnDisk.remotes == bench.device.remoteNotifications)
        bench.handle(.device(.settingChanged(.lowPowerMode(false))))
        #expect(isNeeded(bench) == (true, false))
        _ = bench.plays()
        #expect(isNeeded(bench) == (false, false))
    }

    @Test(arguments: [true, false]) func displayedPushesAreKeptUntilAnswered(isTapped: Bool) {
        var bench = Self.suspended()
        _ = bench.plays(Self.comes(Self.alert))
        #expect(isNeeded(bench) == (true, true))
        let id = bench.notificationsOnDisk.delivered[0].id
        bench.handle(.concern(.notification(isTapped ? .tapped(id) : .dismissed(id))))
        #expect(isNeeded(bench) == (isTapped, false))
        _ = bench.plays()
        #expect(isNeeded(bench) == (false, false))
    }

    @Test func contentIsDroppedIfTheLaunchFails() {
        var bench = Self.suspended()
        _ = bench.plays(Self.comes(Self.alert))
        _ = bench.plays(.device(.memoryRanShort))
        bench.handle(.concern(.notification(.tapped(bench.notificationsOnDisk.delivered[0].id))))
        #expect(isNeeded(bench) == (true, false))
        _ = bench.plays(.process(LaunchID(app: app(1), number: 2), .startFailed(errno: 2)))
        #expect(isNeeded(bench) == (false, false))
    }

    @Test func contentIsDroppedWithItsApp() {
        var bench = Self.suspended()
        _ = bench.plays(Self.comes(Self.alert))
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(isNeeded(bench) == (false, false))
    }

    @Test func undeliverablePushesAreNotKept() {
        var bench = Self.suspended()
        _ = bench.plays(.concern(.notification(.allowed(app(1), false))))
        _ = bench.plays(Self.comes(Self.alert))
        #expect(isNeeded(bench) == (false, false))
    }

    /// Numbering resumes from the persisted numbers, and never reuses a number that is in use.
    @Test func eachPushHasItsOwnNumber() {
        var bench = Self.suspended()
        for _ in 1...3 { _ = bench.plays(Self.comes(Self.alert)) }
        #expect(bench.device.remoteNotifications.map(\.id.number) == [1, 2, 3])
        _ = bench.plays(.concern(.notification(.dismissed(bench.notificationsOnDisk.delivered[1].id))))
        _ = bench.restarts()
        _ = bench.plays(.deadlineReached)
        _ = bench.plays(Self.comes(Self.alert))
        #expect(bench.device.remoteNotifications.map(\.id.number) == [1, 3, 4])
    }
}
