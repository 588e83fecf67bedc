import LifeCycleModel
import LifeCycleText

/// The layout of a timeline.
///
/// The order is exact, and distances are not. Entries of the same instant lie side by side. The longer nothing happens,
/// the wider the gap, but an hour is not 3600 times as wide as a second.
struct TimelineLayout {
    /// A stretch of a lane.
    struct Stretch {
        let from: Int
        var to: Int
        let label: String
        /// The tooltip.
        var tip: String
        /// The state that it shows; nil for a task or a wake.
        var state: AppState?
        /// The download that it shows, which outlives its app.
        var transfer: TransferID?
        /// Counted from 0, from the top.
        var row = 0
    }

    /// A mark at one place of a lane.
    struct Mark {
        enum Shape { case call, reason, doing, fatal }

        let at: Int
        let shape: Shape
        let label: String
        var tip: String
    }

    /// The lane of an app, or of the user and the device.
    struct Lane {
        let name: String
        var states: [Stretch] = []
        var bars: [Stretch] = []
        var marks: [Mark] = []
        /// The height of the slanting labels.
        var labelHeight = 0
        /// The number of rows of bars.
        var rows = 0
    }

    static let margin = 16
    /// The distance between two entries of the same instant.
    static let step = 20

    private(set) var lanes: [Lane]
    private(set) var width = 0
    /// The instants, each with its place.
    private(set) var ticks: [(at: Int, text: String)] = []

    private var reasons: [String?]
    private var reasonTimes: [Nanoseconds?]

    init(_ story: [StoryLine], of scenario: Scenario) {
        lanes = [Lane(name: "")] + scenario.apps.map { Lane(name: Words.shown($0.name)) }
        reasons = lanes.map { _ in nil }
        reasonTimes = lanes.map { _ in nil }
        var x = Self.margin
        var time = Nanoseconds(-1)
        for index in lanes.indices.dropFirst() {
            lanes[index].states = [Stretch(from: x, to: x, label: "", tip: "", state: .notRunning)]
        }
        for line in story {
            if line.time > time {
                if time >= .zero { x += Self.gap(line.time - time) }
                ticks.append((x, ClockText.text(line.time)))
                time = line.time
            }
            if place(line, at: x) { x += Self.step }
        }
        width = x + 3 * Self.step
        close()
    }

    /// The width of a stretch in which nothing happens.
    private static func gap(_ span: Nanoseconds) -> Int {
        let milliseconds = max(1, span.rawValue / 1_000_000)
        return 56 + 6 * (Int64.bitWidth - milliseconds.leadingZeroBitCount)
    }

    /// Places an entry; true if it takes its own space.
    private mutating func place(_ line: StoryLine, at x: Int) -> Bool {
        let lane = line.app.map { Int($0.rawValue) } ?? 0
        let tip = "\(ClockText.text(line.time))  \(line.text)" + (line.rule.map { "  (\($0))" } ?? "")
        switch line.mark {
        case .state(let state):
            change(lane, to: state, line, at: x)
            return true
        case .begins(let label):
            // The reasons from the brain are in marks next to it.
            lanes[lane].bars.append(
                Stretch(from: x, to: .max, label: label, tip: tip, row: freeRow(in: lane)))
        case .ends(let label):
            if let bar = lanes[lane].bars.firstIndex(where: { $0.to == .max && $0.label == label }) {
                end(lane, bar, line, at: x)
            }
        case .endsAll: endAll(lane, line, at: x)
        case .carries(let id, let label):
            lanes[lane].bars.append(
                Stretch(from: x, to: .max, label: label, tip: tip, transfer: id, row: freeRow(in: lane)))
        case .carrying(let id):
            if let bar = openBar(of: id, in: lane) { lanes[lane].bars[bar].tip += "\n\(tip)" }
        case .carried(let id):
            if let bar = openBar(of: id, in: lane) { end(lane, bar, line, at: x) }
        case .fatal:
            lanes[lane].marks.append(Mark(at: x, shape: .fatal, label: "", tip: tip))
            if line.kind == .why { remember(line, lane) }
            return true
        case nil: break
        }
        switch line.kind {
        case .you, .device: lanes[lane].marks.append(Mark(at: x, shape: .doing, label: line.text, tip: tip))
        case .calls: lanes[lane].marks.append(Mark(at: x, shape: .call, label: line.text, tip: tip))
        case .app: lanes[lane].marks.append(Mark(at: x, shape: .doing, label: line.text, tip: tip))
        case .why:
            remember(line, lane)
            lanes[lane].marks.append(Mark(at: x, shape: .reason, label: "", tip: tip))
        case .posts, .returns:
            // They belong to the call before them.
            if let last = lanes[lane].marks.lastIndex(where: { $0.shape == .call }) {
                lanes[lane].marks[last].tip += "\n\(ClockText.text(line.time))  \(line.kind.rawValue) \(line.text)"
            }
            return false
        case .state: break
        }
        return true
    }

