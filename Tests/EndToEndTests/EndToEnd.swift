import RoostWire
import Testing

/// Tests of the whole: the built program, real apps, the real kernel. The tests run one at a time, so that many systems
/// do not share two processors.
@Suite(.serialized) enum EndToEnd {}

extension Trait where Self == ConditionTrait {
    /// For tests that look at cgroups. Without cgroups, apps are stopped by SIGSTOP.
    static var whereCgroupsFreeze: Self {
        .enabled(if: Freezing.isByCgroup, "no cgroup is writable here: run as root, or in a delegated cgroup")
    }
}

/// The mechanism that freezes apps on the test machine.
private enum Freezing {
    static let isByCgroup: Bool = {
        var isByCgroup = false
        do {
            try TestSystem.run { system in isByCgroup = !system.usesSignals }
        } catch {
            // If the system cannot start, the tests must report that; it is no reason to skip them.
            return true
        }
        return isByCgroup
    }()
}
