import LifeCycleModel
import LifeCyclePolicy

/// An app has at most one process. No two launches of an app have the same number, not even across a restart of the
/// system.
struct OneLaunchPerApp: Sendable {
    /// For look-up only, so the order does not matter.
    private var alive: [AppID: LaunchID] = [:]
    private var last: [AppID: Int32] = [:]
    /// Prewarmed launches that have not been launched. Such launches have no records, and are gone after the system's
    /// restart.
    private var prewarmed: Set<LaunchID> = []

    mutating func systemRestarted() {
        alive = alive.filter { !prewarmed.contains($0.value) }
        prewarmed = []
    }

    /// For a device that has no apps yet.
    init() {}

    /// For the device at the start of a journal.
    init(_ device: Device) {
        for app in device.snapshots {
            alive[app.record.app] = app.launch
            last[app.record.app] = app.record.lastLaunch
        }
    }

    mutating func check(_ event: Event, _ effects: [Effect]) -> String? {
        switch event {
        case .process(let launch, .exited(_)), .process(let launch, .startFailed(_)), .process(let launch, .cutOff):
            if alive[launch.app] == launch { alive[launch.app] = nil }
        default: break
        }
        for effect in effects {
            switch effect {
            case .launch(let launch, .prewarm): prewarmed.insert(launch)
            case .decided(.launch(let launch, .launched(_))): prewarmed.remove(launch)
            default: break
            }
        }
        let started = effects.compactMap { effect -> LaunchID? in
            switch effect {
            case .launch(let launch, .start(_)), .launch(let launch, .prewarm): launch
            default: nil
            }
        }
        for launch in started {
            if let other = alive[launch.app] { return "\(launch) is started while \(other) is there" }
            if launch.number <= last[launch.app] ?? 0 { return "\(launch) has a number that was used before" }
            alive[launch.app] = launch
            last[launch.app] = launch.number
        }
        return nil
    }
}
