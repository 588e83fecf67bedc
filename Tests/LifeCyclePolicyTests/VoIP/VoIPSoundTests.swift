import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

extension Bench {
    /// A running app asks for something about its calls. Returns what concerns sound.
    fileprivate mutating func sounds(_ request: VoIPRequest, _ launch: LaunchID = launch(1)) -> String {
        sounds(.app(launch, .requested(.concern(.voip(request)))))
    }
}

/// The sound of apps during calls that other apps have reported, and that of the app of the call.
@Suite struct VoIPSoundTests {
    private static let report = VoIPRequest.report(.a, CallUpdate())
    private static let remoteEnd = VoIPRequest.ended(.a, .remoteEnded)
    private static let recording = AudioSession(category: .playAndRecord)
    private static let resumption = "2.1 knows: call off\n· 2.1 again, resume\n2.1 interruption ended, resume"

    /// The second app plays in the foreground. The first one was woken for a push.
    private static func playing() -> Bench {
        var bench = Bench(.iOS26, [.sample(1, modes: [.voip]), .sample(2, modes: [.audio])])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.registers()
        _ = bench.opensSecond()
        _ = bench.starts(nil, launch(2))
        _ = bench.receivesPush()
        return bench
    }

    /// The first app has answered a call in the foreground, plays, and goes to the background.
    private static func calling(modes: [BackgroundMode] = [.voip]) -> Bench {
        var bench = Bench.registered(.active, modes: modes)
        _ = bench.asks(.setSession(Self.recording))
        _ = bench.asks(Self.report)
        bench.connects()
        _ = bench.starts(nil)
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    /// Both play at once, until the app of the call activates its session again.
    @Test func r157TheForegroundAppDoesNotInterruptACall() {
        var bench = Self.calling()
        _ = bench.opensSecond()
        #expect(bench.starts(nil, launch(2)) == "· 2.1 active: playback")
        #expect(bench.assertions(1) == [.audio, .call])
        #expect(bench.asks(.deactivate(notifiesOthers: false)) == "· 1.1 deactivates\n· 1.1 ends a session")
        #expect(
            bench.starts(nil) == """
                · 1.1 active: playAndRecord
                · 2.1 interrupted by app 1
                2.1 interrupted at 0 s
                · 1.1 begins a session
                """)
    }

    /// Both played at once during the call. Then the foreground app comes first.
    @Test(arguments: [2, 1]) func r157AfterTheCallOneOfTwoAppsPlays(_ seen: Int64) {
        var bench = Self.calling(modes: [.audio, .voip])
        _ = bench.opensSecond()
        _ = bench.starts(nil, launch(2))
        if seen == 1 { _ = bench.plays(.device(.appOpened(app(1)))) }
        let other = seen == 1 ? 2 : 1
        let lines = bench.sounds(Self.remoteEnd).split(separator: "\n")
        #expect(lines.first == "· \(other).1 interrupted by app \(seen)")
        #expect(lines.contains("\(other).1 interrupted at 0 s"))
    }

    // MARK: Other apps

