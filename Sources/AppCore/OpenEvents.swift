import LifeCycleModel

/// The events the app was handed whose completion handler it has not called.
struct OpenEvents: Hashable, Sendable {
    private(set) var open: [OpenEvent] = []
    /// What the app is done with before the callback has returned: by its account of itself alone the system could not
    /// tell that from an event that is still to come.
    private var early: AppRequest?
    private var underWay: CallbackID?

    mutating func came(_ event: OpenEvent) {
        if open.count == OpenEvent.most { open.removeFirst() }
        open.append(event)
        underWay = event.callback
    }

    /// The delegate method has returned; the handler may be called later.
    mutating func returned(from callback: CallbackID) {
        guard underWay == callback else { return }
        underWay = nil
        early = nil
    }

    /// False where there is no such event any more.
    mutating func handled(_ callback: CallbackID, _ result: BackgroundFetchResult) -> Bool {
        guard let index = open.firstIndex(where: { $0.callback == callback }) else { return false }
        open.remove(at: index)
        if underWay == callback { early = .eventHandled(callback, result) }
        return true
    }

    /// What the system may not have heard.
    var repeats: [AppRequest] { early.map { [$0] } ?? [] }
}
