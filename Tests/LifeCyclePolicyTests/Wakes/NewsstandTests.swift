import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

extension RemoteNotification {
    fileprivate static func issue(_ number: Int = 1, isVisible: Bool = false) -> Self {
        Self(
            payload: "{\"aps\":{\"content-available\":1},\"issue\":\(number)}", isContentAvailable: true,
            presentation: isVisible ? Presentation(.alert("an issue")) : nil)
    }
}

extension Bench {
    private static let session = SessionIdentifier.newsstand.rawValue

    /// A bench whose Newsstand app was opened, has registered, and is suspended.
    fileprivate static func withNewsstand(
        _ policy: Policy = .iOS26, modes: [BackgroundMode] = [.newsstandContent], liftsThrottle: Bool = false
    ) -> Bench {
        var bench = Bench(policy, [.sample(1, modes: modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(
            .app(
                launch(1),
                .requested(
                    .concern(.notification(.setRemoteNotifications(true, liftsNewsstandThrottle: liftsThrottle))))))
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), DeviceToken([UInt8](1...32))))))
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    fileprivate mutating func pushes(_ notification: RemoteNotification) -> [PushDecision] {
        let count = effects.count
        _ = plays(.concern(.notification(.pushArrived(app(1), notification))))
        return effects[count...].compactMap {
            if case .decided(.concern(.push(let decision))) = $0 { decision } else { nil }
        }
    }

    /// The app calls the completion handler of its event, and is suspended again.
    fileprivate mutating func finishesEvent(_ launch: LaunchID) {
        _ = finishEvent(launch)
        _ = plays()
    }

    /// The app begins a download for each asset name.
    fileprivate mutating func downloads(_ names: [String], by launch: LaunchID) {
        open(Self.session, by: launch)
        for (index, name) in names.enumerated() {
            let number = Int64(index + 1)
            act(
                .make(NewTransfer(number: number, request: TransferRequest(url: "https://localhost/\(number)"))),
                on: Self.session, by: launch)
            act(.setText(number, name), on: Self.session, by: launch)
            act(.resume(number), on: Self.session, by: launch)
        }
    }
}

