import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The recordings for counting the brain's instructions.
@Suite struct EventRecordingTests {
    /// The names of all that is reached when the recordings are replayed.
    private func reach(_ recordings: [EventRecording]) -> Set<String> {
        let reach = Reach()
        for recording in recordings {
            var device = recording.start
            for (event, now) in recording.events {
                var effects: [Effect] = []
                device.handle(event, at: now, into: &effects)
                reach.note(event, effects)
            }
        }
        return Set(reach.counts.map(\.name))
    }

    @Test(arguments: EventRecording.Kind.allCases) func leadsToTheSameDevice(_ kind: EventRecording.Kind) {
        let recording = EventRecording(kind, seed: 1, events: 500)
        #expect(recording.events.count >= 500)
        #expect(recording.play() == recording.end)
        #expect(recording.start != recording.end)
    }

    @Test(arguments: [EventRecording.Kind.oneApp, .hundredApps]) func usesEveryConcern(_ kind: EventRecording.Kind) {
        let reached = reach((1...8).map { EventRecording(kind, seed: $0, events: 1500) })
        for name in [
            "transfer completed", "fetch offered", "push delivered", "notification fired", "task ended", "suspending",
        ] { #expect(reached.contains(name), "never reached: \(name)") }
    }

    @Test func plainAppsUseNoConcern() {
        let recording = EventRecording(.hundredPlainApps, seed: 1, events: 2000)
        #expect(recording.end.transferIDs.isEmpty && recording.end.notificationRecords.scheduled.isEmpty)
        let reached = reach([recording])
        #expect(reached.isDisjoint(with: SimulatedConcerns.all.flatMap { $0.reasons }.map { $0.simulated.name }))
        #expect(reached.isSuperset(of: ["task ended", "suspending"]))
    }
}
