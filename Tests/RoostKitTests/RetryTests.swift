import AppCore
import Foundation
import RoostWire
import Testing

@testable import RoostKit

@Suite struct RetryTests {
    @Test func waitsGrowUpToABound() {
        var retry = Retry()
        let waits = (0..<100).map { _ in retry.next() }
        #expect(waits.prefix(4) == [0, 20, 40, 80])
        #expect(waits == waits.sorted())
        #expect(waits.last == Retry.longest)
        retry.reset()
        #expect(retry.next() == 0)
    }

    @Test func onlyALastingConnectionResetsTheDelay() {
        var retry = Retry()
        for _ in 0..<3 { _ = retry.next() }
        retry.lost(after: Retry.good - 1)
        #expect(retry.next() == 80)
        retry.lost(after: Retry.good)
        #expect(retry.next() == 0)
    }

    /// Errors that may end without a change at the socket's path are retried forever.
    @Test(arguments: [
        (ENOENT, true, true), (ECONNREFUSED, false, true), (EMFILE, false, false), (ENFILE, false, false),
        (EAGAIN, false, false), (ENOMEM, false, false), (EACCES, false, false), (ETIMEDOUT, false, false),
        (EPIPE, false, false),
    ])
    func onlyAnAbsentSocketIsLeftToTheWatch(_ errno: Int32, atFirst: Bool, atLast: Bool) {
        var retry = Retry()
        #expect(retry.isFutile(after: errno) == atFirst)
        for _ in 0..<100 { _ = retry.next() }
        #expect(retry.isFutile(after: errno) == atLast)
    }

    /// The app's tasks in its attachment fit a message.
    @Test func theCoreAllowsAsManyTasksAsAMessageHolds() {
        #expect(AppCore.mostTasks == WireLimits.tasks)
    }
}
