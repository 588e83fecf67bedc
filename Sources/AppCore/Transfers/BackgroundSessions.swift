import LifeCycleModel

/// The app's side of its background sessions. Either side may end at any time. So this value stores the requests
/// that the system may have missed, and filters out news that the app has already received.
///
/// Requests about a task are repeated on each new connection until its outcome was delivered; the system accepts
/// duplicates. An outcome is delivered once per launch. A repeated outcome is acknowledged after the delivery.
struct BackgroundSessions: AppConcern {
    /// In the order of their identifiers.
    private var sessions: [KnownSession] = []
    /// The sessions whose completion handlers were called, possibly without the system's knowledge.
    private var handled: [SessionIdentifier] = []
    private var repeatsHandled = false

    /// Records a request about a session.
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
        case .called(.transfer(let call), _): begin(call)
        case .received(.transfer(let session, let news)): receive(news, of: session, into: &steps)
        case .connectedAgain: steps += beginRepeats().map { .send($0) }
        case .called, .received: break
        }
    }

    private mutating func begin(_ call: TransferCall) {
        switch call {
        // Earlier completions belong to earlier events.
        case .handleEvents(let identifier): handled.removeAll { $0 == identifier }
        }
    }

    /// The first repeated requests on a new connection: the open sessions.
    private mutating func beginRepeats() -> [AppRequest] {
        repeatsHandled = !handled.isEmpty
        return sessions.indices.map { .concern(.transfer(sessions[$0].identifier, sessions[$0].beginRepeats())) }
    }

    var isRepeating: Bool { repeatsHandled || sessions.contains(where: \.isRepeating) }

    /// The next repeated requests, about `count` of them. New requests may be sent in between; the requests of a later
    /// task are then sent twice.
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

    /// Whether a new request is held back and sent later, with the repeated requests.
    func holdsBack(_ act: TransferAct, of identifier: SessionIdentifier) -> Bool {
        let place = place(of: identifier)
        return place < sessions.count && sessions[place].identifier == identifier && sessions[place].holdsBack(act)
    }

    /// Handles news about a session. News about a session that the core did not open is passed on unchanged.
    private mutating func receive(_ news: TransferNews, of identifier: SessionIdentifier, into steps: inout [Step]) {
        let place = place(of: identifier)
        guard place < sessions.count, sessions[place].identifier == identifier else {
            steps.append(.transfer(identifier, news))
            return
        }
        var toDeliver: [TransferNews] = []
        var answers: [TransferAct] = []
        sessions[place].receive(news, toDeliver: &toDeliver, answers: &answers)
        if toDeliver.contains(.invalidated) { sessions.remove(at: place) }
        // Requests come before calls of the app.
        steps += answers.map { .send(.concern(.transfer(identifier, $0))) }
        steps += toDeliver.map { .transfer(identifier, $0) }
    }

    /// The index of a session, or its insertion index. A linear search, because an app has few sessions.
    private func place(of identifier: SessionIdentifier) -> Int {
        sessions.firstIndex { $0.identifier >= identifier } ?? sessions.endIndex
    }
}
