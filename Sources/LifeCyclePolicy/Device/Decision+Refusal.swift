import LifeCycleModel

extension Decision {
    /// Whether it says that the rules forbid what `event` asked for.
    ///
    /// A user action can cause wakes that it did not ask for, as the first unlocking does (T27). If such a wake is refused,
    /// the action was done all the same.
    public func refuses(_ event: Event) -> Bool {
        switch (self, event) {
        case (.device(.actRefused), _), (.app(_, .inputDropped), _): true
        case (.concern(.transfer(.wishIgnored(let id, _))), .concern(.transfer(.wished(let wished, _)))): id == wished
        case (.concern(.notification(.answered(let id, .gone))), .concern(.notification(.tapped(let wanted)))),
            (.concern(.notification(.answered(let id, .gone))), .concern(.notification(.dismissed(let wanted)))):
            id == wanted
        // A push has refusals of its own, below.
        case (.app(_, .wakeRefused), .concern(.notification(.pushArrived))): false
        case (.app(_, .wakeRefused), _): event.asksForLaunch
        case (.concern(.push(.notRegistered)), .concern(.notification(.pushArrived))),
            (.concern(.push(.dropped(_, .refused))), .concern(.notification(.pushArrived))),
            (.concern(.push(.dropped(_, .newsstandThrottled))), .concern(.notification(.pushArrived))):
            true
        default: false
        }
    }
}
