import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Histories in which the explorer once found a fault, shrunk by it, in shorter words. Each begins after 1,000 s.
@Suite struct FoundTests {
    private typealias Step = CheckedDevice.Step

    private func event(_ event: Event, at nanoseconds: Int64) -> Step {
        .event(event, .zero.advanced(by: Nanoseconds(nanoseconds)))
    }

    private func installed(
        _ number: Int32, modes: [BackgroundMode] = [.fetch, .location], exitsOnSuspend: Bool = false,
        usesScenes: Bool = false, isAdopted: Bool = false
    ) -> Step {
        let manifest = manifest(
            Int(number), modes: modes, exitsOnSuspend: exitsOnSuspend, usesScenes: usesScenes, isAdopted: isAdopted)
        return event(.device(.appInstalled(app(number), manifest)), at: start.rawValue)
    }

    private func answered(
        _ launch: LaunchID, _ callback: Int32, open: [BackgroundTask] = [], at nanoseconds: Int64
    ) -> Step {
        event(.app(launch, .requested(.acknowledge(CallbackID(callback), open: open))), at: nanoseconds)
    }

    private func attached(
        _ launch: LaunchID, _ lastCallback: Int32, _ phase: AppPhase, open: [BackgroundTask] = [],
        at nanoseconds: Int64
    ) -> Step {
        let attachment = Attachment(
            lastCallback: CallbackID(lastCallback), phase: phase, open: open, isIdleTimerDisabled: false,
            isSceneConnected: true)
        return event(.app(launch, .attached(attachment)), at: nanoseconds)
    }

    /// While a callback was pending, the app still had an assertion for something that it no longer had.
    ///
    /// Seed 2, 500 steps: the reference model agrees.
    @Test func seed2Of500Steps() throws {
        let policy = Policy.iOS13
        let device = CheckedDevice(
            policy: policy,
            [
                installed(1, modes: BackgroundMode.allCases, usesScenes: true),
                installed(3, usesScenes: true, isAdopted: true),
                event(.device(.appOpened(app(1))), at: 1000000000000),
                answered(launch(1, 1), 1, at: 1000344539951),
                answered(launch(1, 1), 2, at: 1000357930381),
                event(.device(.appOpened(app(3))), at: 1000357930381),
                answered(launch(1, 1), 3, at: 1000379065065),
                answered(launch(1, 1), 4, at: 1000399375861),
                event(.device(.appOpened(app(1))), at: 1000399375861),
                event(.device(.appOpened(app(3))), at: 1000399375861),
            ])
        #expect(device.violation == nil)
    }

    /// For a moment the app had no assertion, between those of its tasks and that of its end.
    ///
    /// Seed 6, 500 steps: the reference model agrees.
    @Test func seed6Of500Steps() throws {
        var policy = Policy.iOS7
        policy.requestBurst = 30
        let device = CheckedDevice(
            policy: policy,
            [
                installed(1, modes: BackgroundMode.allCases, usesScenes: true),
                event(.device(.appOpened(app(1))), at: 1000000000000),
                answered(launch(1, 1), 1, open: [task(1), task(2)], at: 1000005197553),
                event(.device(.appForceQuit(app(1))), at: 1000005197553),
            ])
        #expect(device.violation == nil)
    }

    /// A second app that reconnected as active was notified of its closed scenes before it resigned.
    ///
    /// Seed 2551, 500 steps: the reference model agrees.
    @Test func seed2551Of500Steps() throws {
        let policy = Policy.iOS7
        let device = CheckedDevice(
            policy: policy,
            [
                installed(2, usesScenes: true),
                installed(3, usesScenes: true),
                event(.device(.appOpened(app(3))), at: 1000000000000),
                event(.device(.appOpened(app(2))), at: 1003863121487),
                event(.process(launch(2, 1), .exited(.signaled(9))), at: 1003868577444),
                event(.device(.appForceQuit(app(3))), at: 1003981871351),
                event(.process(launch(3, 1), .exited(.signaled(9))), at: 1003986270426),
                event(.device(.appOpened(app(3))), at: 1003986270426),
                event(.device(.appOpened(app(2))), at: 1004016460327),
                .restart,
                event(.process(launch(2, 2), .found(isFrozen: false)), at: 1004339671620),
                event(.process(launch(3, 2), .found(isFrozen: false)), at: 1004339671620),
                event(.device(.appOpened(app(3))), at: 1004339756305),
                attached(launch(2, 2), 2, .active, at: 1004339769945),
                attached(launch(3, 2), 2, .active, open: [task(1)], at: 1004359756305),
            ])
        #expect(device.violation == nil)
    }

