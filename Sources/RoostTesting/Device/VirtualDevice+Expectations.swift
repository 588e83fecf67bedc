import LifeCycleModel

/// What a test expects that would fail it otherwise.
extension VirtualDevice {
    /// The app was ended, and is meant to have been: the test fails if it was not. Of several ends, the first that nobody
    /// has expected yet.
    ///
    /// - Returns: How it ended, to be looked at; nil where it was not.
    @discardableResult public func expectTermination(
        of app: VirtualApp, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> VirtualApp.Termination? {
        guard !app.unexpectedTerminations.isEmpty else {
            fail(
                "\(app.name) was to be ended for its own fault, and was not: it is \(app.state.name)",
                at: SourcePlace(fileID, filePath, line, column))
            return nil
        }
        return app.unexpectedTerminations.removeFirst()
    }

    /// The app has logged an error that contains `text`, and is meant to have: the test fails if it has not.
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
