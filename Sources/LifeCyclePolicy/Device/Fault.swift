import LifeCycleModel

// A machine states its assumptions where it makes a value, and again where it uses the value. If a statement is false,
// a debug build stops, and a release build kills the app concerned and records the fault.

/// States that a condition is true. If it is false, the app is killed for the fault. Returns the condition.
@inline(__always) @discardableResult
func rely(on isSo: Bool, else fault: SystemFault, into signals: inout [Signal]) -> Bool {
    if !isSo { broken(fault, into: &signals) }
    return isSo
}

@inline(never)
private func broken(_ fault: SystemFault, into signals: inout [Signal]) {
    assertionFailure("an internal assumption of the system does not hold: \(fault)")
    signals.append(.killDue(.fault(fault)))
}

extension DeviceState {
    /// States that a condition about an app is true, as the function of the same name does inside the app's machines.
    @inline(__always)
    mutating func rely(
        on isSo: Bool, else fault: SystemFault, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        if isSo { return }
        var signals: [Signal] = []
        broken(fault, into: &signals)
        route(signals, slot, at: now, into: &effects)
    }
}