    /// An app was killed for its report at the reconnection. Until the killed app was gone, the foreground app could
    /// not become active.
    ///
    /// Seed 972, 1000 steps: the reference model agrees.
    @Test func seed972Of1000Steps() throws {
        var policy = Policy.iOS13
        policy.taskCap = 2
        policy.requestBurst = 30
        let device = CheckedDevice(
            policy: policy,
            [
                installed(1, modes: BackgroundMode.allCases, usesScenes: true),
                installed(2, usesScenes: true),
                installed(3, exitsOnSuspend: true),
                event(.device(.appOpened(app(1))), at: 1000672152066),
                answered(launch(1, 1), 1, open: [task(1)], at: 1000772037596),
                event(.device(.appOpened(app(3))), at: 1001012692470),
                event(.process(launch(3, 1), .exited(.exited(code: 0))), at: 1001012809676),
                answered(launch(1, 1), 2, open: [task(1)], at: 1001036376679),
                answered(launch(1, 1), 3, open: [task(1)], at: 1001061481970),
                answered(launch(1, 1), 4, open: [task(1)], at: 1001119655654),
                event(.deadlineReached, at: 1026061481970),
                answered(launch(1, 1), 5, at: 1026103399071),
                event(.device(.wakeOccurred(app(1), .locationMonitoring)), at: 1026712691469),
                event(.device(.appOpened(app(2))), at: 1026712943086),
                event(.process(launch(2, 1), .startFailed(errno: 2)), at: 1026712943086),
                answered(launch(1, 1), 6, at: 1026837020300),
                event(.process(launch(1, 1), .froze(attempt: 2, footprint: 0)), at: 1026837528216),
                event(.device(.appOpened(app(2))), at: 1086395846916),
                answered(launch(2, 2), 1, at: 1086401131472),
                event(.device(.appSwitched(app(1))), at: 1086425290284),
                .restart,
                event(.process(launch(1, 1), .found(isFrozen: false)), at: 1086427811207),
                event(.process(launch(2, 2), .found(isFrozen: false)), at: 1086427811207),
                attached(launch(1, 1), 7, .rising, at: 1086429725996),
                attached(launch(2, 2), 3, .active, open: [task(2), task(3), task(4)], at: 1086447878897),
            ])
        #expect(device.violation == nil)
    }

    /// An app was killed, and then its start failed. The recorded reason was the failure, and not the kill's.
    ///
    /// Seed 810932, 2000 steps: kills have reasons.
    @Test func seed810932Of2000Steps() throws {
        let device = CheckedDevice(
            policy: .iOS13,
            [
                installed(2, usesScenes: true),
                event(.device(.appOpened(app(2))), at: 1000017589419),
                event(.device(.appForceQuit(app(2))), at: 1000017589419),
                event(.process(launch(2, 1), .startFailed(errno: 2)), at: 1000017589419),
            ])
        #expect(device.violation == nil)
    }

    /// After an app had answered willTerminate, it had its whole burst of requests again.
    ///
    /// Seed 5002476, 2000 steps: the reference model agrees.
    @Test func seed5002476Of2000Steps() throws {
        var policy = Policy.iOS7
        policy.requestBurst = 30
        let asks = [Step](
            repeating: event(.app(launch(3, 1), .requested(.endTask(TaskID(98)))), at: 1003871929774), count: 30)
        let device = CheckedDevice(
            policy: policy,
            [
                installed(2, usesScenes: true), installed(3, usesScenes: true),
                event(.device(.appOpened(app(3))), at: 1000000000000), answered(launch(3, 1), 1, at: 1000060793336),
                answered(launch(3, 1), 2, at: 1000113428738), event(.device(.appOpened(app(2))), at: 1003446594647),
                answered(launch(3, 1), 3, at: 1003454856941),
                answered(launch(3, 1), 4, open: [task(4)], at: 1003619255224),
                event(.device(.appForceQuit(app(3))), at: 1003619255224),
                answered(launch(3, 1), 5, open: [task(4), task(5)], at: 1003868802726),
                answered(launch(3, 1), 6, at: 1003871929774),
            ] + asks)
        #expect(device.violation == nil)
    }

    /// An invariant forgot the launch of an app for a fetch. The same event was a wake of an app that is not installed.
    ///
    /// Seed 334805059, 1000 steps.
    @Test func seed334805059Of1000Steps() throws {
        func afterSleep(_ event: Event, awake: Int64, elapsed: Int64) -> Step {
            .event(
                event,
                Moment(awake: Nanoseconds(awake), elapsed: Nanoseconds(elapsed), wall: Nanoseconds(elapsed)))
        }
        let asked = AppRequest.concern(.fetch(.setMinimumInterval(.seconds(600))))
        let device = CheckedDevice(
            policy: .iOS27,
            [
                installed(1, usesScenes: true),
                event(.device(.appOpened(app(1))), at: 1000000000000),
                event(.app(launch(1, 1), .requested(asked)), at: 1000001752739),
                event(.process(launch(1, 1), .exited(.signaled(9))), at: 1000001840970),
                afterSleep(
                    .device(.wakeOccurred(app(5), .locationMonitoring)), awake: 1000001840970, elapsed: 3509093759502),
                afterSleep(
                    .device(.wakeOccurred(app(1), .locationMonitoring)), awake: 22600001840970,
                    elapsed: 25109093759502),
            ])
        #expect(device.violation == nil)
    }

