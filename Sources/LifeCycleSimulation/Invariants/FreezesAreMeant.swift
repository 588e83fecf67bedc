import LifeCycleModel
import LifeCyclePolicy

/// Within one event a launch is not frozen and thawed again: what holds it is found out before, not after.
enum FreezesAreMeant {
    static func check(_ effects: [Effect]) -> String? {
        for case .freeze(let launch, _) in effects where effects.contains(.thaw(launch)) {
            return "\(launch) is frozen and thawed for nothing"
        }
        return nil
    }
}
