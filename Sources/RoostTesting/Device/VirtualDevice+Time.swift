import LifeCycleModel
import RoostKit

/// The device's clock.
extension VirtualDevice {
    /// Advances the clock by `span`, and handles every event on the way at its time. A negative span fails the test.
    public func advance(
        by span: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        let place = SourcePlace(fileID, filePath, line, column)
        guard span >= .zero else { return fail("time can only move forward: \(span) is negative", at: place) }
        guard isAnythingInstalled(at: place) else { return }
        await body.advance(by: Nanoseconds(span))
    }

    /// Advances the clock to the next event and handles it; false if no event is due.
    @discardableResult public func advanceToNext(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async -> Bool {
        guard isAnythingInstalled(at: SourcePlace(fileID, filePath, line, column)) else { return false }
        return await body.step(until: .distantFuture)
    }

    func isAnythingInstalled(at place: SourcePlace) -> Bool {
        guard apps.isEmpty else { return true }
        fail(
            "time cannot pass, because no app is installed: call device.install first",
            at: place)
        return false
    }

    /// Puts the device to sleep for `span`: civil time advances, background time and watchdogs do not.
    public func sleep(for span: Duration) async {
        tell("asleep for \(Nanoseconds(span))")
        await body.sleep(for: Nanoseconds(span))
    }
}
