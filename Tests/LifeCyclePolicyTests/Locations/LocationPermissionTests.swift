import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The user's decision about an app, and what the app learns of it.
@Suite struct LocationPermissionTests {
    // MARK: Requests

    @Test(arguments: [
        (LocationPermission.ask, false, "asks"), (.ask, true, "asks, always"),
        (.whenInUse, true, "asks, always"), (.whenInUse, false, "asks in vain: whenInUse"),
        (.deny, false, "asks in vain: deny"), (.deny, true, "asks in vain: deny"),
        (.always, false, "asks in vain: always"), (.always, true, "asks in vain: always"),
    ])
    func r132ARequestIsIgnoredOnceTheUserHasDecided(
        _ permission: LocationPermission, _ always: Bool, _ text: String
    ) {
        var bench = Bench.locating(permission)
        #expect(bench.asks(.requestPermission(always: always)) == "· 1.1 \(text)")
        #expect(bench.device.locationRecords.count == (permission == .ask ? 0 : 1), "a request is not persisted")
    }

    // MARK: Decisions

    @Test func r134AnActiveAppIsToldAtOnce() {
        var bench = Bench.locating(.always)
        #expect(
            bench.permits(.whenInUse) == """
                · app 1 may: whenInUse
                store app 1: whenInUse
                1.1 called for whenInUse
                1.1 has whenInUse
                """)
        #expect(bench.permits(.whenInUse) == "· app 1 may: whenInUse", "nothing has changed")
        #expect(bench.locationsOnDisk == "app 1: whenInUse")
    }

    @Test func r132NoDecisionIsNoChangeOfNone() {
        var bench = Bench.with(.active)
        #expect(bench.permits(.ask) == "· app 1 may: ask")
        #expect(bench.device.locationRecords.isEmpty)
    }

    @Test func r132AnUnknownAppIsRefused() {
        var bench = Bench.with(.active)
        #expect(bench.permits(.always, 9) == "· app 9 unknown")
        _ = bench.does(.device(.appUninstalled(app(1))))
        let count = bench.effects.count
        bench.handle(.concern(.location(.permitted(app(1), .always))))
        #expect(bench.located(since: count) == "· app 1 unknown", "it is being removed")
        #expect(bench.device.locationRecords.isEmpty)
    }

    /// A suspended app is told once, and the newest.
    @Test func r134ASuspendedAppIsToldTheNewest() {
        var bench = Bench.locating()
        _ = bench.plays(.device(.homePressed))
        #expect(bench.permits(.always) == "· app 1 may: always\nstore app 1: always")
        #expect(bench.permits(.deny) == "· app 1 may: deny\nstore app 1: deny")
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 has deny\n1.1 called for deny")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1", "it is told once")
    }

    @Test func r134ALaunchIsToldBeforeItIsCalled() {
        var bench = Bench.with(.notRunning)
        #expect(bench.permits(.always) == "· app 1 may: always\nstore app 1: always")
        #expect(
            bench.locates(.device(.appOpened(app(1)))) == """
                start 1.1 for user
                1.1 has always
                1.1 launch for user
                """, "it makes no call for a decision of before its launch")
        #expect(
            bench.locates(.device(.appOpened(app(2)))) == "start 2.1 for user\n2.1 launch for user",
            "the user has not decided about this app")
    }

    @Test func r134ALaunchWithoutADecisionIsToldNothing() {
        var bench = Bench.with(.notRunning)
        _ = bench.permits(.always)
        _ = bench.permits(.ask)
        #expect(bench.locates(.device(.appOpened(app(1)))) == "start 1.1 for user\n1.1 launch for user")
    }

    /// A process that has not connected yet cannot be sent anything.
    @Test func r134AStartingAppIsToldWhenItConnects() {
        var bench = Bench.with(.inactive)
        let count = bench.effects.count
        bench.handle(.concern(.location(.permitted(app(1), .always))))
        #expect(bench.located(since: count) == "· app 1 may: always\nstore app 1: always")
        let next = bench.effects.count
        _ = bench.plays()
        #expect(bench.located(since: next) == "1.1 has always\n1.1 launch for user\n1.1 called for always")
    }

    /// The next launch is not told before it connects, although the launch before it had connected.
    @Test func r134ANewLaunchHasNotConnected() {
        var bench = Bench.locating()
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.does(.device(.appOpened(app(1))))
        let count = bench.effects.count
        bench.handle(.concern(.location(.permitted(app(1), .always))))
        #expect(bench.located(since: count) == "· app 1 may: always\nstore app 1: always")
    }

    // MARK: Denial

    @Test func r134WithoutPermissionTheUpdatesEnd() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(
            bench.permits(.deny) == """
                · app 1 may: deny
                store app 1: deny
                1.1 called for deny
                · 1.1 denied
                1.1 has deny
                1.1 failed: denied
                """)
        #expect(bench.moves(20) == "")
        #expect(!bench.permits(.always).contains("updates"), "updates do not begin by themselves")
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0\n1.1 updates 20")
    }

    @Test func r134WithoutPermissionTheMonitoringEnds() {
        var bench = Bench.monitoring()
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.permits(.deny) == """
                · app 1 may: deny
                store app 1: deny
                1.1 called for deny
                1.1 has deny
                """, "only standard updates fail")
        #expect(bench.locationsOnDisk == "app 1: deny")
        _ = bench.waits(seconds(300))
        #expect(!bench.permits(.always).contains("changed"), "monitoring does not begin by itself")
        #expect(bench.moves(50_000) == "")
    }

    @Test func r134ADeniedAppIsToldSoWhenItAsks() {
        var bench = Bench.locating(.deny)
        #expect(
            bench.asks(.setUpdates(StandardUpdates()))
                == "· 1.1 begins updates, 0\n· 1.1 denied\n1.1 failed: denied")
        #expect(bench.asks(.setUpdates(nil)) == "", "the updates have not begun")
        #expect(bench.asks(.setChangeMonitoring(true)) == "· 1.1 denied\n1.1 failed: denied")
        #expect(bench.asks(.setChangeMonitoring(false)) == "")
        #expect(bench.moves(50_000) == "")
        #expect(bench.locationsOnDisk == "app 1: deny")
    }

    // MARK: Undecided

    @Test func r132ServicesWaitForTheDecision() {
        var bench = Bench.locating(.always)
        #expect(
            bench.permits(.ask) == "· app 1 may: ask\nstore app 1: ask\n1.1 called for ask\n1.1 has ask")
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0")
        #expect(bench.asks(.setChangeMonitoring(true)) == "· 1.1 begins monitoring\nstore app 1: ask, monitors")
        #expect(bench.moves(20) == "")
        #expect(
            bench.permits(.whenInUse) == """
                · app 1 may: whenInUse
                store app 1: whenInUse, monitors
                1.1 called for whenInUse
                1.1 has whenInUse
                · app 1 changed
                store app 1: whenInUse, monitors, told 20 at 0 s
                1.1 updates 20
                1.1 changes 20
                """)
    }

    /// The user resets the decision: the services go on once the user has decided again.
    @Test func r134AResetStopsAndADecisionGoesOn() {
        var bench = Bench.locating(.whenInUse)
        _ = bench.asks(.setUpdates(StandardUpdates(distanceFilter: 50_000)))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.moves(50_000) == "")
        _ = bench.permits(.ask)
        #expect(bench.moves(100_000) == "")
        let news = "thaw 1.1\n1.1 has ask\n1.1 called for ask"
        #expect(bench.locates(.device(.appOpened(app(1)))) == news, "positions from before the reset are gone")
        #expect(bench.moves(200_000) == "")
        #expect(bench.permits(.whenInUse).hasSuffix("1.1 has whenInUse\n1.1 updates 200000"))
        _ = bench.permits(.ask)
        #expect(bench.permits(.always).hasSuffix("1.1 updates 200000"), "the app has forgotten it")
        #expect(bench.moves(150_000).hasPrefix("1.1 updates"))
    }

    /// A position that waits in the app's queue is withdrawn with the permission.
    @Test(arguments: [LocationPermission.ask, .deny]) func r134AQueuedPositionIsWithdrawn(_ new: LocationPermission) {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.waits(seconds(300))
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.moves(20) == "1.1 updates 20")
        _ = bench.moves(60_000)
        _ = bench.permits(new)
        var news = bench.answers()
        while let more = Optional(bench.answers()), !more.isEmpty { news += "\n" + more }
        #expect(!news.contains("updates") && !news.contains("changes"), "\(news)")
        #expect(news.contains("1.1 called for \(new)"))
        bench.helpers[launch(1)]?.isHung = false
        #expect(bench.permits(.always).contains("called for always"))
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.moves(60_020).hasSuffix("1.1 updates 60020"), "updates are called again")
    }

    /// The permission came after the start, and no position is known.
    @Test func r135APermissionAfterTheStartTellsThatNothingIsKnown() {
        var bench = Bench.with(.active)
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0")
        #expect(bench.permits(.whenInUse).hasSuffix("1.1 failed: unknown"))
        #expect(bench.moves(20) == "1.1 updates 20")
    }

    /// More permission than enough brings no position twice.
    @Test(arguments: [(LocationPermission.whenInUse, LocationPermission.always), (.always, .whenInUse)])
    func r134AChangeBetweenPermissionsRepeatsNoPosition(_ old: LocationPermission, _ new: LocationPermission) {
        var bench = Bench.locating(old)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(
            bench.permits(new) == "· app 1 may: \(new)\nstore app 1: \(new)\n1.1 called for \(new)\n1.1 has \(new)")
    }

    /// The app is being ended, and never gets the first position. The next launch does.
    @Test func r141AnEndingAppIsNotAnswered() {
        var bench = Bench.with(.active)
        _ = bench.permits(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.locates(.device(.appForceQuit(app(1))))
        #expect(bench.moves(20) == "· app 1 held: ending")
        #expect(bench.waits(seconds(60)).hasSuffix("1.2 changes 20"))
    }

    /// The user allows it again before the app was told of the denial. Only the newest permission is told, and the app's
    /// own request starts its updates again.
    @Test func r134ADenialThatIsOverIsNotTold() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.homePressed))
        _ = bench.permits(.deny)
        _ = bench.permits(.always)
        let news = bench.locates(.device(.appOpened(app(1))))
        #expect(news == "thaw 1.1\n1.1 has always\n1.1 called for always", "\(news)")
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0\n1.1 updates 0")
    }

    /// Positions that wait stay when the permission changes between the two that allow use.
    @Test func r138PositionsThatWaitOutliveAChangeOfPermission() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.homePressed))
        _ = bench.moves(20)
        _ = bench.permits(.whenInUse)
        #expect(
            bench.locates(.device(.appOpened(app(1))))
                == "thaw 1.1\n1.1 has whenInUse\n1.1 called for whenInUse\n1.1 updates 20")
    }

    // MARK: What each permission allows

    /// Whether updates and significant changes reach the app: in the foreground, in the background and suspended.
    @Test(arguments: [
        (LocationPermission.ask, "", "", "", ""), (.deny, "", "", "", ""),
        (.whenInUse, "updates changes", "", "", ""),
        (.always, "updates changes", "updates changes", "changes updates", "changes"),
    ])
    func r133WhatAPermissionAllows(
        _ permission: LocationPermission, _ active: String, _ background: String, _ suspended: String,
        _ notRunning: String
    ) {
        for (state, expected) in [
            (AppState.active, active), (.background, background), (.suspended, suspended), (.notRunning, notRunning),
        ] {
            var bench = Bench.locating(.always)
            _ = bench.asks(.setUpdates(StandardUpdates()))
            _ = bench.asks(.setChangeMonitoring(true))
            _ = bench.permits(permission)
            _ = bench.waits(seconds(300))
            if state == .background { bench.toBackground() }
            if state == .suspended { _ = bench.plays(.device(.homePressed)) }
            if state == .notRunning { _ = bench.plays(.device(.appForceQuit(app(1)))) }
            #expect(bench.state(1) == state)
            let count = bench.effects.count
            _ = bench.moves(50_000)
            let services = bench.effects[count...].callbacks.compactMap {
                if case .concern(.location(.updated([.north(50_000)], by: let service))) = $0 {
                    service.rawValue
                } else {
                    nil
                }
            }
            #expect(services.joined(separator: " ") == expected, "\(permission), \(state)")
        }
    }

    /// An app on its way to the foreground is in use.
    @Test func r133TheForegroundIsInUse() {
        var bench = Bench.monitoring(.whenInUse)
        _ = bench.waits(seconds(300))
        #expect(bench.moves(50_000) == "", "monitoring wakes no app without the permission always")
        #expect(bench.device.nextDeadline == nil)
        #expect(
            bench.locates(.device(.appOpened(app(1)))) == """
                thaw 1.1
                · app 1 changed by 50000
                store app 1: whenInUse, monitors, told 50000 at 300 s
                1.1 changes 50000
                """)
    }

    /// The user opens the app again before it has left the foreground.
    @Test func r133AnAppThatReturnsIsInUse() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.does(.device(.homePressed))
        let count = bench.effects.count
        bench.handle(.concern(.location(.moved(.north(20)))))
        #expect(bench.located(since: count) == "")
        #expect(bench.locates(.device(.appOpened(app(1)))) == "1.1 updates 20")
    }

    /// A background app with the permission while in use is not woken, and not held up either.
    @Test func r133ABackgroundAppIsNotInUse() {
        var bench = Bench.locating(.whenInUse)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.waits(seconds(300))
        bench.toBackground()
        #expect(bench.moves(50_000) == "")
        #expect(
            bench.permits(.always) == """
                · app 1 may: always
                store app 1: always, monitors, told 0 at 0 s
                1.1 called for always
                1.1 has always
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 300 s
                1.1 updates 50000
                1.1 changes 50000
                """)
    }
}
