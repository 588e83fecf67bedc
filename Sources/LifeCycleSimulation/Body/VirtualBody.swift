package import LifeCycleModel
package import LifeCyclePolicy

/// A virtual body: it performs the effects of a brain in order, on its own clock. The protocol contains the only switch
/// over all effects. A conforming type implements the effects on processes and the work of adapters.
///
/// A virtual body never awaits. The supervisor is the real body.
package protocol VirtualBody {
    /// A happening that the body plans. Deadlines of the brain are not among them.
    associatedtype Happening: Sendable

    var core: BodyCore<Happening> { get set }

    /// Passes an event to the brain, and performs its effects.
    mutating func handle(_ event: Event)
    /// Called when the brain has handled an event, before its effects are performed.
    mutating func handled(_ event: Event, _ effects: [Effect])
    /// Acts on the process of a launch.
    mutating func perform(_ effect: LaunchEffect, on launch: LaunchID)
    mutating func perform(_ effect: DeviceEffect)
    /// Does the work of an adapter, which answers with events.
    mutating func perform(_ output: ConcernOutput)
    /// Called for each decision, in its place among the effects.
    mutating func decided(_ decision: Decision)
    /// Called when a planned happening is due.
    mutating func happen(_ happening: Happening)
    /// Looks for the process of a launch that the restarted system knows, and returns the event that reports the
    /// result.
    mutating func find(_ launch: LaunchID) -> ProcessEvent
    /// Called when the brain knows that the launch's process was found. The app may connect again.
    mutating func comeBack(_ launch: LaunchID)
}

extension VirtualBody {
    package mutating func handle(_ event: Event) {
        guard core.violation == nil else { return }
        for effect in decide(event) { perform(effect) }
    }

    package mutating func handled(_ event: Event, _ effects: [Effect]) {}
    package mutating func perform(_ effect: DeviceEffect) {}
    package mutating func decided(_ decision: Decision) {}
    package mutating func comeBack(_ launch: LaunchID) {}

    /// Passes an event to the brain, and returns the effects to perform.
    package mutating func decide(_ event: Event) -> [Effect] {
        let effects = core.handle(event)
        handled(event, effects)
        return effects
    }

    /// Performs an effect, unless it has to wait for the store.
    package mutating func perform(_ effect: Effect) {
        if core.holds(effect) { return }
        switch effect {
        // A launch whose start is held has no process, and will not get one.
        case .launch(let launch, .kill) where core.dropHeldStart(of: launch):
            handle(.process(launch, .exited(.unknown)))
        case .launch(let launch, let effect): perform(effect, on: launch)
        case .device(let effect): perform(effect)
        case .concern(let output): perform(output)
        case .decided(let decision): decided(decision)
        // The records are committed before any effect is performed.
        case .store: break
        }
    }

    /// Makes commits fail from the next event on, or succeed again. When commits succeed again, the held effects are
    /// performed.
    package mutating func letStore(fail: Bool) {
        for effect in core.letStore(fail: fail) { perform(effect) }
    }

    /// Reports the process of each launch to a restarted brain that knows the launch.
    package mutating func reportLaunches() {
        for launch in core.checked.disk.launches.map(\.launch) {
            let event = find(launch)
            handle(.process(launch, event))
            if case .found = event { comeBack(launch) }
        }
    }

    // MARK: Time

    /// Runs the next planned happening or deadline that is due by `limit`. False if nothing is due by then, or if there
    /// is a violation.
    package mutating func step(until limit: Nanoseconds = .distantFuture) -> Bool {
        switch core.takeNext(until: limit) {
        case nil: return false
        case .happening(let happening): happen(happening)
        case .deadline: handle(.deadlineReached)
        }
        return true
    }

    /// Runs everything that is due within `span`.
    package mutating func pass(_ span: Nanoseconds) {
        let end = core.end(of: span)
        while step(until: end) {}
        core.move(to: end)
    }
}

extension VirtualBody where Happening == Never {
    package mutating func happen(_ happening: Never) {}
}
