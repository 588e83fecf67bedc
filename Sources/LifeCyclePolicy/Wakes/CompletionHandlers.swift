import LifeCycleModel

/// A completion handler that an app was given before a restart of the system, and may not have called.
struct OpenHandler {
    let app: AppID
    let handler: CompletionHandler
}

/// The completion handlers that a launch was given and has not called.
///
/// In the background, the app has limited time for each handler, and is not suspended until it has called all handlers
///
///
/// ```
///   none ──given──▶ open ──called──▶ none
///                    │ ▲ leftBackground: its time is no longer limited
///                    │ time is up: killDue
/// ```
struct CompletionHandlers: Hashable, Sendable, Codable {
    struct Entry: Hashable, Sendable, Codable {
        let handler: CompletionHandler
        /// The time at which the handler was given.
        let since: Nanoseconds
        /// The deadline; nil in the foreground, and after the app has been there.
        var until: Nanoseconds?
        /// Whether the app is killed if it misses the deadline. False if the handler was given before a restart and the
        /// app did not report it: its progress is then unknown.
        let isBlamed: Bool
    }

    /// In the order in which they were given.
    private(set) var open: [Entry] = []

    func nextDeadline(of launch: LaunchID) -> Deadline? {
        if open.isEmpty { return nil }
        let awaited = open.filter { $0.until != nil }.min { ($0.until ?? .zero) < ($1.until ?? .zero) }
        guard let awaited, let until = awaited.until else { return nil }
        return switch awaited.handler {
        case .session: Deadline(at: until, reason: .sessionEvents(launch))
        case .event: Deadline(at: until, reason: .wakeEvent(launch))
        }
    }

    /// Notes, after a restart of the system, a handler that the app may have been given before and not called.
    mutating func mayHave(_ handler: CompletionHandler) {
        open.append(Entry(handler: handler, since: .zero, until: nil, isBlamed: false))
    }

    /// The app has connected again after the restart. In the background it gets its full time for each handler.
    mutating func reattached(
        isInBackground: Bool, policy: Policy, at now: Nanoseconds, into signals: inout [Signal]
    ) {
        let found = open.map(\.handler)
        open = []
        if !isInBackground { return }
        // The app's progress with these handlers is unknown.
        for handler in found {
            given(handler, isInBackground: true, isBlamed: false, policy: policy, at: now, into: &signals)
        }
    }

    mutating func launchBegan() { self = CompletionHandlers() }
    mutating func launchEnding() { self = CompletionHandlers() }

    /// A callback with a handler is sent. In the foreground its time is not limited.
    mutating func given(
        _ handler: CompletionHandler, isInBackground: Bool, isBlamed: Bool = true, policy: Policy, at now: Nanoseconds,
        into signals: inout [Signal]
    ) {
        open.removeAll { $0.handler == handler }
        if open.count == OpenEvent.most { forget(0, into: &signals) }
        let until = isInBackground ? now + handler.time(by: policy) : nil
        open.append(Entry(handler: handler, since: now, until: until, isBlamed: isBlamed))
        if isInBackground { signals.append(.asserted(handler.assertion)) }
    }

    /// The app has called a handler. Returns the time that it took; nil if the handler is not open.
    mutating func called(
        _ handler: CompletionHandler, at now: Nanoseconds, into signals: inout [Signal]
    ) -> Nanoseconds? {
        guard let index = open.firstIndex(where: { $0.handler == handler }) else { return nil }
        let since = open[index].since
        forget(index, into: &signals)
        return now - since
    }

    /// Whether the time for the event of this callback is limited, as in the background.
    func isAwaited(_ callback: CallbackID) -> Bool {
        open.contains { entry in
            guard case .event(let event) = entry.handler else { return false }
            return event.callback == callback && entry.until != nil
        }
    }

    /// The event that a callback delivered; nil once its handler is called.
    func event(of callback: CallbackID) -> OpenEvent? {
        for entry in open {
            if case .event(let event) = entry.handler, event.callback == callback { return event }
        }
        return nil
    }

    /// The app has reported its open events. The handlers of all other events were called while the app was not
    /// connected.
    mutating func declared(_ events: [OpenEvent], after last: CallbackID, into signals: inout [Signal]) {
        for entry in open {
            guard case .event(let event) = entry.handler, event.callback <= last, !events.contains(event),
                let index = open.firstIndex(of: entry)
            else { continue }
            forget(index, into: &signals)
        }
    }

    mutating func leftBackground(into signals: inout [Signal]) {
        let held = open.filter { $0.until != nil }.map(\.handler.assertion)
        for index in open.indices { open[index].until = nil }
        for assertion in [Assertion.sessionEvents, .wakeEvent] where held.contains(assertion) {
            signals.append(.released(assertion))
        }
    }

    mutating func loopStalled(policy: Policy, at now: Nanoseconds) {
        for index in open.indices where open[index].until != nil {
            open[index].until = now + open[index].handler.time(by: policy)
        }
    }

    mutating func timePassed(at now: Nanoseconds, into signals: inout [Signal]) {
        let late = open.filter { $0.until.map { $0 <= now } ?? false }
        if let first = late.first(where: \.isBlamed) {
            open = []
            signals.append(.killDue(first.handler.failure))
        } else {
            for entry in late {
                if let index = open.firstIndex(of: entry) { forget(index, into: &signals) }
            }
        }
    }

    private mutating func forget(_ index: Int, into signals: inout [Signal]) {
        let entry = open.remove(at: index)
        let assertion = entry.handler.assertion
        let isLast = !open.contains { $0.until != nil && $0.handler.assertion == assertion }
        if entry.until != nil, isLast { signals.append(.released(assertion)) }
    }
}

extension CompletionHandler {
    fileprivate var assertion: Assertion {
        switch self {
        case .session: .sessionEvents
        case .event: .wakeEvent
        }
    }

    fileprivate func time(by policy: Policy) -> Nanoseconds {
        switch self {
        case .session: policy.sessionEvents
        case .event(let event): event.kind.time(by: policy)
        }
    }

    fileprivate var failure: TerminationReason {
        switch self {
        case .session: .sessionEventsNotHandled
        case .event(let event): .eventNotHandled(event.kind)
        }
    }
}

extension WakeEvent {
    fileprivate func time(by policy: Policy) -> Nanoseconds {
        switch self {
        case .backgroundFetch: policy.backgroundFetch
        case .remoteNotification: policy.remoteNotification
        }
    }
}
