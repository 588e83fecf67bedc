import LifeCycleModel
import LifeCycleText

/// The history of a device, one line per event; shown with every failure.
struct Story: Sendable {
    private struct Line: Sendable {
        let time: Nanoseconds
        let app: String
        let text: String
    }

    private var lines: [Line] = []
    /// The time at which the device was created.
    private let start: Nanoseconds

    init(start: Nanoseconds) { self.start = start }

    mutating func add(_ text: String, app: String = "", at now: Nanoseconds) {
        lines.append(Line(time: now - start, app: app, text: text))
    }

    /// The lines in columns; of a longer history, the last lines.
    func text(atMost most: Int) -> String {
        let shown = lines.suffix(most)
        let times = shown.map { "+" + ClockText.text($0.time) }
        let width = times.map(\.count).max() ?? 0
        let appWidth = shown.map(\.app.count).max() ?? 0
        var result = shown.count < lines.count ? "(\(lines.count - shown.count) lines before it are left out)\n" : ""
        for (line, time) in zip(shown, times) {
            let left = String(repeating: " ", count: width - time.count) + time
            let app = line.app + String(repeating: " ", count: appWidth - line.app.count)
            result += appWidth == 0 ? "\(left)  \(line.text)\n" : "\(left)  \(app)  \(line.text)\n"
        }
        return result
    }
}
