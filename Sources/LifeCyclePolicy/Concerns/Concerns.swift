import LifeCycleModel

/// The concerns of a device.
struct Concerns: Hashable, Sendable, Codable {
    private var fetches: Fetches
    /// Whether none has to do with any app.
    private(set) var areIdle = true
    /// When the first of them wants `deadlineReached`, on the awake clock.
    private(set) var nextDeadline: Deadline?

    init(fetches: [FetchRecord] = [], on state: inout DeviceState) {
        self.fetches = Fetches(records: fetches)
        look(at: &state)
    }

    /// Shows each concern to the visitor. Their order is the order in which they settle.
    private mutating func visit(_ visitor: inout some ConcernVisitor, on state: inout DeviceState) {
        visitor.visit(&fetches, on: &state)
    }

    /// The end of an event: tells the concerns what has happened, and carries out what they want, until nothing is left to
    /// tell. Where they only hear they do nothing that is due: they do at the next event.
    mutating func settle(
        with state: inout DeviceState, onlyHears: Bool = false, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard !areIdle || !state.news.list.isEmpty else { return }
        // After a restart of the system they go on once it is known what became of the launches.
        let onlyHears = onlyHears || !state.isStarted
        state.isHeard = true
        repeat {
            var settler = Settler(news: state.news.list, onlyHears: onlyHears, now: now)
            state.news.list = []
            visit(&settler, on: &state)
            effects += settler.effects
        } while !state.news.list.isEmpty
        look(at: &state)
    }

    private mutating func look(at state: inout DeviceState) {
        var reader = Reader()
        visit(&reader, on: &state)
        (areIdle, nextDeadline) = (reader.areIdle, reader.nextDeadline)
    }
}

/// Does one thing with each concern: statically dispatched, whatever its type.
private protocol ConcernVisitor {
    mutating func visit(_ concern: inout some Concern, on state: inout DeviceState)
}

private struct Settler: ConcernVisitor {
    let news: [ConcernNews]
    let onlyHears: Bool
    let now: Nanoseconds
    var effects: [Effect] = []

    mutating func visit<C: Concern>(_ concern: inout C, on state: inout DeviceState) {
        var actions = Actions<C>()
        for news in news {
            switch news {
            case .change(let change):
                if !concern.isIdle { concern.handle(change, on: state, into: &actions) }
            case .request(let launch, let request):
                if let own = C.request(in: request) { concern.handle(own, from: launch, on: state, into: &actions) }
            case .input(let input):
                if let own = C.input(in: input) { concern.handle(own, on: state, into: &actions) }
            }
        }
        if !onlyHears, !concern.isIdle { concern.settle(on: state, into: &actions) }
        for action in actions.list { state.perform(action, at: now, into: &effects) }
    }
}

private struct Reader: ConcernVisitor {
    var areIdle = true
    var nextDeadline: Deadline?

    mutating func visit(_ concern: inout some Concern, on state: inout DeviceState) {
        areIdle = areIdle && concern.isIdle
        nextDeadline = .earlier(nextDeadline, concern.nextDeadline(by: state.surroundings.clocks))
    }
}