    /// A notification fired while its app seemed to be in the foreground. The model showed it before it had sent the
    /// app, on its new connection, the list of notifications.
    ///
    /// Seed 988664976920, 500 steps.
    @Test func seed988664976920Of500Steps() throws {
        func later(_ event: Event, awake: Int64, elapsed: Int64) -> Step {
            .event(
                event,
                Moment(awake: Nanoseconds(awake), elapsed: Nanoseconds(elapsed), wall: Nanoseconds(elapsed)))
        }
        var notification = LocalNotification()
        notification.fireDate = Nanoseconds(1_063_251_799_324)
        notification.repeats = .month
        notification.sound = .standard
        notification.badge = 3
        let scheduled = NumberedNotificationAct(number: 5, act: .schedule(notification))
        let device = CheckedDevice(
            policy: .iOS4,
            [
                installed(1, usesScenes: true),
                event(.device(.appOpened(app(1))), at: 1000000000000),
                event(
                    .app(launch(1, 1), .requested(.concern(.notification(.act(scheduled))))), at: 1000044845142),
                .restart,
                later(
                    .process(launch(1, 1), .found(isFrozen: true)), awake: 1000252812180, elapsed: 2515784322131),
                later(.deadlineReached, awake: 1000252812180, elapsed: 2515784322131),
                later(
                    .app(
                        launch(1, 1),
                        .attached(
                            Attachment(
                                lastCallback: CallbackID(4), phase: .background, open: [], isIdleTimerDisabled: false,
                                isSceneConnected: true, openEvents: [], notificationActs: 7))),
                    awake: 1000252894721, elapsed: 2515784404672),
            ])
        #expect(device.violation == nil)
    }

    /// A wake for Newsstand was refused twice in one event: once because something asked for it, and once because a
    /// session's time was over. The check allowed for one.
    ///
    /// Seed 731202609772, 500 steps: wakes follow the rules.
    @Test func seed731202609772Of500Steps() {
        func request(_ act: TransferAct, at nanoseconds: Int64) -> Step {
            event(.app(launch(3, 1), .requested(.concern(.transfer(.newsstand, act)))), at: nanoseconds)
        }
        var configuration = TransferSessionConfiguration()
        configuration.resourceTimeout = Nanoseconds(392_000_000_000)
        let transfer = NewTransfer(number: 1, request: TransferRequest(url: "https://one.example.org/small"))
        let id = TransferID(session: TransferSessionID(app: app(3), number: 1), number: 1)
        let problem = TransferProblem(code: -1005, reason: "the connection was lost", isRetryable: true)
        let device = CheckedDevice(
            policy: .iOS13,
            [
                installed(3, modes: [.location]),
                event(.device(.appOpened(app(3))), at: 1_000_000_000_000),
                request(.open(configuration), at: 1_000_000_000_000),
                request(.make(transfer), at: 1_000_000_000_000),
                request(.resume(1), at: 1_000_000_000_000),
                event(.process(launch(3, 1), .exited(.exited(code: 0))), at: 1_001_000_000_000),
                event(.concern(.transfer(.reported(.failed(id, attempt: 1, problem)))), at: 1_002_000_000_000),
                event(
                    .device(.wakeOccurred(app(3), .newsstand, restoreIdentifiers: [])), at: 2_000_000_000_000),
            ])
        #expect(device.violation == nil)
        #expect(device.device.sessionRecords.first?.areEventsPending == true, "the session's time is over")
    }

    /// An app reconnected while it was being frozen, and was resumed for its tasks. The app was notified of its
    /// notifications before it was thawed.
    ///
    /// Seed 278039898249453, 2000 steps: suspended apps receive nothing.
    @Test func seed278039898249453Of2000Steps() {
        func attachedAgain(after callback: Int32, _ phase: AppPhase, at nanoseconds: Int64) -> Step {
            event(
                .app(
                    launch(1, 1),
                    .attached(
                        Attachment(
                            lastCallback: CallbackID(callback), phase: phase, open: [task(4), task(8)],
                            isIdleTimerDisabled: false, isSceneConnected: false, openEvents: [],
                            notificationActs: 5))),
                at: nanoseconds)
        }
        let device = CheckedDevice(
            policy: .iOS26,
            [
                installed(1),
                event(.device(.appOpened(app(1))), at: 1_000_185_556_343),
                event(.device(.deviceLocked), at: 1_011_951_084_226),
                .restart,
                event(.process(launch(1, 1), .found(isFrozen: false)), at: 1_011_989_735_960),
                attachedAgain(after: 18, .falling, at: 1_011_989_983_390),
                answered(launch(1, 1), 19, at: 1_012_581_429_775),
                attachedAgain(after: 19, .background, at: 1_012_581_429_775),
            ])
        #expect(device.violation == nil)
    }

