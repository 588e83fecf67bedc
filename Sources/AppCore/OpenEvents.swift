import LifeCycleModel

/// The delivered events whose completion handlers the app has not called yet.
struct OpenEvents: Hashable, Sendable {
    private(set) var open: [OpenEvent] = []
    /// The completion of an event whose callback has not returned yet. From the attachment alone, the system would not
    /// know that this event is complete.
    private var early: AppRequest?
    private var underWay: CallbackID?

    mutating func came(_ event: OpenEvent) {
        if open.count == OpenEvent.most { open.removeFirst() }
        open.append(event)
        underWay = event.callback
    }

    /// Records that the delegate method has returned. The handler may be called later.
    mutating func returned(from callback: CallbackID) {
        guard underWay == callback else { return }
        underWay = nil
        early = nil
    }

    /// Records that a handler was called; false if the event is unknown or already complete.
    mutating func handled(_ callback: CallbackID, _ result: BackgroundFetchResult) -> Bool {
        guard let index = open.firstIndex(where: { $0.callback == callback }) else { return false }
        open.remove(at: index)
        if underWay == callback { early = .eventHandled(callback, result) }
        return true
    }

    /// The requests that the system may have missed.
    var repeats: [AppRequest] { early.map { [$0] } ?? [] }
}
