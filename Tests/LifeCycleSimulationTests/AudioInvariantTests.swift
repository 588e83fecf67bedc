import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The invariant of sound rejects wrong effects, and accepts right ones.
@Suite struct AudioInvariantTests {
    /// An event, its effects, and its time in seconds.
    private typealias Turn = (Event, [Effect], Int64)

    private let player = AudioPlayerID(1)
    private let playback = AudioSession(category: .playback)

    /// The app 1 is in the background, and the app 2 in the foreground.
    private func check(
        _ turns: [Turn], modes: [BackgroundMode] = [.audio], assertions: [Assertion] = []
    ) -> String? {
        var invariant = AudioKeepsTheRules()
        let snapshots = [
            snapshot(.background, assertions: assertions, modes: modes),
            snapshot(.active, of: launch(2), modes: []),
        ]
        return turns.compactMap {
            invariant.check(observe($0.0, $0.1, snapshots, foregroundApp: app(2), at: at($0.2)))
        }.first
    }

    private func request(_ request: AudioRequest, _ launch: LaunchID = launch()) -> Event {
        .app(launch, .requested(.concern(.audio(request))))
    }

    private func decided(_ decisions: AudioDecision...) -> [Effect] {
        decisions.map { .decided(.concern(.audio($0))) }
    }

    private func active(_ session: AudioSession, of number: Int32 = 1) -> [Turn] {
        [
            (request(.setSession(session), launch(number)), [], 0),
            (request(.activate, launch(number)), decided(.activated(launch(number), session)), 0),
        ]
    }

    private func called(_ number: Int32) -> Effect { send(number, .concern(.audio(.finished(AudioPlayerID(1))))) }

    @Test func anActivationFollowsTheRules() {
        #expect(check(active(playback)) == nil)
        #expect(check(active(playback), modes: []) != nil, "the mode is missing")
        #expect(check(active(AudioSession())) != nil, "the category ends in the background")
        #expect(check(active(AudioSession(), of: 2)) == nil, "an app in the foreground may play")
        #expect(check([(request(.activate), decided(.activated(launch(), playback)), 0)]) != nil, "another session")
        let call: Turn = (.concern(.audio(.call(isOn: true))), [], 0)
        #expect(check([call] + active(AudioSession(category: .record), of: 2)) != nil, "a phone call is on")
    }

    @Test func sessionsThatDoNotMixAreNotActiveTogether() {
        let second = active(AudioSession(), of: 2)
        #expect(check(active(playback) + second) != nil)
        let mixing = AudioSession(category: .playback, mixesWithOthers: true)
        #expect(check(active(mixing) + second) == nil)
        let interrupting: Turn = (
            request(.activate, launch(2)),
            decided(.activated(launch(2), AudioSession()), .interrupted(launch(), by: app(2))), 0
        )
        #expect(check(active(playback) + [interrupting]) == nil)
        #expect(check([interrupting]) != nil, "no session is interrupted")
        let alone: Turn = (.device(.homePressed), decided(.interrupted(launch(), by: app(2))), 0)
        #expect(check(active(playback) + [alone]) != nil, "the other app has no session")
        let ended: Turn = (.device(.homePressed), decided(.interruptionEnded(launch(), shouldResume: true)), 0)
        #expect(check(active(playback) + [interrupting, ended]) == nil)
        #expect(check(active(playback) + [ended]) != nil)
    }

    @Test func aCallOfAnAppInterruptsTheSoundOfOthers() {
        func calls(_ number: Int32) -> Turn {
            (.device(.homePressed), [.decided(.concern(.voip(.reported(launch(number), .sample, nil))))], 0)
        }
        let interrupted: Turn = (.device(.homePressed), decided(.interrupted(launch(), by: nil)), 0)
        #expect(check(active(playback) + [calls(2), interrupted]) == nil)
        #expect(check(active(playback) + [interrupted]) != nil, "no call is on")
        #expect(check(active(playback) + [calls(1), interrupted]) != nil, "the call is its own")
        #expect(check([calls(1)] + active(playback), modes: []) == nil, "the call lets it play")
        let ended: Turn = (
            .device(.homePressed), [.decided(.concern(.voip(.ended(launch(), .sample, .user))))], 0
        )
        #expect(check([calls(1), ended] + active(playback), modes: []) != nil)
        #expect(check([calls(1)], modes: [], assertions: [.audio]) == nil)
        #expect(check([calls(2)] + active(AudioSession(category: .record), of: 1)) != nil, "no app may record")
    }

    @Test func aPlayerEndsOnce() {
        let playing: [Turn] = active(playback) + [(request(.play(player, until: at(3))), [], 0)]
        let ended: Turn = (.deadlineReached, [called(5)], 3)
        #expect(check(playing + [ended]) == nil)
        #expect(check(playing + [(.deadlineReached, [called(5)], 2)]) != nil, "too early")
        #expect(check(playing + [ended, ended]) == nil, "the call is repeated on a new connection")
        #expect(check(playing + [ended, (.deadlineReached, [called(6)], 4)]) != nil, "twice")
        #expect(check(playing + [(request(.stop(player)), [], 1), ended]) != nil, "it was stopped")
        let call: Turn = (.concern(.audio(.call(isOn: true))), decided(.interrupted(launch(), by: nil)), 1)
        #expect(check(playing + [call, ended]) != nil, "it was interrupted")
    }

    @Test func soundKeepsAnAppRunningForItsTime() {
        let playing: [Turn] =
            active(playback) + [
                (request(.play(player, until: at(3))), decided(.session(launch(), true)), 0)
            ]
        #expect(check(playing, assertions: [.audio]) == nil)
        #expect(check([(.deadlineReached, [], 0)], modes: [], assertions: [.audio]) != nil, "the mode is missing")
        #expect(check([(.deadlineReached, decided(.session(launch(), true)), 0)]) != nil, "no player plays")
        let ended: [Turn] = playing + [(.deadlineReached, decided(.session(launch(), false)), 3)]
        #expect(check(ended + [(.deadlineReached, [], 33)], assertions: [.audio]) == nil)
        #expect(check(ended + [(.deadlineReached, [], 34)], assertions: [.audio]) != nil)
    }
}
