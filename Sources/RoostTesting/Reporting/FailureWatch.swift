import Synchronization
import Testing

/// An observer of a Swift Testing test's failures that its device has not reported itself.
final class FailureWatch: Sendable {
    private let state = Mutex((isReporting: false, sawOther: false))

    /// Whether one of the test's own expectations has failed, or its body has thrown.
    var sawOther: Bool { state.withLock { $0.sawOther } }

    /// Runs `report`, which records one of the device's own failures.
    func whileReporting(_ report: () -> Void) {
        state.withLock { $0.isReporting = true }
        report()
        state.withLock { $0.isReporting = false }
    }

    /// Runs a test's body and observes every issue without changing it: no issue becomes a known issue. The body's
    /// error bypasses `withKnownIssue`, which could otherwise treat it as a known issue.
    @MainActor func watching<Result, Failure: Error>(
        _ body: @MainActor () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard Test.current != nil else { return try await body() }
        var outcome: Swift.Result<Result, Failure>?
        await withKnownIssue(isIntermittent: true) {
            do throws(Failure) {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
                state.withLock { $0.sawOther = true }
            }
        } matching: { [self] issue in
            state.withLock { if !$0.isReporting, issue.severity == .error { $0.sawOther = true } }
            return false
        }
        guard let outcome else { preconditionFailure("the body was run") }
        return try outcome.get()
    }
}
