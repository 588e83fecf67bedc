import LifeCycleModel
import Testing

@testable import AppCore

/// The app's own view of its session and its players.
@Suite struct AudioMirrorTests {
    private var app = Scripted(.user)
    private var now = Nanoseconds.seconds(1000)

    private func requests(_ steps: [Step]) -> [AudioRequest] {
        steps.compactMap { if case .send(.concern(.audio(let request))) = $0 { request } else { nil } }
    }

    private mutating func asks<Value>(
        _ change: (inout AppCore, inout [Step]) -> Value
    ) -> (value: Value, requests: [AudioRequest]) {
        var steps: [Step] = []
        let value = change(&app.core, &steps)
        return (value, requests(steps))
    }

    private mutating func plays(_ id: AudioPlayerID, hasMode: Bool = false) -> (value: Bool, requests: [AudioRequest]) {
        let now = now
        return asks { $0.playAudio(id, hasMode: hasMode, at: now, into: &$1) }
    }

    private mutating func called(_ call: AudioCall) -> [AudioRequest] {
        requests(app.run(.concern(.audio(call)), at: now))
    }

    private mutating func deliveries() -> [AudioDelivery] {
        var all: [AudioDelivery] = []
        while let delivery = app.core.nextAudioDelivery() { all.append(delivery) }
        return all
    }

    private mutating func goesToTheBackground() {
        app.run(.launch(.user))
        app.run(.didBecomeActive)
        app.run(.willResignActive)
        app.run(.didEnterBackground)
    }

    // MARK: Players

    @Test mutating func r153PlayActivatesTheSession() {
        let id = app.core.addAudioPlayer(length: .seconds(60))
        let (isPlaying, requests) = plays(id)
        #expect(isPlaying && requests == [.activate, .play(id, until: now + .seconds(60))])
        #expect(app.core.isAudioPlaying(id, at: now))
        let second = app.core.addAudioPlayer(length: .seconds(10))
        #expect(plays(second).requests == [.play(second, until: now + .seconds(10))])
        #expect(plays(second).requests.isEmpty, "it plays already")
    }

