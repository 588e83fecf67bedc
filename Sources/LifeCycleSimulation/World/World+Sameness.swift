import AppCore
public import LifeCycleModel
import LifeCyclePolicy

/// Worlds without chance that are alike.
extension World {
    /// The least time there may be in worlds whose fingerprints are compared: readings of the clock are told from lengths
    /// of time by being later.
    public static let leastTimeToCompare = Fingerprint.leastReading + .seconds(1)

    /// Two worlds in which nothing is under way, and no app has more than one task open, or more than one notification that
    /// is scheduled or shown and fires once, go on alike if they have one fingerprint, whatever happens to them.
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
            if let facts = told[process.app.launch] { fingerprint.add(facts) }
        }
        return fingerprint.value
    }
}
