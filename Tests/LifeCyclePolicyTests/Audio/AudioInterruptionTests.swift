import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The arbiter of audio sessions, and interruptions.
@Suite struct AudioInterruptionTests {
    private static let mixing = AudioSession(category: .playback, mixesWithOthers: true)

    @Test func r157ASessionInterruptsTheOthers() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        #expect(
            bench.asks(.activate, launch(2)) == """
                · 2.1 active: playback
                · 1.1 interrupted by app 2
                1.1 interrupted at 0 s
                · 1.1 ends a session
                """)
        #expect(bench.state(1) == .background, "the interruption may end soon")
    }

    @Test func r79SessionsThatMixPlayTogether() {
        var bench = Bench.playing(nil, Self.mixing)
        _ = bench.opensSecond(Self.mixing)
        #expect(bench.starts(nil, launch(2)) == "· 2.1 active: playback, mixes")
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.assertions(1) == [.audio] && bench.assertions(2) == [.audio])
    }

    @Test func r80ASessionThatMixesInterruptsNoOtherAndIsNotInterrupted() {
        var bench = Bench.playing()
        _ = bench.opensSecond(AudioSession(category: .ambient))
        #expect(bench.starts(nil, launch(2)) == "· 2.1 active: ambient, mixes")
        let playback = bench.asks(.setSession(AudioSession(category: .playback)), launch(2))
        #expect(playback.contains("1.1 interrupted by app 2"))
    }

    @Test func r158TheEndLetsTheAppResume() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        _ = bench.asks(.activate, launch(2))
        #expect(
            bench.asks(.deactivate(notifiesOthers: true), launch(2)) == """
                · 2.1 deactivates
                · 1.1 again, resume
                1.1 interruption ended, resume
                """)
        #expect(bench.starts(nil) == "· 1.1 active: playback\n· 1.1 begins a session")
    }

    @Test func r158WithoutTheOptionTheInterruptionGoesUntold() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        _ = bench.asks(.activate, launch(2))
        #expect(bench.asks(.deactivate(notifiesOthers: false), launch(2)) == "· 2.1 deactivates")
        #expect(bench.starts(nil) == "· 1.1 active: playback\n· 1.1 begins a session", "R-156: it was interrupted")
    }

    /// A song does not begin again because another app ends much later.
    @Test func r158AnUntoldEndIsNotToldLater() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        _ = bench.asks(.activate, launch(2))
        _ = bench.asks(.deactivate(notifiesOthers: false), launch(2))
        #expect(!bench.sounds(.device(.appForceQuit(app(2)))).contains("1.1"))
    }

    @Test func r158TheEndOfTheOtherAppEndsTheInterruption() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        _ = bench.asks(.activate, launch(2))
        #expect(bench.sounds(.device(.appForceQuit(app(2)))).contains("1.1 interruption ended, resume"))
    }

    /// The app has not handled the interruption yet. Its player does not activate the session again.
    @Test func r158APlayerOfAnInterruptedAppDoesNotPlay() {
        var bench = Bench.playing()
        _ = bench.phoneCall(isOn: true)
        #expect(bench.starts(nil, player: 2) == "")
        #expect(bench.phoneCall(isOn: false).contains("1.1 interruption ended, resume"))
    }

    /// The interrupter is interrupted itself, and leaves the foreground: the other app waits for the end of the call.
    @Test func r158AnInterruptionIsPassedOn() {
        var bench = Bench.playing()
        _ = bench.opensSecond(AudioSession())
        _ = bench.starts(nil, launch(2))
        _ = bench.phoneCall(isOn: true)
        #expect(!bench.sounds(.device(.homePressed)).contains("1.1 interruption ended"), "the call is on")
        #expect(bench.phoneCall(isOn: false).contains("1.1 interruption ended, resume"))
    }

    @Test func r158NoAppIsToResumeDuringACall() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        _ = bench.asks(.activate, launch(2))
        _ = bench.phoneCall(isOn: true)
        #expect(!bench.sounds(.device(.appForceQuit(app(2)))).contains("1.1"))
        #expect(bench.phoneCall(isOn: false).contains("1.1 interruption ended, resume"))
    }

    /// A refusal is an interruption by the foreground app, which has an end.
    @Test func r158ARefusedAppIsToldWhenItMayPlay() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        _ = bench.phoneCall(isOn: true)
        _ = bench.opensSecond()
        _ = bench.starts(nil, launch(2))
        #expect(bench.phoneCall(isOn: false).contains("1.1 interruption ended, resume"))
        #expect(
            bench.asks(.activate) == """
                · 1.1 refused: cannotInterruptOthers
                · 1.1 interrupted by app 2
                1.1 interrupted at 0 s
                """)
        #expect(bench.asks(.deactivate(notifiesOthers: true), launch(2)).contains("1.1 interruption ended, resume"))
    }

    /// An app that had paused is told of the end, and is not to resume.
    @Test func r158APausedAppIsNotToResume() {
        var bench = Bench.playing()
        _ = bench.asks(.stop(AudioPlayerID(1)))
        _ = bench.phoneCall(isOn: true)
        #expect(bench.phoneCall(isOn: false) == "1.1 knows: call off\n· 1.1 again\n1.1 interruption ended")
    }

    @Test func r157TheForegroundAppComesFirst() {
        var bench = Bench.playing()
        _ = bench.opensSecond()
        _ = bench.starts(nil, launch(2))
        #expect(bench.asks(.activate) == "· 1.1 refused: cannotInterruptOthers\n1.1 interrupted at 0 s")
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.asks(.activate).contains("· 2.1 interrupted by app 1"), "both are in the background")
    }

    @Test func r157ACallInterruptsEverySession() {
        var bench = Bench.playing(nil, Self.mixing)
        #expect(
            bench.phoneCall(isOn: true) == """
                · 1.1 interrupted by a call
                1.1 interrupted at 0 s
                1.1 knows: call on
                """)
        #expect(bench.phoneCall(isOn: true) == "", "it is on already")
        #expect(bench.asks(.activate) == "· 1.1 active: playback, mixes", "playback may be activated")
        _ = bench.asks(.deactivate(notifiesOthers: false))
        _ = bench.asks(.setSession(AudioSession(category: .record)))
        #expect(bench.asks(.activate) == "· 1.1 refused: insufficientPriority\n1.1 inactive since 0 s")
        #expect(bench.phoneCall(isOn: false) == "1.1 knows: call off")
        #expect(bench.asks(.activate) == "· 1.1 active: record")
    }

    @Test func r159AnInterruptedAppRunsForAWhile() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        #expect(
            bench.phoneCall(isOn: true)
                == "· 1.1 interrupted by a call\n1.1 interrupted at 0 s\n1.1 knows: call on\n· 1.1 ends a session")
        #expect(bench.listens(.milliseconds(29_999)) == "")
        #expect(bench.listens(.milliseconds(1)) == "freeze 1.1")
    }

    @Test func r159TheEndThawsTheApp() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        _ = bench.phoneCall(isOn: true)
        #expect(bench.listens(.seconds(30)) == "freeze 1.1")
        #expect(bench.state(1) == .suspended)
        #expect(
            bench.phoneCall(isOn: false) == """
                thaw 1.1
                1.1 knows: call off
                · 1.1 again, resume
                1.1 interruption ended, resume
                """)
        #expect(bench.assertions(1) == [.audio])
        #expect(bench.starts(nil) == "· 1.1 active: playback\n· 1.1 begins a session")
        #expect(bench.listens(.seconds(100)) == "")
    }

    @Test func r159AnAppThatDoesNotResumeIsSuspended() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        _ = bench.phoneCall(isOn: true)
        #expect(bench.listens(.seconds(30)) == "freeze 1.1")
        _ = bench.phoneCall(isOn: false)
        #expect(bench.listens(.milliseconds(9999)) == "")
        #expect(bench.listens(.milliseconds(1)) == "freeze 1.1")
        #expect(bench.starts(nil).hasPrefix("· 1.1 refused: cannotInterruptOthers"), "its time is over")
    }

    /// An app that may not play in the background is told of the end when it runs again.
    @Test func r158TheEndWaitsForAnAppWithoutTheMode() {
        var bench = Bench.playing(nil, modes: [])
        _ = bench.phoneCall(isOn: true)
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
        #expect(bench.phoneCall(isOn: false) == "")
        let opened = bench.sounds(.device(.appOpened(app(1))))
        #expect(opened.contains("1.1 interruption ended, resume") && opened.contains("knows: call off"))
    }

    @Test func aCallWithoutAppsKeepsTheDeviceIdle() {
        var bench = Bench(.iOS26, [.sample(1)])
        #expect(bench.phoneCall(isOn: true) == "")
        #expect(bench.device.nextDeadline == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.setSession(AudioSession(category: .record))) == "1.1 knows: call on")
    }
}