    @Test mutating func aPausedPlayerKeepsItsPosition() {
        let id = app.core.addAudioPlayer(length: .seconds(60))
        _ = plays(id)
        now = now + .seconds(20)
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(20))
        let time = now
        #expect(asks { $0.pauseAudio(id, at: time, into: &$1) }.requests == [.stop(id)])
        #expect(asks { $0.pauseAudio(id, at: time, into: &$1) }.requests.isEmpty)
        now = now + .seconds(5)
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(20))
        #expect(plays(id).requests == [.play(id, until: now + .seconds(40))])
    }

    @Test mutating func aSeekChangesTheEnd() {
        let id = app.core.addAudioPlayer(length: .seconds(60))
        _ = plays(id)
        let time = now
        #expect(
            asks { $0.seekAudio(id, to: .seconds(50), at: time, into: &$1) }.requests
                == [.play(id, until: now + .seconds(10))])
        _ = asks { $0.seekAudio(id, to: .seconds(100), at: time, into: &$1) }
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(60), "no position is beyond the end")
        _ = asks { $0.seekAudio(id, to: .seconds(-1), at: time, into: &$1) }
        #expect(app.core.audioPosition(of: id, at: now) == .zero)
    }

    @Test mutating func repetitionsAddToTheEnd() {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        let time = now
        #expect(asks { $0.setAudioLoops(id, 2, at: time, into: &$1) }.requests.isEmpty)
        #expect(plays(id).requests.last == .play(id, until: now + .seconds(30)))
        now = now + .seconds(12)
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(2))
        let later = now
        _ = asks { $0.pauseAudio(id, at: later, into: &$1) }
        #expect(plays(id).requests == [.play(id, until: now + .seconds(18))], "one repetition is over")
        let endless = asks { $0.setAudioLoops(id, -1, at: later, into: &$1) }
        #expect(endless.requests == [.play(id, until: nil)])
        now = now + .seconds(95)
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(7))
    }

    @Test(arguments: [Int.max, Int.min, 0])
    mutating func extremeNumbersDoNoHarm(loops: Int) {
        let id = app.core.addAudioPlayer(length: Nanoseconds(.max))
        let time = now
        _ = asks { $0.setAudioLoops(id, loops, at: time, into: &$1) }
        _ = plays(id)
        now = now + .seconds(1)
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(1))
        let empty = app.core.addAudioPlayer(length: .seconds(-1))
        _ = asks { $0.setAudioLoops(empty, loops, at: time, into: &$1) }
        _ = plays(empty)
        #expect(app.core.audioPosition(of: empty, at: now) == .zero)
    }

    @Test mutating func thePlayerFinishes() {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        _ = plays(id)
        now = now + .seconds(10)
        _ = called(.finished(id))
        #expect(deliveries() == [.finished(id)])
        #expect(!app.core.isAudioPlaying(id, at: now) && app.core.audioPosition(of: id, at: now) == .zero)
    }

    /// The call was under way while the app gave the player another end.
    @Test mutating func aLateEndIsIgnored() {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        _ = plays(id)
        now = now + .seconds(10)
        let time = now
        _ = asks { $0.seekAudio(id, to: .zero, at: time, into: &$1) }
        _ = called(.finished(id))
        #expect(deliveries().isEmpty && app.core.isAudioPlaying(id, at: now))
        _ = called(.finished(AudioPlayerID(99)))
        #expect(deliveries().isEmpty)
    }

    /// The system's call about the end is under way.
    @Test mutating func aPlayerThatIsOverPlaysAgain() {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        _ = plays(id)
        now = now + .seconds(10)
        #expect(!app.core.isAudioPlaying(id, at: now))
        #expect(plays(id).requests == [.play(id, until: now + .seconds(10))])
        _ = called(.finished(id))
        #expect(deliveries() == [.finished(id)] && app.core.isAudioPlaying(id, at: now), "it ended once")
    }

    @Test mutating func anEmptySoundEndsAtOnce() {
        let id = app.core.addAudioPlayer(length: .zero)
        let time = now
        _ = asks { $0.setAudioLoops(id, -1, at: time, into: &$1) }
        #expect(plays(id).requests.last == .play(id, until: now))
    }

    @Test mutating func aRemovedPlayerStops() {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        _ = plays(id)
        #expect(asks { $0.removeAudioPlayer(id, into: &$1) }.requests == [.stop(id)])
        #expect(asks { $0.removeAudioPlayer(id, into: &$1) }.requests.isEmpty)
        #expect(!plays(id).value)
    }

    @Test mutating func aSixtyFifthPlayerDoesNotPlay() {
        for _ in 0..<AudioPlayerID.mostPlaying { #expect(plays(app.core.addAudioPlayer(length: .seconds(9))).value) }
        let (isPlaying, requests) = plays(app.core.addAudioPlayer(length: .seconds(9)))
        #expect(!isPlaying && requests.isEmpty)
    }

    // MARK: The session

    @Test mutating func r82ADeactivationWhileItPlaysIsBusy() {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        _ = plays(id)
        let time = now
        let (failure, requests) = asks { $0.deactivateAudio(notifiesOthers: true, at: time, into: &$1) }
        #expect(failure == .isBusy && requests == [.stop(id), .deactivate(notifiesOthers: true)])
        #expect(!app.core.isAudioPlaying(id, at: now))
        #expect(asks { $0.deactivateAudio(notifiesOthers: true, at: time, into: &$1) }.value == nil)
    }

    @Test mutating func r156TheBackgroundHasItsRules() {
        goesToTheBackground()
        let id = app.core.addAudioPlayer(length: .seconds(10))
        #expect(asks { $0.activateAudio(hasMode: true, into: &$1) }.value == .cannotStartPlaying, "soloAmbient")
        _ = asks { $0.setAudioSession(AudioSession(category: .playback), into: &$1) }
        #expect(asks { $0.activateAudio(hasMode: false, into: &$1) }.value == .cannotStartPlaying)
        #expect(asks { $0.activateAudio(hasMode: true, into: &$1) }.value == .cannotInterruptOthers)
        #expect(!plays(id, hasMode: true).value)
        let mixing = AudioSession(category: .playback, mixesWithOthers: true)
        #expect(asks { $0.setAudioSession(mixing, into: &$1) }.requests == [.setSession(mixing)])
        #expect(plays(id, hasMode: true).value)
    }

    @Test mutating func r157ACallComesBeforeARecording() {
        _ = asks { $0.setAudioSession(AudioSession(category: .record), into: &$1) }
        _ = app.receive(.concern(.audio(.call(isOn: true))))
        #expect(asks { $0.activateAudio(hasMode: true, into: &$1) }.value == .insufficientPriority)
        _ = app.receive(.concern(.audio(.call(isOn: false))))
        #expect(asks { $0.activateAudio(hasMode: true, into: &$1) }.value == nil)
    }

    @Test mutating func r158AnInterruptionPausesThePlayers() {
        let id = app.core.addAudioPlayer(length: .seconds(60))
        _ = asks { $0.setAudioSession(AudioSession(category: .playback), into: &$1) }
        _ = plays(id)
        let time = now + .seconds(20)
        now = now + .seconds(30)
        #expect(called(.interrupted(at: time)) == [.stop(id)])
        #expect(deliveries() == [.interrupted])
        #expect(app.core.audioPosition(of: id, at: now) == .seconds(20), "the system knows when it was silenced")
        goesToTheBackground()
        _ = called(.interruptionEnded(shouldResume: true))
        #expect(deliveries() == [.interruptionEnded(shouldResume: true)])
        #expect(plays(id, hasMode: true).requests == [.activate, .play(id, until: now + .seconds(40))])
    }

    @Test mutating func r154TheSystemDeactivatesTheSession() {
        let id = app.core.addAudioPlayer(length: .seconds(60))
        _ = plays(id)
        let time = now + .seconds(5)
        #expect(requests(app.receive(.concern(.audio(.deactivated(at: time))), at: time)) == [.stop(id)])
        #expect(!app.core.isAudioPlaying(id, at: now) && deliveries().isEmpty, "no delegate is called")
        #expect(app.core.audioPosition(of: id, at: time) == .seconds(5))
        #expect(plays(id).requests.first == .activate)
    }

    // MARK: Reconnections

    /// The system may have missed the end of the session.
    @Test mutating func anInactiveSessionIsRepeated() {
        let id = app.core.addAudioPlayer(length: .seconds(60))
        _ = plays(id)
        let time = now
        _ = asks { $0.deactivateAudio(notifiesOthers: false, at: time, into: &$1) }
        let repeats = app.core.repeats()
        #expect(repeats == [.concern(.audio(.deactivate(notifiesOthers: true)))])
    }

    /// The call may have ended with the system.
    @Test mutating func aNewConnectionForgetsTheCall() {
        _ = asks { $0.setAudioSession(AudioSession(category: .record), into: &$1) }
        _ = app.receive(.concern(.audio(.call(isOn: true))))
        _ = app.core.repeats()
        #expect(asks { $0.activateAudio(hasMode: true, into: &$1) }.value == nil)
    }

    @Test mutating func theSessionAndThePlayersAreRepeated() {
        func repeats(_ core: inout AppCore) -> [AudioRequest] {
            core.repeats().compactMap { if case .concern(.audio(let request)) = $0 { request } else { nil } }
        }
        #expect(repeats(&app.core).isEmpty)
        let session = AudioSession(category: .playback)
        _ = asks { $0.setAudioSession(session, into: &$1) }
        let (id, other) = (app.core.addAudioPlayer(length: .seconds(60)), app.core.addAudioPlayer(length: .seconds(60)))
        #expect(repeats(&app.core) == [.setSession(session)])
        _ = plays(id)
        _ = plays(other)
        let time = now
        _ = asks { $0.pauseAudio(other, at: time, into: &$1) }
        #expect(repeats(&app.core) == [.setSession(session), .activate, .play(id, until: now + .seconds(60))])
    }

    // MARK: What is audible

    @Test mutating func aSoundIsAudibleWhileItPlays() throws {
        let id = app.core.addAudioPlayer(length: .seconds(10))
        #expect(app.core.audibleSounds(hasMode: true) == nil)
        _ = plays(id)
        let first = try #require(app.core.audibleSounds(hasMode: true)?.first)
        #expect(first.player == id && first.startedAt == now && first.end == now + .seconds(10))
        // More repetitions change only the end.
        now = now + .seconds(4)
        let time = now
        _ = asks { $0.setAudioLoops(id, 1, at: time, into: &$1) }
        let longer = try #require(app.core.audibleSounds(hasMode: true)?.first)
        #expect(longer.continues(first) && longer.end == now + .seconds(16))
        _ = asks { $0.seekAudio(id, to: .seconds(1), at: time, into: &$1) }
        let moved = try #require(app.core.audibleSounds(hasMode: true)?.first)
        #expect(!moved.continues(longer) && moved.start == .seconds(1))
        _ = asks { $0.pauseAudio(id, at: time, into: &$1) }
        #expect(app.core.audibleSounds(hasMode: true) == [], "the rest of a sound may be audible")
        _ = called(.interrupted(at: now))
        #expect(app.core.audibleSounds(hasMode: true) == nil)
    }

    /// the sound ends before the app is suspended, which may be at once.
    @Test(arguments: [(true, AudioCategory.playback, true), (false, .playback, false), (true, .ambient, false)])
    mutating func r154InTheBackgroundOnlySomeSoundsAreAudible(
        hasMode: Bool, category: AudioCategory, isAudible: Bool
    ) {
        app.run(.launch(.user))
        app.run(.didBecomeActive)
        _ = asks { $0.setAudioSession(AudioSession(category: category), into: &$1) }
        _ = plays(app.core.addAudioPlayer(length: .seconds(60)), hasMode: hasMode)
        app.run(.willResignActive)
        #expect(app.core.audibleSounds(hasMode: hasMode)?.count == 1)
        app.run(.didEnterBackground)
        #expect(app.core.audibleSounds(hasMode: hasMode)?.count == (isAudible ? 1 : nil))
    }
}
