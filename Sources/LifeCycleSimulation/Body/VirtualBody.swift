package import LifeCycleModel
package import LifeCyclePolicy

/// A virtual body: what performs the effects of a brain, in order, by a clock of its own. Here is the only switch over all
/// effects; a body says what it does with the process of a launch and with the work for adapters.
///
/// It never awaits. The supervisor is the real body.
package protocol VirtualBody {
    /// A happening that the body plans. The brain's deadlines are not among them.
    associatedtype Happening: Sendable

    var core: BodyCore<Happening> { get set }

    /// Gives the brain an event, and performs what it puts out.
    mutating func handle(_ event: Event)
    /// The brain has handled an event; nothing of what it put out is performed yet.
    mutating func handled(_ event: Event, _ effects: [Effect])
    /// Acts on the process of a launch.
    mutating func perform(_ effect: LaunchEffect, on launch: LaunchID)
    mutating func perform(_ effect: DeviceEffect)
    /// Does the work of an adapter; it answers by events.
    mutating func perform(_ output: ConcernOutput)
    /// A decision was made. It comes in its place among the effects.
    mutating func decided(_ decision: Decision)
    /// The time has come for something that was planned.
    mutating func happen(_ happening: Happening)
    /// Looks for the process of a launch that the restarted system knows, and tells what became of it.
    mutating func find(_ launch: LaunchID) -> ProcessEvent
    /// The brain has been told that the process of the launch was found: it may connect again.
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

    /// Gives the brain an event; returns what is to be performed.
    package mutating func decide(_ event: Event) -> [Effect] {
        let effects = core.handle(event)
        handled(event, effects)
        return effects
    }

    /// Performs an effect, unless it has to wait for the store.
    package mutating func perform(_ effect: Effect) {
        if core.holds(effect) { return }
        switch effect {
        // A launch whose start waits has no process, and gets none any more.
        case .launch(let launch, .kill) where core.dropHeldStart(of: launch):
            handle(.process(launch, .exited(.unknown)))
        case .launch(let launch, let effect): perform(effect, on: launch)
        case .device(let effect): perform(effect)
        case .concern(let output): perform(output)
        case .decided(let decision): decided(decision)
        // Committed before any effect is performed.
        case .store: break
        }
    }

    /// Makes commits fail from the next event on, or succeed again. If they succeed, the waiting effects are performed.
    package mutating func letStore(fail: Bool) {
        for effect in core.letStore(fail: fail) { perform(effect) }
    }

    /// Tells a restarted brain what became of each launch that it knows.
    package mutating func tellOfLaunches() {
        for launch in core.checked.disk.launches.map(\.launch) {
            let event = find(launch)
            handle(.process(launch, event))
            if case .found = event { comeBack(launch) }
        }
    }

    // MARK: Time

    /// Lets the next thing happen, be it planned or a deadline of the brain's, but nothing later than `limit`. False if
    /// nothing is left to happen by then, or something was found wrong before.
    package mutating func step(until limit: Nanoseconds = .distantFuture) -> Bool {
        switch core.takeNext(until: limit) {
        case nil: return false
        case .happening(let happening): happen(happening)
        case .deadline: handle(.deadlineReached)
        }
        return true
    }

    /// Lets everything happen that happens within `span`.
    package mutating func pass(_ span: Nanoseconds) {
        let end = core.end(of: span)
        while step(until: end) {}
        core.move(to: end)
    }
}

extension VirtualBody where Happening == Never {
    package mutating func happen(_ happening: Never) {}
}
