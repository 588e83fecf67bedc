import LifeCycleModel
import LifeCyclePolicy

/// Input reaches an active app and no other app. Other input is dropped, with its reason (K008, K009).
enum EventsReachTheActive {
    static func check(_ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot]) -> String? {
        for case .launch(let launch, .send(.input(let input))) in effects {
            guard case .device(.inputOccurred(launch.app, input)) = event else {
                return "\(launch) is sent \(input) unasked"
            }
            guard let app = snapshots.first(where: { $0.launch == launch }), app.state == .active, !app.isEnding else {
                return "\(launch) is sent \(input) while it is not active"
            }
        }
        guard case .device(.inputOccurred(let app, _)) = event else { return nil }
        let isAnswered = effects.contains { effect in
            switch effect {
            case .launch(_, .send(.input)), .decided(.app(app, .inputDropped(_))), .decided(.app(app, .unknown)): true
            default: false
            }
        }
        return isAnswered ? nil : "what the user did to \(app) is neither delivered nor dropped"
    }
}