    @Test func r174ACallInterruptsTheSoundOfOthers() {
        var bench = Self.playing()
        #expect(
            bench.sounds(Self.report)
                == "· 2.1 interrupted by a call\n2.1 knows: call on\n2.1 interrupted at 0 s", "it rings")
        #expect(bench.sounds(.concern(.voip(.chosen(.answer)))) == "")
        #expect(bench.sounds(.performed(.answer, .a, isFulfilled: true)) == "", "it is on")
        #expect(bench.starts(nil, launch(2)) == "", "the app does not play")
    }

    @Test func r174ACallInterruptsSoundInTheBackground() {
        var bench = Self.playing()
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.sounds(Self.report) == """
                · 2.1 interrupted by a call
                2.1 interrupted at 0 s
                2.1 knows: call on
                · 2.1 ends a session
                """)
        _ = bench.asks(.returned(1))
        _ = bench.asks(.completed(1))
        #expect(bench.listens(.milliseconds(29_999)) == "")
        #expect(bench.listens(.milliseconds(1)) == "freeze 2.1", "R-159: it may resume within 30 s")
        #expect(bench.sounds(Self.remoteEnd) == "freeze 1.1\nthaw 2.1\n" + Self.resumption)
        #expect(bench.assertions(2) == [.audio])
        #expect(bench.starts(nil, launch(2)) == "· 2.1 active: playback\n· 2.1 begins a session")
    }

    @Test func r174TheEndLetsTheOthersResume() {
        var bench = Self.playing()
        _ = bench.sounds(Self.report)
        #expect(bench.sounds(Self.remoteEnd) == Self.resumption)
        #expect(bench.starts(nil, launch(2)) == "· 2.1 active: playback")

        bench = Self.playing()
        _ = bench.sounds(Self.report)
        bench.connects()
        #expect(bench.sounds(.concern(.voip(.chosen(.end)))) == "", "the app ends the call")
        #expect(bench.sounds(.performed(.end, .a, isFulfilled: true)) == Self.resumption)
    }

    @Test func r174TheEndOfTheAppLetsTheOthersResume() {
        var bench = Self.playing()
        _ = bench.sounds(Self.report)
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        let count = bench.effects.count
        _ = bench.plays()
        #expect(bench.sounded(since: count) == Self.resumption)
    }

    /// Another app may play during a call, and may not record.
    @Test func r174AnotherAppMayNotRecord() {
        var bench = Bench.ringing()
        #expect(bench.opensSecond(AudioSession(category: .record)) == "2.1 knows: call on")
        #expect(
            bench.asks(.activate, launch(2)) == "· 2.1 refused: insufficientPriority\n2.1 inactive since 10 s")
        _ = bench.asks(.setSession(AudioSession(category: .playback)), launch(2))
        #expect(bench.asks(.activate, launch(2)) == "· 2.1 active: playback")
        _ = bench.asks(.deactivate(notifiesOthers: false), launch(2))
        #expect(bench.sounds(Self.remoteEnd) == "freeze 1.1\n2.1 knows: call off")
        _ = bench.asks(.setSession(AudioSession(category: .record)), launch(2))
        #expect(bench.asks(.activate, launch(2)) == "· 2.1 active: record")
    }

    /// A telephone call that no app has reported is on at the same time.
    @Test func r174TheTelephoneKeepsTheInterruption() {
        var bench = Self.playing()
        #expect(bench.phoneCall(isOn: true).hasPrefix("· 2.1 interrupted by a call"))
        #expect(bench.sounds(Self.report) == "")
        #expect(bench.sounds(Self.remoteEnd) == "")
        #expect(bench.phoneCall(isOn: false) == Self.resumption)
    }

    // MARK: The app of the call

    @Test func r174TheAppOfTheCallMayPlay() {
        var bench = Bench.registered(.active)
        _ = bench.asks(.setSession(Self.recording))
        #expect(bench.sounds(Self.report) == "", "it may record during its own call")
        bench.connects()
        #expect(bench.starts(nil) == "· 1.1 active: playAndRecord")
        #expect(bench.sounds(.device(.homePressed)) == "· 1.1 begins a session")
        #expect(bench.assertions(1) == [.audio, .call])
        #expect(bench.listens(.seconds(3600)) == "")
    }

    @Test func r174TheEndOfTheCallEndsItsSound() {
        var bench = Self.calling()
        #expect(
            bench.sounds(Self.remoteEnd) == """
                · 1.1 stopped
                1.1 inactive since 0 s
                · 1.1 ends a session
                freeze 1.1
                """)
        #expect(bench.state(1) == .suspended)
    }

    @Test func r174WithTheModeAudioTheSoundContinues() {
        var bench = Self.calling(modes: [.voip, .audio])
        #expect(bench.sounds(Self.remoteEnd) == "")
        #expect(bench.assertions(1) == [.audio])
        #expect(bench.listens(.seconds(60)) == "")
    }

    /// The device is locked, for example, and the app has never been in the foreground during the call.
    @Test func r174TheAppMayBeginToPlayInTheBackground() {
        var bench = Bench.connected()
        _ = bench.asks(.setSession(Self.recording))
        #expect(bench.starts(nil) == "· 1.1 active: playAndRecord\n· 1.1 begins a session")
    }

    @Test func r174ASessionThatMixesMayBeginWhileTheCallRings() {
        var bench = Bench.registered()
        _ = bench.receivesPush()
        _ = bench.asks(.setSession(AudioSession(category: .playback, mixesWithOthers: true)))
        #expect(bench.starts(nil) == "· 1.1 refused: cannotStartPlaying\n1.1 inactive since 0 s", "no call yet")
        _ = bench.asks(Self.report)
        #expect(bench.starts(nil) == "· 1.1 active: playback, mixes\n· 1.1 begins a session")
    }

    @Test func r174TheCallOfAnotherAppInterruptsACall() {
        var bench = Bench.bothRegistered()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.setSession(Self.recording))
        _ = bench.asks(Self.report)
        bench.connects()
        _ = bench.starts(nil)
        _ = bench.plays(.device(.homePressed))
        _ = bench.receivesPush(2)
        #expect(
            bench.sounds(.report(.b, CallUpdate()), launch(2)) == """
                · 1.1 interrupted by a call
                1.1 interrupted at 0 s
                1.1 knows: call on
                · 1.1 ends a session
                """)
        #expect(
            bench.sounds(.ended(.b, .unanswered), launch(2))
                == "1.1 knows: call off\n· 1.1 again, resume\n1.1 interruption ended, resume")
        #expect(bench.starts(nil) == "· 1.1 active: playAndRecord\n· 1.1 begins a session")
    }

    /// The first app is interrupted by the second one, which its own call interrupts.
    @Test func r158AnOwnCallDoesNotPassAnInterruptionOn() {
        var bench = Bench.playing(modes: [.audio, .voip])
        _ = bench.opensSecond()
        _ = bench.asks(.activate, launch(2))
        #expect(
            bench.sounds(Self.report)
                == "· 2.1 interrupted by a call\n2.1 knows: call on\n2.1 interrupted at 0 s")
        #expect(
            bench.asks(.deactivate(notifiesOthers: true), launch(2))
                == "· 2.1 deactivates\n· 1.1 again, resume\n1.1 interruption ended, resume")
    }
}
