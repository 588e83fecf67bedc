/// The text of an exploration's report.
public enum ExplorationReport {
    /// The report, with a line for each name that was reached. Failures come last, with their seeds and last events.
    public static func text(_ report: Explorer.Report) -> String {
        var lines = report.reach.map { "  \($0.count)\t\($0.name)" }
        lines.append("\(report.events) events in \(report.seeds) histories")
        if let digest = report.digest { lines.append("\(digest)") }
        for failure in report.failures {
            lines += failure.trace
            lines.append("FOUND with seed \(failure.seed): \(failure.violation)")
            if let shrunk = failure.shrunk { lines += ["as a test, shrunk:", shrunk.swiftTest] }
        }
        if report.failures.isEmpty {
            lines.append("no invariant was broken")
            if !report.missing.isEmpty { lines.append("NEVER REACHED: " + report.missing.joined(separator: "; ")) }
        }
        return lines.joined(separator: "\n")
    }
}
