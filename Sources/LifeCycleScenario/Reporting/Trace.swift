import LifeCycleModel
import LifeCycleText

/// The trace of a scenario: a line for each entry, in columns.
public enum Trace {
    /// The rows of the trace: time, app, kind, text, row of the rule book.
    public static func rows(_ story: [StoryLine], of scenario: Scenario) -> [[String]] {
        let times = story.map { ClockText.text($0.time) }
        let width = times.map(\.count).max() ?? 0
        return zip(times, story).map { time, line in
            [
                String(repeating: " ", count: width - time.count) + time,
                line.app.map { Words.shown(scenario.apps[Int($0.rawValue - 1)].name) } ?? "",
                line.kind.rawValue, line.text, line.rule ?? "",
            ]
        }
    }
}
