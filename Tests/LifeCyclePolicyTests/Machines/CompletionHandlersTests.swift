import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The completion handlers that a launch was given and has not called.
@Suite struct CompletionHandlersTests {
    private func handler(_ number: Int32) -> CompletionHandler {
        .event(OpenEvent(callback: CallbackID(number), kind: .backgroundFetch))
    }

    /// An app that calls no handler makes the list no longer than its limit.
    @Test func beyondTheLimitTheOldestIsForgotten() {
        var (handlers, signals) = (CompletionHandlers(), [Signal]())
        let count = Int32(OpenEvent.most)
        for number in 1...count + 2 {
            handlers.given(handler(number), isInBackground: false, policy: .iOS26, at: .zero, into: &signals)
        }
        #expect(handlers.open.map(\.handler) == (3...count + 2).map(handler))
    }
}
