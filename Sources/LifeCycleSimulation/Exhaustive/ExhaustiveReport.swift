public import LifeCycleModel

/// The text of an exhaustive search's report.
public enum ExhaustiveReport {
    /// The alphabets that are searched.
    public static func alphabets(of exhaustive: Exhaustive) -> String {
        "alphabets: " + exhaustive.alphabetNames.joined(separator: ", ")
    }

    /// A line for a completed length.
    public static func line(_ report: Exhaustive.Report) -> String {
        let sequences = report.sequences == .max ? "more than \(UInt64.max)" : "\(report.sequences)"
        return "  length \(report.length): \(sequences) sequences, "
            + "\(report.statesByLength.last ?? 0) new states"
    }

    /// The result after `time`. A failure comes last, with its steps and its last events.
    public static func text(_ report: Exhaustive.Report, in time: Nanoseconds) -> String {
        let rate = Int64(report.steps) * 1000 / max(1, time.rawValue / 1_000_000)
        var lines = ["\(report.steps) steps to \(report.states) states in \(time): \(rate) steps a second"]
        if let failure = report.failure {
            lines += failure.trace
            lines.append("by the steps of \(failure.alphabet), after: " + failure.searchSteps.joined(separator: ", "))
            lines.append("FOUND \(failure.violation)")
        } else if report.isAll {
            lines.append("every sequence of any length was explored: no rule was broken")
        } else {
            lines.append("every sequence of up to \(report.length) was explored: no rule was broken")
        }
        return lines.joined(separator: "\n")
    }
}
