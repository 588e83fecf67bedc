import AppCore
public import LifeCycleModel
import LifeCyclePolicy

/// Equality of deterministic worlds.
extension World {
    /// Worlds are compared only from this time on. Any later reading of the clock is larger than every duration, so the
    /// two can be distinguished.
    public static let leastTimeToCompare = Fingerprint.leastReading + .seconds(1)

    /// A fingerprint of the state. Two worlds with the same fingerprint react alike to everything that follows, under
    /// two conditions. Nothing may be under way, and each app may have at most one open task and one notification that
    /// fires once.
    public var fingerprint: UInt64 {
        let snapshots = device.snapshots
        let lastLaunches = snapshots.map { (app: $0.record.app, number: $0.record.lastLaunch) }
        let fingerprint = Fingerprint(
            now: now.awake, lastLaunches: lastLaunches, places: snapshots.map(\.record.switcherPlace).sorted(),
            pushes: device.remoteNotifications.map(\.id), tellsNumbers: false,
            silentPushPeriod: device.policy.silentPushPeriod)
        fingerprint.add(device)
        for process in processes {
            fingerprint.add(process.app.launch)
            fingerprint.add(process.app.core.attachment)
            fingerprint.add([process.isConnected, process.isFrozen, process.app.isHung])
            if let facts = sentFacts[process.app.launch] { fingerprint.add(facts) }
        }
        return fingerprint.value
    }
}
