import LifeCycleModel
import LifeCyclePolicy

/// A rule that is checked after each event. An invariant does not use the code that it checks.
protocol Invariant: Sendable {
    /// The name of the rule in a violation.
    static var name: String { get }
    /// A description of the violation; nil if there is none.
    mutating func check(_ turn: Observation) -> String?
    /// The system was restarted and no longer knows its pending work.
    mutating func systemRestarted()
}

/// Everything that a tool may see of one event: the brain's input and output, and the device afterwards. An observation
/// is a class, so that the device is not copied for each rule.
final class Observation {
    let event: Event
    let effects: [Effect]
    let snapshots: [AppSnapshot]
    let device: Device
    var foregroundApp: AppID?
    let moment: Moment
    /// The tolerated lateness of a deadline.
    var slack = Nanoseconds.zero
    /// Whether the loop stalled before the event. Then every app has the full time again.
    var isAfterStall = false

    var policy: Policy { device.policy }
    var now: Nanoseconds { moment.awake }

    init(_ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], _ device: Device, at moment: Moment) {
        (self.event, self.effects, self.snapshots, self.device) = (event, effects, snapshots, device)
        (foregroundApp, self.moment) = (device.foregroundApp, moment)
    }
}
