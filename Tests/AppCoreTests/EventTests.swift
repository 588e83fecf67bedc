import AppCore
import LifeCycleModel
import Testing

/// Events with a completion handler, and the app's interval of background fetch.
@Suite struct EventTests {
    private static func open(_ callbacks: Int32...) -> [OpenEvent] {
        callbacks.map { OpenEvent(callback: CallbackID($0), kind: .backgroundFetch) }
    }

    /// An app in the background. Its next callback has the number 5.
    private var app = Scripted.at(.background)

    @Test mutating func theHandlerCountsOnce() {
        #expect(
            app.run(.concern(.fetch(.performFetch))) == [
                .call(.concern(.fetch(.performFetch), CallbackID(5))), .finish(CallbackID(5)),
                .send(.acknowledge(CallbackID(5), open: [])),
            ])
        #expect(app.core.attachment.openEvents == Self.open(5))
        #expect(app.handle(5, .noData) == [.send(.eventHandled(CallbackID(5), .noData))])
        #expect(app.core.attachment.openEvents == [])
        #expect(app.handle(5, .newData) == [.log(.handlerCalledTwice(.backgroundFetch))])
        #expect(app.handle(9, .newData) == [.log(.handlerCalledTwice(.backgroundFetch))], "callback 9 has no event")
    }

    /// The app calls the handler before its method has returned. The attachment does not show this, so the call is
    /// repeated.
    @Test mutating func earlyHandlerCallsAreRepeatedUntilTheReturn() {
        let id = app.start(.concern(.fetch(.performFetch)))
        #expect(app.core.beginRepeats() == [])
        #expect(app.handle(id, .failed) == [.send(.eventHandled(CallbackID(id), .failed))])
        #expect(app.core.beginRepeats() == [.eventHandled(CallbackID(id), .failed)])
        _ = app.finish(id)
        #expect(app.core.beginRepeats() == [], "the acknowledgement reports the result")
        let later = app.start(.concern(.fetch(.performFetch)))
        _ = app.finish(later)
        _ = app.handle(later, .noData)
        #expect(app.core.beginRepeats() == [], "the attachment reports results after the return")
    }

    @Test mutating func eachEventHasItsOwnHandler() {
        app.run(.concern(.fetch(.performFetch)))
        app.run(.concern(.fetch(.performFetch)))
        #expect(app.core.attachment.openEvents == Self.open(5, 6))
        #expect(app.handle(6, .newData) == [.send(.eventHandled(CallbackID(6), .newData))])
        #expect(app.core.attachment.openEvents == Self.open(5))
    }

    @Test mutating func onlyTheNewestOpenEventsAreRemembered() {
        for _ in 0...OpenEvent.most { app.run(.concern(.fetch(.performFetch))) }
        #expect(app.core.attachment.openEvents.count == OpenEvent.most)
        #expect(app.core.attachment.openEvents.first == Self.open(6).first)
    }

    @Test(arguments: [nil, .zero, .seconds(3600)] as [Nanoseconds?])
    mutating func theFetchIntervalIsRepeatedOnANewConnection(_ interval: Nanoseconds?) {
        #expect(app.core.beginRepeats() == [])
        var steps: [Step] = []
        app.core.setMinimumFetchInterval(interval, into: &steps)
        #expect(steps == [.send(.concern(.fetch(.setMinimumInterval(interval))))])
        #expect(app.core.beginRepeats() == [.concern(.fetch(.setMinimumInterval(interval)))])
    }
}
