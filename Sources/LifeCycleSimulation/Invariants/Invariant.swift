import LifeCycleModel
import LifeCyclePolicy

/// A rule that is checked after each event. It knows nothing of the code it checks.
protocol Invariant: Sendable {
    /// Its name, as a violation has it.
    static var name: String { get }
    /// What is wrong; nil if nothing is.
    mutating func check(_ turn: Observation) -> String?
    /// The system was restarted: what was under way is not known to it any more.
    mutating func systemRestarted()
}

/// What any tool may see of one event: what went into the brain, what came out, and the device after it. A class, so that
/// the device is not copied for each rule.
final class Observation {
    let event: Event
    let effects: [Effect]
    let snapshots: [AppSnapshot]
    let device: Device
    var front: AppID?
    let moment: Moment
    /// How late a deadline may be met.
    var slack = Nanoseconds.zero
    /// Whether the loop stood still before the event: everyone has the full time again.
    var isAfterGap = false

    var policy: Policy { device.policy }
    var now: Nanoseconds { moment.awake }

    init(_ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], _ device: Device, at moment: Moment) {
        (self.event, self.effects, self.snapshots, self.device) = (event, effects, snapshots, device)
        (front, self.moment) = (device.front, moment)
    }
}
