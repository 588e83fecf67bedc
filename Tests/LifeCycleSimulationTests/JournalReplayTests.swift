import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import Testing

/// A journal begins with a device that may have had apps for long.
@Suite struct JournalReplayTests {
    @Test func appsFromBeforeTheJournalAreKnown() throws {
        var record = AppRecord(app: AppID(1), manifest: manifest())
        record.lastLaunch = 3
        let start = Device(policy: .iOS26, apps: [record], launches: [])
        let now = Moment(awake: .seconds(1), elapsed: .seconds(1), wall: .seconds(1))
        let events: [Event] = [.wakeOccurred(AppID(1), .location), .wakeOccurred(AppID(1), .voip)]
        var device = start
        var replay = JournalReplay(start: start)
        for event in events {
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            try replay.replay(event, at: now, recorded: effects)
        }
        #expect(replay.eventCount == 2)
        // What was not so then is still found.
        #expect(throws: JournalReplay.Divergence.self) {
            try replay.replay(.wakeOccurred(AppID(1), .voip), at: now, recorded: [])
        }
    }
}
