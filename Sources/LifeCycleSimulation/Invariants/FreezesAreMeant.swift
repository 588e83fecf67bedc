import LifeCycleModel
import LifeCyclePolicy

/// No event freezes a launch and thaws it again. The brain checks the assertions before it freezes.
enum FreezesAreMeant {
    static func check(_ effects: [Effect]) -> String? {
        for case .launch(let launch, .freeze(_)) in effects where effects.contains(.launch(launch, .thaw)) {
            return "\(launch) is frozen and thawed for nothing"
        }
        return nil
    }
}
