import RoostWire
import Testing

/// Tests of the whole: the built program, real apps, the real kernel. One at a time, so that two processors are
/// not shared by many systems.
@Suite(
    .serialized, .enabled(if: Freezing.isPossible, "no cgroup may be frozen here: run as root or in a delegated cgroup")
)
enum EndToEnd {}

/// Whether apps can be frozen at all where the tests run.
enum Freezing {
    static let isPossible: Bool = {
        var mechanism = ""
        do {
            try TestSystem.run { system in
                if case .status(let status) = try system.ask(.status) { mechanism = status.mechanism }
            }
        } catch {
            // Whatever keeps the system from starting is for the tests to say, not a reason to leave them out.
            return true
        }
        return mechanism.hasPrefix("cgroup v2")
    }()
}
