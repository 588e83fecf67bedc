import LifeCycleModel

extension Decision {
    /// Whether the decision says that the rules forbid the request in `event`.
    ///
    /// A user action can cause wakes that it did not ask for, as the first unlocking does (T27). If such a wake is
    /// refused, the action still counts as done.
    public func refuses(_ event: Event) -> Bool {
        switch (self, event) {
        case (.device(.actRefused), _), (.app(_, .inputDropped), _): true
        // Pushes have their own refusals.
        case (.app(_, .wakeRefused), .concern(.notification(.pushArrived))): false
        case (.app(_, .wakeRefused), _): event.asksForLaunch
        case (.concern(let reason), .concern(let input)): reason.decision.refuses(input)
        default: false
        }
    }
}