    private mutating func remember(_ line: StoryLine, _ lane: Int) {
        reasons[lane] = line.text + (line.rule.map { " (\($0))" } ?? "")
        reasonTimes[lane] = line.time
    }

    private mutating func change(_ lane: Int, to state: AppState, _ line: StoryLine, at x: Int) {
        guard let last = lanes[lane].states.indices.last else { return }
        lanes[lane].states[last].to = x
        lanes[lane].states[last].tip += "\nuntil \(ClockText.text(line.time))"
        var tip = "\(state.name)\nfrom \(ClockText.text(line.time))" + (line.rule.map { " (\($0))" } ?? "")
        if let reason = reasons[lane], reasonTimes[lane] == line.time { tip += "\n\(reason)" }
        lanes[lane].states.append(Stretch(from: x, to: x, label: state.name, tip: tip, state: state))
        switch state {
        case .suspended, .notRunning, .inactive:
            for bar in lanes[lane].bars.indices
            where lanes[lane].bars[bar].to == .max && lanes[lane].bars[bar].label.hasPrefix("wake ") {
                end(lane, bar, line, at: x)
            }
        case .active, .background: break
        }
    }

    private mutating func end(_ lane: Int, _ bar: Int, _ line: StoryLine, at x: Int) {
        lanes[lane].bars[bar].to = x
        lanes[lane].bars[bar].tip += "\nuntil \(ClockText.text(line.time))"
    }

    private mutating func endAll(_ lane: Int, _ line: StoryLine, at x: Int) {
        for bar in lanes[lane].bars.indices
        where lanes[lane].bars[bar].to == .max && lanes[lane].bars[bar].transfer == nil {
            end(lane, bar, line, at: x)
        }
    }

    private func openBar(of id: TransferID, in lane: Int) -> Int? {
        lanes[lane].bars.firstIndex { $0.to == .max && $0.transfer == id }
    }

    private func freeRow(in lane: Int) -> Int {
        let taken = lanes[lane].bars.filter { $0.to == .max }.map(\.row)
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    /// Ends every open state and bar at the end of the picture.
    private mutating func close() {
        for lane in lanes.indices {
            if let last = lanes[lane].states.indices.last { lanes[lane].states[last].to = width }
            for bar in lanes[lane].bars.indices where lanes[lane].bars[bar].to == .max {
                lanes[lane].bars[bar].to = width
            }
            lanes[lane].rows = (lanes[lane].bars.map(\.row).max() ?? -1) + 1
            let longest = lanes[lane].marks.map { TimelineLayout.shortened($0.label).count }.max() ?? 0
            lanes[lane].labelHeight = longest == 0 ? 0 : 18 + longest * 4
            // The last labels reach beyond their marks.
            let reach = lanes[lane].marks.map { $0.at + Self.shortened($0.label).count * 9 / 2 + 24 }.max() ?? 0
            width = max(width, reach)
        }
        for lane in lanes.indices {
            if let last = lanes[lane].states.indices.last { lanes[lane].states[last].to = width }
        }
    }

    /// A label that fits.
    static func shortened(_ label: String) -> String {
        label.count > 40 ? String(label.prefix(39)) + "…" : label
    }
}
