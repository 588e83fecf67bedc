import LifeCycleModel

/// Expected failures. Without the expectation, each of them would fail the test.
extension VirtualDevice {
    /// Expects that an app was terminated; otherwise fails the test. Of several terminations, the first that the test
    /// has not expected yet counts.
    ///
    /// - Returns: The termination; nil if there was none.
    @discardableResult public func expectTermination(
        of app: VirtualApp, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> VirtualApp.Termination? {
        guard !app.unexpectedTerminations.isEmpty else {
            fail(
                "\(app.name) was expected to be terminated for breaking a rule, but it is \(app.state.name)",
                at: SourcePlace(fileID, filePath, line, column))
            return nil
        }
        return app.unexpectedTerminations.removeFirst()
    }

    /// Expects that an app has logged an error that contains `text`; otherwise fails the test.
    public func expectLog(
        of app: VirtualApp, containing text: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        guard let index = app.unexpectedLog.firstIndex(where: { $0.contains(text) }) else {
            return fail("\(app.name) has not logged \"\(text)\"", at: SourcePlace(fileID, filePath, line, column))
        }
        app.unexpectedLog.remove(at: index)
    }
}
