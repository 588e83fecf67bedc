import LifeCycleModel
import LifeCyclePolicy

/// The container of an app that stays suspended is measured, at once or when the pause since the last measurement is
/// over. No container is measured during the pause.
struct ContainersAreMeasured: Sendable {
    /// The time of each container's last measurement. The order of both tables does not matter: the tables are for
    /// look-up, and of the late launches the first is reported.
    private var last: [AppID: Nanoseconds] = [:]
    /// Since when each launch has been suspended without a measurement.
    private var unmeasured: [LaunchID: Nanoseconds] = [:]

    mutating func check(
        _ effects: [Effect], policy: Policy, now: Nanoseconds, slack: Nanoseconds = .zero
    ) -> String? {
        for effect in effects {
            switch effect {
            case .decided(.launch(let launch, .stateChanged(_, .suspended))):
                unmeasured[launch] = now
            case .decided(.launch(let launch, .foundAgain(isFrozen: true))):
                unmeasured[launch] = now
            case .launch(let launch, .thaw), .launch(let launch, .kill(_)), .decided(.launch(let launch, .ended(_, _))),
                .decided(.launch(let launch, .thawedFromOutside)):
                unmeasured[launch] = nil
            default: break
            }
        }
        for case .launch(let launch, .measureContainer) in effects {
            guard policy.containerSize != nil else { return "\(launch) is measured, and may be as large as it likes" }
            if let last = last[launch.app], now - last < policy.containerPause {
                return "\(launch) is measured at \(now), and was at \(last)"
            }
            last[launch.app] = now
            unmeasured[launch] = nil
        }
        guard policy.containerSize != nil else { return nil }
        let late = unmeasured.filter { launch, since in
            max(since, (last[launch.app] ?? since - policy.containerPause) + policy.containerPause) + slack < now
        }
        return late.keys.min().map { "\($0) is suspended since \(late[$0] ?? now), and its container not measured" }
    }
}
