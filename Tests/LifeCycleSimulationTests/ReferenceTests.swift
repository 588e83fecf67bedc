import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The reference model, compared with the brain. A missing, additional or reordered effect of either is found.
@Suite struct ReferenceTests {
    private let now = Moment.zero.advanced(by: start)

    /// The finding if the brain opens an app, and the model receives `change` of its effects.
    private func finding(_ change: ([Effect]) -> [Effect]) -> String? {
        var (device, reference) = (Device(policy: .iOS26), ReferenceComparison(policy: .iOS26))
        for event in [Event.device(.appInstalled(app(1), manifest())), .device(.appOpened(app(1)))] {
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            if case .device(.appOpened) = event { effects = change(effects) }
            if let finding = reference.check(event, at: now, effects, device) { return finding }
        }
        return nil
    }

    @Test func theBrainAndTheModelAgree() { #expect(finding { $0 } == nil) }

    @Test func aMissingEffectIsNoticed() {
        let finding = finding { $0.filter { if case .launch(_, .start) = $0 { false } else { true } } }
        #expect(finding?.contains("the model") == true, "\(finding ?? "")")
    }

    @Test func anExtraEffectIsNoticed() {
        #expect(finding { $0 + [.launch(launch(), .thaw)] }?.contains("thaw") == true)
    }

    @Test func aMissingDecisionIsNoticed() {
        let finding = finding { $0.filter { if case .decided(.launch(_, .launched)) = $0 { false } else { true } } }
        #expect(
            finding?.contains("the brain says launch(1.1, LifeCyclePolicy.LaunchDecision.launched") == true,
            "\(finding ?? "")")
    }

    /// The model alone receives an event. The finding names the first difference.
    @Test(arguments: [
        (Event.device(.homePressed), "foreground"), (.device(.deviceLocked), "device"),
        (.device(.settingChanged(.lowPowerMode(true))), "device"),
        (.device(.appForceQuit(app(1))), "force-quit"), (.device(.appUninstalled(app(1))), "device"),
        (.device(.interruptionBegan(.call)), "device"),
    ])
    func theFindingNamesTheDifference(_ event: Event, _ place: String) {
        var (device, reference) = (Device(policy: .iOS26), ReferenceComparison(policy: .iOS26))
        for event in [Event.device(.appInstalled(app(1), manifest())), .device(.appOpened(app(1)))] {
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            #expect(reference.check(event, at: now, effects, device) == nil)
        }
        let unchanged = device
        var effects: [Effect] = []
        device.handle(event, at: now, into: &effects)
        let finding = reference.check(event, at: now, effects, unchanged)
        #expect(finding?.contains("the model") == true || finding?.contains(place) == true, "\(finding ?? "nothing")")
    }
}
