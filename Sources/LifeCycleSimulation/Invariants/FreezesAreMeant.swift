import LifeCycleModel
import LifeCyclePolicy

/// Within one event a launch is not frozen and thawed again: what holds it is found out before, not after.
enum FreezesAreMeant {
    static func check(_ effects: [Effect]) -> String? {
        for case .launch(let launch, .freeze(_)) in effects where effects.contains(.launch(launch, .thaw)) {
            return "\(launch) is frozen and thawed for nothing"
        }
        return nil
    }
}
