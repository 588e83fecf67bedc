import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Sound that keeps an app running in the background, and its end.
@Suite struct AudioPlaybackTests {
    @Test func r154TheAppIsHeldWhileItPlays() {
        var bench = Bench.playing()
        #expect(bench.assertions(1) == [.foreground])
        #expect(bench.sounds(.device(.homePressed)) == "· 1.1 begins a session")
        #expect(bench.assertions(1) == [.audio])
        #expect(bench.listens(.seconds(3600)) == "", "an hour later it still plays")
        #expect(bench.state(1) == .background)
    }

    @Test func r153APlayerActivatesTheSession() {
        var bench = Bench(.iOS26, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.starts(nil) == "· 1.1 active: soloAmbient")
        #expect(bench.asks(.activate) == "", "it is active already")
        #expect(bench.asks(.deactivate(notifiesOthers: false)) == "· 1.1 deactivates")
        #expect(bench.asks(.deactivate(notifiesOthers: false)) == "")
    }

    @Test func r155TheAppIsSuspendedAfterTheEnd() {
        var bench = Bench.playing(.seconds(60))
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.device.nextDeadline == Deadline(at: at(60), reason: .audio))
        #expect(bench.listens(.seconds(60)) == "1.1 finished 1\n· 1.1 ends a session")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.audio], "the next track may begin")
        #expect(bench.device.nextDeadline == Deadline(at: at(65), reason: .audio))
        #expect(bench.listens(.milliseconds(4999)) == "")
        #expect(bench.listens(.milliseconds(1)) == "freeze 1.1\n· 1.1 stopped")
        #expect(bench.state(1) == .suspended && bench.assertions(1).isEmpty)
    }

    @Test func r155TheNextTrackKeepsTheAppRunning() {
        var bench = Bench.playing(.seconds(60))
        _ = bench.sounds(.device(.homePressed))
        _ = bench.listens(.seconds(63))
        #expect(bench.starts(.seconds(60), player: 2) == "· 1.1 begins a session")
        #expect(bench.listens(.seconds(59)) == "")
        #expect(bench.listens(.seconds(1)) == "1.1 finished 2\n· 1.1 ends a session")
    }

    @Test func r155APausedPlayerHoldsNothing() {
        var bench = Bench.playing()
        _ = bench.starts(nil, player: 2)
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.asks(.stop(AudioPlayerID(2))) == "", "the other one plays")
        #expect(bench.asks(.stop(AudioPlayerID(1))) == "· 1.1 ends a session")
        #expect(bench.asks(.stop(AudioPlayerID(9))) == "", "it never played")
        #expect(bench.listens(.seconds(5)) == "freeze 1.1\n· 1.1 stopped")
    }

    @Test(arguments: [.playback, .record, .playAndRecord, .multiRoute] as [AudioCategory])
    func r80TheCategoryContinues(category: AudioCategory) {
        var bench = Bench.playing(nil, AudioSession(category: category))
        #expect(bench.sounds(.device(.homePressed)) == "· 1.1 begins a session")
    }

    @Test(arguments: [.ambient, .soloAmbient] as [AudioCategory])
    func r80TheCategoryEndsInTheBackground(category: AudioCategory) {
        var bench = Bench.playing(nil, AudioSession(category: category))
        let time = bench.now.awake - start
        #expect(bench.sounds(.device(.homePressed)).hasPrefix("· 1.1 stopped\n1.1 inactive since \(time)\n"))
        #expect(bench.state(1) == .suspended)
    }

    @Test func r154WithoutTheModeTheSystemPausesThePlayers() {
        var bench = Bench.playing(.seconds(60), modes: [])
        #expect(bench.sounds(.device(.homePressed)) == "· 1.1 stopped\n1.1 inactive since 0 s\nfreeze 1.1")
        #expect(bench.state(1) == .suspended)
        #expect(bench.listens(.seconds(100)) == "", "it does not finish")
        #expect(bench.sounds(.device(.appOpened(app(1)))) == "thaw 1.1")
        #expect(bench.starts(nil) == "· 1.1 active: playback")
    }

    @Test func r154TheForegroundEndsTheHoldAndNotTheSound() {
        var bench = Bench.playing(.seconds(60))
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.sounds(.device(.appOpened(app(1)))) == "· 1.1 ends a session")
        #expect(bench.assertions(1) == [.foreground])
        #expect(bench.listens(.seconds(60)) == "1.1 finished 1")
        #expect(bench.state(1) == .active)
    }

    /// A later version of an app may not have the mode.
    @Test func r154AnUpdateEndsTheSound() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        _ = bench.sounds(.device(.appInstalled(app(1), .sample(1))))
        #expect(bench.assertions(1).isEmpty)
        #expect(bench.state(1) == .notRunning, "the update ends the app")
    }

    @Test func r154AForceQuitEndsTheSound() {
        var bench = Bench.playing(.seconds(60))
        _ = bench.sounds(.device(.homePressed))
        _ = bench.sounds(.device(.appForceQuit(app(1))))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.listens(.seconds(100)) == "")
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func anAppHasALimitOfPlayers() {
        var bench = Bench.playing()
        for number in 2...64 { #expect(bench.starts(.seconds(10), player: Int64(number)) == "") }
        #expect(bench.starts(.seconds(10), player: 65) == "· 1.1 ignored, late")
        #expect(bench.starts(.seconds(20), player: 64) == "", "it gets another end")
        #expect(bench.listens(.seconds(10)).split(separator: "\n").count == 62)
        #expect(bench.listens(.seconds(10)) == "1.1 finished 64")
    }

    /// An app that is busy with a callback cannot pile up calls.
    @Test func anAppHasALimitOfEndsThatItWasNotToldOf() {
        var bench = Bench.playing()
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.sounds(.device(.memoryRanShort))
        for number in 2...129 { #expect(bench.starts(.zero, player: Int64(number)) == "") }
        #expect(bench.starts(.zero, player: 130) == "· 1.1 ignored, late")
        #expect(bench.starts(.zero, player: 1) == "", "it plays")
    }

    /// The app learns before its code runs that it has no active session any more.
    @Test func r154AResumedAppIsToldFirst() throws {
        var bench = Bench.playing(.seconds(1))
        _ = bench.sounds(.device(.homePressed))
        _ = bench.listens(.seconds(1))
        _ = bench.listens(.seconds(5))
        #expect(bench.state(1) == .suspended)
        let count = bench.effects.count
        bench.handle(.device(.appOpened(app(1))))
        let news = try #require(
            bench.effects[count...].firstIndex { AudioLines.of($0)?.contains("inactive since") == true })
        let call = try #require(
            bench.effects[count...].firstIndex {
                if case .launch(_, .send(.callback)) = $0 { true } else { false }
            })
        #expect(news < call)
    }

    /// On a new connection the app repeats which players play.
    @Test func r154ANewConnectionForgetsThePlayers() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        let attachment = Attachment(lastCallback: callback(4), phase: .background, open: [])
        #expect(bench.sounds(.app(launch(1), .attached(attachment))) == "· 1.1 ends a session")
        #expect(bench.assertions(1) == [.audio])
    }

    @Test func aPlayerWithoutTimeLeftEndsAtOnce() {
        var bench = Bench.playing()
        #expect(bench.starts(.zero, player: 2) == "1.1 finished 2")
        #expect(bench.starts(.seconds(-5), player: 2) == "1.1 finished 2")
    }

    @Test func requestsOfAnEarlierLaunchAreIgnored() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.appForceQuit(app(1))))
        #expect(bench.starts(nil) == "· 1.1 ignored, late")
    }

    // MARK: Starting in the background

    @Test func r156AMixingSessionMayBeginInTheBackground() {
        var bench = Bench.playing()
        _ = bench.asks(.stop(AudioPlayerID(1)))
        _ = bench.asks(.deactivate(notifiesOthers: false))
        _ = bench.begin(1, launch(1))
        _ = bench.sounds(.device(.homePressed))
        #expect(bench.asks(.activate) == "· 1.1 refused: cannotInterruptOthers\n1.1 inactive since 0 s")
        _ = bench.asks(.setSession(AudioSession(category: .playback, mixesWithOthers: true)))
        #expect(bench.starts(nil) == "· 1.1 active: playback, mixes\n· 1.1 begins a session")
    }

    @Test func r156WithoutTheModeNothingBeginsInTheBackground() {
        var bench = Bench(.iOS26, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.begin(1, launch(1))
        _ = bench.sounds(.device(.homePressed))
        _ = bench.asks(.setSession(AudioSession(category: .playback, mixesWithOthers: true)))
        #expect(bench.starts(nil) == "· 1.1 refused: cannotStartPlaying\n1.1 inactive since 0 s")
        #expect(bench.assertions(1) == [.task(TaskID(1))])
    }

    // MARK: Restarts of the system

    @Test func r154TheSoundOutlivesTheSystem() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.listens(.zero)
        #expect(bench.assertions(1) == [.audio], "it has a short time to say that it plays")
        #expect(bench.asks(.setSession(AudioSession(category: .playback))) == "")
        #expect(bench.starts(nil) == "· 1.1 active: playback\n· 1.1 begins a session")
        #expect(bench.listens(.seconds(100)) == "")
        #expect(bench.state(1) == .background)
    }

    @Test func r155ASilentAppIsSuspendedAfterARestart() {
        var bench = Bench.playing()
        _ = bench.sounds(.device(.homePressed))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.listens(.zero)
        #expect(bench.listens(.seconds(5)) == "freeze 1.1")
        #expect(bench.state(1) == .suspended)
    }

    @Test func anAppThatWasSuspendedIsNotHeldAfterARestart() {
        var bench = Bench.playing(.seconds(1))
        _ = bench.sounds(.device(.homePressed))
        _ = bench.listens(.seconds(6))
        #expect(bench.state(1) == .suspended)
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.listens(.zero)
        #expect(bench.assertions(1).isEmpty && bench.state(1) == .suspended)
        #expect(bench.device.nextDeadline == nil)
    }
}
