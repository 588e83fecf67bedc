/// The data that an app leaves in a kept socket. The system reports it a few times: an app that was suspended before it
/// could read the data is woken again, but not without end.
public struct LeftData: Sendable {
    /// The most reports of the same data.
    public static let mostReports = 3

    private var reports = 0
    private var isSilent = false

    /// No data was reported.
    public init() {}

    /// The socket is watched from now on. `hasNews` is whether data has come, or the connection has ended, since the
    /// last report.
    ///
    /// - Returns: Whether data that is there already is to be reported.
    public mutating func watchBegins(hasNews: Bool) -> Bool {
        if hasNews { reports = 0 }
        isSilent = reports >= Self.mostReports
        return !isSilent
    }

    /// The socket is reported.
    public mutating func reported() {
        // A silent watch reports new data only.
        reports = isSilent ? 1 : reports + 1
        isSilent = false
    }
}
