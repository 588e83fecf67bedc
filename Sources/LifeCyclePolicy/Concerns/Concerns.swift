import LifeCycleModel

/// The concerns of a device.
struct Concerns: Hashable, Sendable, Codable {
    private(set) var transfers = Transfers()
    private var fetches = Fetches()
    private(set) var notifications = Notifications()
    private(set) var locations = Locations()
    private var audio = AudioSessions()
    private var voip = VoIP()
    private var sockets = Sockets()
    /// Whether no app uses any concern.
    private(set) var areIdle = true
    /// The earliest deadline of the concerns, on the awake clock.
    private(set) var nextDeadline: Deadline?

    /// Restores the concerns from the store. Records of apps that are not installed are ignored.
    init(_ persisted: [ConcernRecord] = [], on state: DeviceState) {
        var loader = Loader(records: persisted.filter { state.slot(of: $0.word.subject.app) != nil })
        visit(&loader, on: state)
        look(at: state)
    }

    /// Shows each concern to the visitor, in the order in which the concerns settle.
    private mutating func visit(_ visitor: inout some ConcernVisitor, on state: DeviceState) {
        visitor.visit(&transfers, on: state)
        visitor.visit(&fetches, on: state)
        visitor.visit(&notifications, on: state)
        visitor.visit(&locations, on: state)
        // Calls interrupt sound.
        visitor.visit(&voip, on: state)
        visitor.visit(&audio, on: state)
        visitor.visit(&sockets, on: state)
    }

    /// Notifies the concerns of the news and carries out their actions. News that the actions cause is delivered too.
    mutating func handleNews(of state: inout DeviceState, at now: Nanoseconds, into effects: inout [Effect]) {
        while !state.news.list.isEmpty {
            state.areConcernsListening = true
            var listener = Listener(news: state.news.list)
            state.news.list = []
            visit(&listener, on: state)
            state.perform(listener.actions, at: now, into: &effects)
        }
    }

    /// Ends an event: each concern does what is due.
    mutating func settle(with state: inout DeviceState, at now: Nanoseconds, into effects: inout [Effect]) {
        guard state.areConcernsListening else { return }
        repeat {
            handleNews(of: &state, at: now, into: &effects)
            // After a restart of the system, concerns wait until the system knows which launches still exist.
            guard state.isStarted else { break }
            var settler = Settler()
            visit(&settler, on: state)
            state.perform(settler.actions, at: now, into: &effects)
        } while !state.news.list.isEmpty
        look(at: state)
    }

    /// The completion handlers that apps may have been given before a restart of the system.
    mutating func openHandlers(on state: DeviceState) -> [OpenHandler] {
        var finder = Finder()
        visit(&finder, on: state)
        return finder.handlers
    }

    /// The assertions of apps from before a restart of the system.
    mutating func assertions(on state: DeviceState) -> [(app: AppID, assertion: Assertion)] {
        var finder = Finder()
        visit(&finder, on: state)
        return finder.assertions
    }

    private mutating func look(at state: DeviceState) {
        var reader = Reader()
        visit(&reader, on: state)
        (areIdle, nextDeadline) = (reader.areIdle, reader.nextDeadline)
    }
}

/// Does one thing with each concern. The call is statically dispatched for each type.
private protocol ConcernVisitor {
    mutating func visit(_ concern: inout some Concern, on state: DeviceState)
}

private struct Loader: ConcernVisitor {
    let records: [ConcernRecord]

    mutating func visit(_ concern: inout some Concern, on state: DeviceState) { concern.restore(records, on: state) }
}

private struct Listener: ConcernVisitor {
    let news: [ConcernNews]
    var actions: [ConcernAction] = []

    mutating func visit<C: Concern>(_ concern: inout C, on state: DeviceState) {
        var actions = Actions<C>(after: self.actions)
        // Only one list holds the actions, so that it grows in place.
        self.actions = []
        for news in news {
            switch news {
            case .change(let change, let place):
                guard !concern.isIdle || change.isForIdle else { continue }
                actions.place = place
                concern.handle(change, on: state, into: &actions)
                actions.place = nil
            case .request(let launch, let request):
                if let own = C.request(in: request) { concern.handle(own, from: launch, on: state, into: &actions) }
            case .input(let input):
                if let own = C.input(in: input) { concern.handle(own, on: state, into: &actions) }
            }
        }
        self.actions = actions.list
    }
}

private struct Settler: ConcernVisitor {
    var actions: [ConcernAction] = []

    mutating func visit<C: Concern>(_ concern: inout C, on state: DeviceState) {
        // If a concern tells the others of a change, those after it settle once they know the change.
        if concern.isIdle || actions.contains(where: \.isTelling) { return }
        var actions = Actions<C>(after: self.actions)
        self.actions = []
        concern.settle(on: state, into: &actions)
        self.actions = actions.list
    }
}

private struct Finder: ConcernVisitor {
    var handlers: [OpenHandler] = []
    var assertions: [(app: AppID, assertion: Assertion)] = []

    mutating func visit(_ concern: inout some Concern, on state: DeviceState) {
        handlers += concern.openHandlers
        assertions += concern.assertions
    }
}

private struct Reader: ConcernVisitor {
    var areIdle = true
    var nextDeadline: Deadline?

    mutating func visit(_ concern: inout some Concern, on state: DeviceState) {
        areIdle = areIdle && concern.isIdle
        nextDeadline = .earlier(nextDeadline, concern.nextDeadline(on: state))
    }
}
