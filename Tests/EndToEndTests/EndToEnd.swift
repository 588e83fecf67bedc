import RoostWire
import Testing

/// Tests of the whole: the built program, real apps, the real kernel. One at a time, so that two processors are
/// not shared by many systems.
@Suite(.serialized) enum EndToEnd {}

extension Trait where Self == ConditionTrait {
    /// For what looks at cgroups: without them, apps are stopped by SIGSTOP.
    static var whereCgroupsFreeze: Self {
        .enabled(if: Freezing.isByCgroup, "no cgroup may be written here: run as root, or in a delegated cgroup")
    }
}

/// What freezes apps where the tests run.
private enum Freezing {
    static let isByCgroup: Bool = {
        var isByCgroup = false
        do {
            try TestSystem.run { system in isByCgroup = !system.usesSignals }
        } catch {
            // Whatever keeps the system from starting is for the tests to say, not a reason to leave them out.
            return true
        }
        return isByCgroup
    }()
}
