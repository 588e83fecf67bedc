import Synchronization
import Testing

/// Notices the failures of a test of Swift Testing that its device has not reported itself.
final class FailureWatch: Sendable {
    private let state = Mutex((isReporting: false, sawOther: false))

    /// Whether an expectation of the test's own has failed, or its body has thrown an error.
    var sawOther: Bool { state.withLock { $0.sawOther } }

    /// Runs `report`, which records a failure of the device's own.
    func whileReporting(_ report: () -> Void) {
        state.withLock { $0.isReporting = true }
        report()
        state.withLock { $0.isReporting = false }
    }

    /// Runs a test's body. Every issue is shown to this watch and stays what it is: none is taken for a known one. An error
    /// does not pass through there, where a known issue of the test's own could take it.
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