/// Newsstand: pushes that begin downloads, one a day, and the wake after the last download.
@Suite struct NewsstandTests {
    @Test func aPushLaunchesTheAppToBeginItsDownload() {
        var bench = Bench.withNewsstand()
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        let count = bench.effects.count
        bench.handle(.concern(.notification(.pushArrived(app(1), .issue()))))
        #expect(bench.effects[count...].contains(.launch(launch(1, 2), .start(.newsstand))))
        let context = bench.device.launchContext(of: launch(1, 2))
        #expect(context?.reason == .newsstand)
        #expect(context?.newsstandDownloads == [], "no download exists yet")
        #expect(bench.plays().contains("is launched by push 1.1\n"))
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.newsstand), .didEnterBackground, bench.call(for: .issue()),
            ])
        #expect(bench.pushesOnDisk[app(1)]?.newsstandWake == bench.now.wall)
    }

    @Test func aPushThawsASuspendedNewsstandApp() {
        var bench = Bench.withNewsstand()
        #expect(bench.pushes(.issue()) == [.delivered(bench.id(of: .issue()))])
        #expect(bench.effects.contains(.decided(.launch(launch(1), .woken(.newsstand)))))
        #expect(bench.state(1) == .background)
        bench.finishesEvent(launch(1))
        #expect(bench.state(1) == .suspended)
    }

    @Test func newsstandPushesAreLimitedToOneADay() {
        var bench = Bench.withNewsstand()
        #expect(bench.pushes(.issue(1)) == [.delivered(bench.id(of: .issue(1)))])
        bench.finishesEvent(launch(1))
        #expect(bench.pushes(.issue(2)) == [.dropped(app(1), .newsstandThrottled)])
        #expect(
            bench.pushes(.issue(3, isVisible: true)) == [.visible(app(1), .newsstandThrottled)],
            "an alert is throttled, too")
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.passes(seconds(86_399))
        #expect(bench.pushes(.issue(4)) == [.dropped(app(1), .newsstandThrottled)], "also after the system restarts")
        #expect(bench.state(1) == .suspended)
        _ = bench.passes(seconds(1))
        #expect(bench.pushes(.issue(5)) == [.delivered(bench.id(of: .issue(5)))])
    }

    @Test func foregroundPushesAreUnlimitedAndDoNotCount() {
        var bench = Bench.withNewsstand()
        _ = bench.plays(.device(.appOpened(app(1))))
        for number in 1...3 { #expect(bench.pushes(.issue(number)) == [.delivered(bench.id(of: .issue(number)))]) }
        _ = bench.plays(.device(.homePressed))
        #expect(bench.pushes(.issue(4)) == [.delivered(bench.id(of: .issue(4)))])
    }

    @Test func registeringAgainDoesNotBringAnother() {
        var bench = Bench.withNewsstand()
        _ = bench.pushes(.issue(1))
        for isWanted in [false, true] {
            _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(isWanted))))))
        }
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), DeviceToken([UInt8](1...32))))))
        bench.finishesEvent(launch(1))
        #expect(bench.pushes(.issue(2)) == [.dropped(app(1), .newsstandThrottled)])
    }

    /// A push that waits for something else is dropped as soon as the limit applies to it.
    @Test func aHeldPushIsDroppedIfTheAppNoLongerLiftsTheLimit() {
        var policy = Policy.iOS26
        policy.liftsNewsstandThrottle = true
        var bench = Bench.withNewsstand(policy, liftsThrottle: true)
        #expect(bench.pushes(.issue(1)) == [.delivered(bench.id(of: .issue(1)))])
        bench.handle(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.pushes(.issue(2)) == [.held(app(1), .lowPowerMode, replacing: false)])
        let count = bench.effects.count
        bench.handle(
            .app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        #expect(
            bench.effects[count...].contains(
                .decided(.concern(.push(.dropped(app(1), .newsstandThrottled))))))
        #expect(bench.pushesOnDisk[app(1)]?.held == nil)
    }

    /// On a system for development, the app's defaults lift the limit.
    @Test(arguments: [(true, true), (true, false), (false, true)]) func developmentSystemsLiftTheNewsstandThrottle(
        bySystem: Bool, byApp: Bool
    ) {
        var policy = Policy.iOS26
        policy.liftsNewsstandThrottle = bySystem
        var bench = Bench.withNewsstand(policy, liftsThrottle: byApp)
        for number in 1...2 {
            let isLifted = number == 1 || bySystem && byApp
            #expect(
                bench.pushes(.issue(number)) == [
                    isLifted ? .delivered(bench.id(of: .issue(number))) : .dropped(app(1), .newsstandThrottled)
                ])
            if isLifted { bench.finishesEvent(launch(1)) }
        }
        // The app may set the limit again.
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.pushes(.issue(3)) == [.dropped(app(1), .newsstandThrottled)])
    }

    @Test func appsWithThePushModeGetOrdinaryPushes() {
        var bench = Bench.withNewsstand(modes: [.newsstandContent, .remoteNotification])
        for number in 1...3 {
            #expect(bench.pushes(.issue(number)) == [.delivered(bench.id(of: .issue(number)))])
            bench.finishesEvent(launch(1))
        }
        #expect(bench.pushes(.issue(4)) == [.held(app(1), .throttled, replacing: false)])
        #expect(!bench.effects.contains(.decided(.launch(launch(1), .woken(.newsstand)))))
    }

    @Test func theRulesOfLaunchesHold() {
        var bench = Bench.withNewsstand(modes: [.fetch])
        #expect(bench.pushes(.issue()) == [.dropped(app(1), .refused(.modeNotDeclared))])
        bench = .withNewsstand()
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        #expect(bench.pushes(.issue()) == [.dropped(app(1), .refused(.backgroundRefresh))])
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), true)))
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        #expect(bench.pushes(.issue()) == [.held(app(1), .lowPowerMode, replacing: false)])
        #expect(bench.pushesOnDisk[app(1)]?.newsstandWake == nil, "the app has not been woken")
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.pushes(.issue()) == [.dropped(app(1), .refused(.forceQuit))])
    }

    @Test func theAppIsLaunchedWhenItsDownloadsHaveEnded() {
        var bench = Bench.withNewsstand()
        _ = bench.pushes(.issue())
        bench.downloads(["cover", "pages", String(repeating: "x", count: 65)], by: launch(1))
        bench.finishesEvent(launch(1))
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        _ = bench.finish(transfer(1))
        _ = bench.finish(transfer(3))
        #expect(bench.state(1) == .notRunning, "one download is still running")
        // A failure ends a download as well.
        let failure = TransferProblem(code: -1100, reason: "gone", isRetryable: false)
        let done = bench.tell(.failed(transfer(2), attempt: bench.attempt(transfer(2)), failure))
        #expect(done.contains(.launch(launch(1, 2), .start(.newsstand))))
        let context = bench.device.launchContext(of: launch(1, 2))
        #expect(
            context?.newsstandDownloads.sorted() == ["cover", "pages"], "a name that is too long is not from RoostKit")
        let count = bench.effects.count
        #expect(!bench.plays().contains("launched by"))
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.newsstand), .didEnterBackground, .concern(.transfer(.handleEvents(.newsstand))),
            ])
    }

    /// A session's name does not wake an app without the Newsstand mode.
    @Test func downloadsDoNotWakeAnAppWithoutTheMode() {
        var bench = Bench.withNewsstand(modes: [.fetch])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.downloads(["cover"], by: launch(1))
        _ = bench.plays(.device(.homePressed))
        let done = bench.finish(transfer(1))
        #expect(done.contains(.decided(.app(app(1), .wakeRefused(.newsstand, .modeNotDeclared)))))
        #expect(bench.state(1) == .suspended)
        // An update adds the mode.
        let count = bench.effects.count
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, modes: [.newsstandContent]))))
        #expect(bench.effects[count...].contains(.launch(launch(1, 2), .start(.newsstand))))
    }
}
