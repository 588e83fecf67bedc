import LifeCycleModel

// What the machines rely on is stated where a value is made, and again where it is used. In a debug build a statement that
// does not hold stops the process. In a release build it ends the app concerned, with the fault on record.

/// States that something is so. Where it is not, the app is killed. Gives whether it is so.
@inline(__always) @discardableResult
func rely(on isSo: Bool, else fault: SystemFault, into signals: inout [Signal]) -> Bool {
    if !isSo { broken(fault, into: &signals) }
    return isSo
}

@inline(never)
private func broken(_ fault: SystemFault, into signals: inout [Signal]) {
    assertionFailure("what the system relies on is not so: \(fault)")
    signals.append(.killDue(.fault(fault)))
}

extension DeviceState {
    /// States that something is so of an app, as the function of the same name does for its machines.
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
