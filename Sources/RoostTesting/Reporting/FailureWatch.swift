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

    /// Runs a test's body. Each issue stays a failure: the matcher only looks at it.
    @MainActor func watching<Result>(_ body: @MainActor () async throws -> Result) async rethrows -> Result {
        guard Test.current != nil else { return try await body() }
        var result: Result?
        try await withKnownIssue(isIntermittent: true) {
            result = try await body()
        } matching: { [self] issue in
            state.withLock { if !$0.isReporting, issue.severity == .error { $0.sawOther = true } }
            return false
        }
        guard let result else { preconditionFailure("a body that does not throw gives a result") }
        return result
    }
}
