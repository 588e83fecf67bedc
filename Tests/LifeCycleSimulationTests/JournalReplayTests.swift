import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Replays of journals. A journal begins with a device that may already have had apps for long.
@Suite struct JournalReplayTests {
    @Test func appsFromBeforeTheJournalAreKnown() throws {
        var record = AppRecord(app: AppID(1), manifest: manifest())
        record.lastLaunch = 3
        let start = Device(policy: .iOS26, apps: [record], launches: [])
        let now = Moment(awake: .seconds(1), elapsed: .seconds(1), wall: .seconds(1))
        let events: [Event] = [
            .device(.wakeOccurred(AppID(1), .locationMonitoring)), .device(.wakeOccurred(AppID(1), .voip)),
        ]
        var device = start
        var replay = JournalReplay(start: start)
        for event in events {
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            try replay.replay(event, at: now, recorded: effects)
        }
        #expect(replay.eventCount == 2)
        // Recorded effects that differ are still found.
        #expect(throws: JournalReplay.Divergence.self) {
            try replay.replay(.device(.wakeOccurred(AppID(1), .voip)), at: now, recorded: [])
        }
    }

    @Test func onlyDifferencesAreReported() {
        let (kept, gone) = (Effect.launch(launch(), .thaw), Effect.device(.keepAwake(true)))
        let come = send(1, .didBecomeActive)
        func lines(_ recorded: [Effect], _ replayed: [Effect]) -> [String] {
            JournalReplay.Divergence.differs(event: .device(.homePressed), recorded: recorded, replayed: replayed)
                .differences
        }
        let message = "launch(1.1, LaunchEffect.send(SystemMessage.callback(#1, Callback.didBecomeActive)))"
        #expect(
            lines([kept, gone, kept], [kept, come, kept]) == ["- device(DeviceEffect.keepAwake(true))", "+ \(message)"])
        #expect(lines([], [gone]) == ["+ device(DeviceEffect.keepAwake(true))"])
        #expect(lines([gone, kept], [kept]) == ["- device(DeviceEffect.keepAwake(true))"])
        #expect(lines([gone, kept], [kept, gone]).map { $0.prefix(1) }.sorted() == ["+", "-"], "the order counts")
        #expect(lines([kept], [kept]).isEmpty)
    }

    /// A device from a file is checked before it is used. No device that events have made is refused.
    @Test func noDeviceOfAHistoryContradictsItself() {
        for seed in UInt64(1)...40 {
            var history = History(seed: seed, policy: .iOS26)
            history.run(steps: 100)
            #expect(history.world.device.contradiction == nil, "seed \(seed)")
        }
    }
}