    /// The model dropped a held push of an app that is about to be removed.
    ///
    /// Seed 579024018957388, 2000 steps: the reference model agrees.
    @Test func seed579024018957388Of2000Steps() {
        var policy = Policy.iOS26
        policy.silentPushes = 1
        let push = RemoteNotification(payload: "{}", isContentAvailable: true, presentation: nil)
        let wanted = NotificationRequest.setRemoteNotifications(true, liftsNewsstandThrottle: false)
        let token = DeviceToken(Array(repeating: 7, count: DeviceToken.size))
        let time: Int64 = 1_000_056_062_646
        let device = CheckedDevice(
            policy: policy,
            [
                installed(1, modes: BackgroundMode.allCases),
                event(.device(.wakeOccurred(app(1), .locationMonitoring)), at: 1_000_000_000_000),
                event(.app(launch(1, 1), .requested(.concern(.notification(wanted)))), at: time),
                event(.concern(.notification(.tokenMade(app(1), token))), at: time),
                event(.concern(.notification(.tokenPersisted(app(1)))), at: time),
                event(.concern(.notification(.pushArrived(app(1), push))), at: time),
                event(.concern(.notification(.pushArrived(app(1), push))), at: time),
                event(.device(.appUninstalled(app(1))), at: time),
                event(.device(.backgroundRefreshChanged(app(1), false)), at: time),
            ])
        #expect(device.violation == nil)
    }

    /// The steps by which an opened app registers for pushes and for alerts.
    private func wantsPushes(_ launch: LaunchID, at time: Int64) -> [Step] {
        let wanted = NotificationRequest.setRemoteNotifications(true, liftsNewsstandThrottle: false)
        let alerts = NumberedNotificationAct(number: 1, act: .register(.alert))
        let token = DeviceToken(Array(repeating: 7, count: DeviceToken.size))
        return [
            event(.app(launch, .requested(.concern(.notification(wanted)))), at: time),
            event(.app(launch, .requested(.concern(.notification(.act(alerts))))), at: time),
            event(.concern(.notification(.tokenMade(launch.app, token))), at: time),
            event(.concern(.notification(.tokenPersisted(launch.app))), at: time),
        ]
    }

    private var push: RemoteNotification {
        var news = LocalNotification()
        news.alertBody = "news"
        return RemoteNotification(
            payload: "{}", isContentAvailable: true, presentation: RemoteNotification.Presentation(news, badge: nil))
    }

    /// The model kept the payload of a push for a launch that could not be started.
    ///
    /// Seed 8200447, 1000 steps: the reference model agrees.
    @Test func seed8200447Of1000Steps() throws {
        let time = start.rawValue
        var device = CheckedDevice(
            policy: .iOS13,
            [installed(4), event(.device(.appOpened(app(4))), at: time)] + wantsPushes(launch(4, 1), at: time) + [
                event(.concern(.notification(.pushArrived(app(4), push))), at: time),
                event(.process(launch(4, 1), .exited(.signaled(9))), at: time),
            ])
        let shown = try #require(device.device.notificationRecords.delivered.first?.id)
        for event: Event in [.concern(.notification(.tapped(shown))), .process(launch(4, 2), .startFailed(errno: 2))] {
            _ = device.handle(event, at: .zero.advanced(by: start))
        }
        #expect(device.violation == nil)
        #expect(device.device.notificationRecords.remotes.isEmpty)
    }

    /// An invariant continued the numbering from the push of an app that was removed before the system's restart.
    ///
    /// Seed 8200721, 1000 steps: pushes keep the rules.
    @Test func seed8200721Of1000Steps() {
        let time = start.rawValue
        let device = CheckedDevice(
            policy: .iOS7,
            [
                installed(1), installed(3, modes: BackgroundMode.allCases),
                event(.device(.appOpened(app(1))), at: time),
            ] + wantsPushes(launch(1, 1), at: time) + [event(.device(.appOpened(app(3))), at: time)]
                + wantsPushes(launch(3, 1), at: time) + [
                    event(.concern(.notification(.pushArrived(app(1), push))), at: time),
                    event(.device(.appUninstalled(app(1))), at: time),
                    event(.process(launch(1, 1), .exited(.signaled(9))), at: time),
                    .restart,
                    event(.concern(.notification(.pushArrived(app(3), push))), at: time),
                ])
        #expect(device.violation == nil)
    }
}
