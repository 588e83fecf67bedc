import LifeCycleModel

/// The app's side of its background sessions: remembers what the system may not have heard, since either side may
/// go down at any time, and keeps from the app what it was told before.
///
/// What an app says of a task is repeated on each new connection until an outcome was told; every word of it may be
/// said twice. An outcome is told once in each launch, and acknowledged whenever it comes again after that.
struct BackgroundSessions: AppConcern {
    /// In the order of their identifiers.
    private var sessions: [KnownSession] = []
    /// Those whose completion handler was called: the system may not have heard of it.
    private var handled: [SessionIdentifier] = []
    private var repeatsHandled = false

    /// The app does something with a session.
    mutating func note(_ act: TransferAct, of identifier: SessionIdentifier) {
        if case .handled = act, !handled.contains(identifier) { handled.append(identifier) }
        let place = place(of: identifier)
        let isKnown = place < sessions.count && sessions[place].identifier == identifier
        if isKnown {
            sessions[place].note(act)
        } else if case .open(let configuration) = act {
            sessions.insert(KnownSession(identifier, configuration), at: place)
        }
    }

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called(.transfer(let call)): begin(call)
        case .told(.transfer(let session, let news)): hear(news, of: session, into: &steps)
        case .connectedAgain: steps += beginRepeats().map { .send($0) }
        case .called, .told: break
        }
    }

    private mutating func begin(_ call: TransferCall) {
        switch call {
        // Whatever was handled before was of other events.
        case .handleEvents(let identifier): handled.removeAll { $0 == identifier }
        }
    }

    /// Begins to say everything again on a new connection: which sessions there are.
    private mutating func beginRepeats() -> [AppRequest] {
        repeatsHandled = !handled.isEmpty
        return sessions.indices.map { .concern(.transfer(sessions[$0].identifier, sessions[$0].beginRepeats())) }
    }

    var isRepeating: Bool { repeatsHandled || sessions.contains(where: \.isRepeating) }

    /// What follows: about so much at once. What is new may be said between: of a task that comes later it is said again
    /// with that.
    mutating func nextRepeats(_ count: Int) -> [AppRequest] {
        var requests: [AppRequest] = []
        for index in sessions.indices where sessions[index].isRepeating {
            let identifier = sessions[index].identifier
            requests += sessions[index].nextRepeats(count - requests.count).map { .concern(.transfer(identifier, $0)) }
            guard requests.count < count else { return requests }
        }
        if repeatsHandled { requests += handled.map { .concern(.transfer($0, .handled)) } }
        repeatsHandled = false
        return requests
    }

    /// Whether what the app does is said later, with what is said again.
    func holdsBack(_ act: TransferAct, of identifier: SessionIdentifier) -> Bool {
        let place = place(of: identifier)
        return place < sessions.count && sessions[place].identifier == identifier && sessions[place].holdsBack(act)
    }

    /// The system says something of a session. What the app has not opened by the core is passed on as it is.
    private mutating func hear(_ news: TransferNews, of identifier: SessionIdentifier, into steps: inout [Step]) {
        let place = place(of: identifier)
        guard place < sessions.count, sessions[place].identifier == identifier else {
            steps.append(.transfer(identifier, news))
            return
        }
        var told: [TransferNews] = []
        var answers: [TransferAct] = []
        sessions[place].hear(news, told: &told, answers: &answers)
        if told.contains(.invalidated) { sessions.remove(at: place) }
        // What is sent goes before what calls the app.
        steps += answers.map { .send(.concern(.transfer(identifier, $0))) } + told.map { .transfer(identifier, $0) }
    }

    /// Where a session is, or would be. There are few.
    private func place(of identifier: SessionIdentifier) -> Int {
        sessions.firstIndex { $0.identifier >= identifier } ?? sessions.endIndex
    }
}
