import LifeCycleModel

/// The calls of concerns to an app, such as a notification or the end of a background session.
extension LifeCycle {
    /// Queues a call of a concern for the app.
    mutating func enqueue(_ call: ConcernCall, _ delivery: Delivery, isSuspended: Bool, into signals: inout [Signal]) {
        switch state {
        case .notRunning, .ending:
            return
        case .running(let run) where run.isAdopted:
            return
        case .running:
            changeRun { $0.pendingMessages.add(PendingCall(call: call, delivery: delivery)) }
            switch delivery {
            case .atOnce, .inForeground: advance(into: &signals)
            case .whenItRuns: if !isSuspended { advance(into: &signals) }
            // The app is opened next, and advances then.
            case .onTheWayToForeground: break
            }
        case .recovering(var run, let until):
            run.pendingMessages.add(PendingCall(call: call, delivery: delivery))
            state = .recovering(run, until: until)
        }
    }

    /// Drops the calls for the foreground, or turns them into calls at once: the app has left the foreground.
    mutating func dropForegroundCalls() { changeRun { $0.pendingMessages.dropForegroundCalls() } }

    /// The first queued remote notification that is to be delivered at once; nil if there is none.
    var pendingNotification: PushID? {
        guard case .running(let run) = state else { return nil }
        for case .notification(.receivedRemote(.of(let push))) in run.pendingMessages.callsAtOnce { return push }
        return nil
    }

    /// Whether the call is queued, or was sent and has not returned.
    func isToBeCalled(_ call: ConcernCall) -> Bool {
        switch state {
        case .notRunning, .ending: false
        case .running(let run), .recovering(let run, _):
            run.pending?.callback == .concern(call) || run.pendingMessages.calls.contains { $0.call == call }
        }
    }
}

extension LifeCycle.PendingMessages {
    /// Adds a call, and drops those that it withdraws. If the call replaces an older call, it takes the older call's
    /// place.
    mutating func add(_ new: LifeCycle.PendingCall) {
        calls.removeAll { new.call.withdraws($0.call) }
        if let index = calls.firstIndex(where: { new.call.replaces($0.call) && new.delivery == $0.delivery }) {
            calls[index] = new
        } else {
            calls.append(new)
        }
    }

    mutating func dropForegroundCalls() {
        if calls.isEmpty { return }
        calls = calls.compactMap { pendingCall in
            switch pendingCall.delivery {
            case .atOnce, .whenItRuns, .onTheWayToForeground: pendingCall
            case .inForeground(elseAtOnce: true): LifeCycle.PendingCall(call: pendingCall.call, delivery: .atOnce)
            case .inForeground(elseAtOnce: false): nil
            }
        }
    }

    /// Whether the app is called on its way to the foreground.
    var hasCallOnTheWay: Bool { calls.contains { $0.delivery == .onTheWayToForeground } }

    /// Whether there is news or a call for the app as soon as it runs.
    var isDueWhenItRuns: Bool { newFacts != nil || calls.contains { $0.delivery == .whenItRuns } }

    fileprivate var callsAtOnce: [ConcernCall] { calls.filter { $0.delivery == .atOnce }.map(\.call) }

    /// Takes the next call; nil if no call is pending. Calls for the way to the foreground come first.
    mutating func takeCall() -> ConcernCall? {
        guard !calls.isEmpty else { return nil }
        return calls.remove(at: calls.firstIndex { $0.delivery == .onTheWayToForeground } ?? 0).call
    }
}
