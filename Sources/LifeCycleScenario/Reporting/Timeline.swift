import LifeCycleModel

/// Timelines of scenarios: one self-contained page.
public enum Timeline {
    /// The result of a scenario, as the page shows it.
    public struct Picture: Sendable {
        let scenario: Scenario
        let outcome: ScenarioRun.Outcome
        let file: String

        /// The `outcome` of `scenario`, whose file is `file`.
        public init(_ scenario: Scenario, _ outcome: ScenarioRun.Outcome, file: String) {
            self.scenario = scenario
            self.outcome = outcome
            self.file = file
        }

        /// The title; the file's name if there is no title.
        var heading: String { Words.shown(scenario.title.isEmpty ? file : scenario.title) }
    }

    /// The page with all `pictures`, one below the other.
    public static func page(_ pictures: [Picture]) -> String {
        let title = pictures.count == 1 ? pictures[0].heading : "\(pictures.count) scenarios"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(escaped(title))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <p class="key">\(key)</p>
            \(pictures.map(section).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static let key =
        AppState.allCases.map {
            "<span class=\"state\"><span class=\"swatch \(className($0))\"></span>\($0.name)</span>"
        }.joined(separator: " ")
        + " <span class=\"note\">Events of one instant are side by side; gaps are not to scale. "
        + "Point at an element to read its reason.</span>"

    private static func section(_ picture: Picture) -> String {
        let layout = TimelineLayout(picture.outcome.story, of: picture.scenario)
        let problems = picture.outcome.problems.map {
            "<li>\(escaped("\(Words.shown(picture.file)):\($0.place): \($0.message)"))</li>"
        }
        let rows = Trace.rows(picture.outcome.story, of: picture.scenario).map { row in
            "<tr>" + row.map { "<td><bdi>\(escaped($0))</bdi></td>" }.joined() + "</tr>"
        }
        let shows = picture.scenario.shows.map { "<span class=\"rule\">\(escaped(Words.shown($0)))</span>" }
        return """
            <section>
            <h2>\(shows.joined(separator: " ")) <bdi>\(escaped(picture.heading))</bdi></h2>
            <p><bdi>\(escaped(Words.shown(picture.scenario.about, longest: 1000)))</bdi></p>
            \(problems.isEmpty ? "" : "<ul class=\"problems\">\(problems.joined())</ul>")
            \(drawing(layout))
            <details><summary>The trace</summary><div class="scroll"><table>
            \(rows.joined(separator: "\n"))
            </table></div></details>
            </section>
            """
    }

    // MARK: The drawing

    private static let bandHeight = 26
    private static let barHeight = 15

    private static func drawing(_ layout: TimelineLayout) -> String {
        let (parts, lanes, height) = elements(layout)
        let names = lanes.map { lane, top in
            "<span style=\"top:\(top)px\" title=\"\(escaped(lane.name))\"><bdi>\(name(of: lane))</bdi></span>"
        }
        return """
            <div class="picture" style="height:\(height + 14)px"><div class="names">\(names.joined())</div>
            <div class="scroll"><svg role="img" aria-label="A lane for each app, colored by its state" \
            width="\(layout.width)" height="\(height)" viewBox="0 0 \(layout.width) \(height)">
            \(parts.joined(separator: "\n"))
            </svg></div></div>
            """
    }

    /// The elements of the drawing, its lanes with the tops of their names, and its height.
    static func elements(
        _ layout: TimelineLayout
    ) -> (parts: [String], lanes: [(lane: TimelineLayout.Lane, top: Int)], height: Int) {
        var y = 24
        var lanes: [(lane: TimelineLayout.Lane, top: Int)] = []
        var parts: [String] = layout.ticks.map { tick in
            "<text class=\"tick\" x=\"\(tick.at)\" y=\"12\">\(tick.text)</text>"
        }
        for lane in layout.lanes {
            let band = y + lane.labelHeight
            let isDevice = lane.states.isEmpty
            lanes.append((lane, band + (isDevice ? -12 : 4)))
            parts += drawing(lane, band: band)
            y = band + (isDevice ? 12 : bandHeight + 18 + lane.rows * barHeight + 8)
        }
        let lines = layout.ticks.map { "<line class=\"tick\" x1=\"\($0.at)\" x2=\"\($0.at)\" y1=\"16\" y2=\"\(y)\"/>" }
        return (lines + parts, lanes, y)
    }

    /// The displayed name of a lane.
    static func name(of lane: TimelineLayout.Lane) -> String {
        lane.states.isEmpty ? "you, device" : escaped(lane.name)
    }

    private static func drawing(_ lane: TimelineLayout.Lane, band: Int) -> [String] {
        var parts: [String] = []
        for stretch in lane.states {
            guard let state = stretch.state, stretch.to > stretch.from else { continue }
            let width = stretch.to - stretch.from
            let label =
                width > stretch.label.count * 7 + 8
                ? "<text x=\"\(stretch.from + 5)\" y=\"\(band + 17)\">\(stretch.label)</text>" : ""
            parts.append(
                "<g class=\"state \(className(state))\">\(title(stretch.tip))<rect x=\"\(stretch.from)\" y=\"\(band)\" "
                    + "width=\"\(width)\" height=\"\(bandHeight)\"/>\(label)</g>")
        }
        for bar in lane.bars {
            let top = band + bandHeight + 18 + bar.row * barHeight
            let width = max(4, bar.to - bar.from)
            let label =
                width > bar.label.count * 6 + 8
                ? "<text x=\"\(bar.from + 4)\" y=\"\(top + 10)\">\(escaped(bar.label))</text>" : ""
            parts.append(
                "<g class=\"bar\">\(title(bar.tip))<rect x=\"\(bar.from)\" y=\"\(top)\" width=\"\(width)\" "
                    + "height=\"\(barHeight - 2)\" rx=\"3\"/>\(label)</g>")
        }
        return parts + lane.marks.map { drawing($0, band: band) }
    }

    private static func drawing(_ mark: TimelineLayout.Mark, band: Int) -> String {
        let label =
            mark.label.isEmpty
            ? ""
            : "<text transform=\"translate(\(mark.at + 5) \(band - 8)) rotate(-40)\">"
                + "\(escaped(TimelineLayout.shortened(mark.label)))</text>"
        switch mark.shape {
        case .call, .doing:
            let name = mark.shape == .call ? "call" : "doing"
            return
                "<g class=\"mark \(name)\">\(title(mark.tip))<line x1=\"\(mark.at)\" x2=\"\(mark.at)\" y1=\"\(band - 6)\" "
                + "y2=\"\(band + 5)\"/><circle cx=\"\(mark.at)\" cy=\"\(band - 4)\" r=\"3.5\"/>\(label)</g>"
        case .reason:
            let y = band + bandHeight + 9
            return "<g class=\"mark reason\">\(title(mark.tip))<path d=\"M\(mark.at) \(y - 5)l5 5l-5 5l-5-5z\"/></g>"
        case .fatal:
            let y = band + bandHeight / 2
            return "<g class=\"mark fatal\">\(title(mark.tip))<circle cx=\"\(mark.at)\" cy=\"\(y)\" r=\"8\"/>"
                + "<path d=\"M\(mark.at - 4) \(y - 4)l8 8m0-8l-8 8\"/></g>"
        }
    }

    private static func title(_ tip: String) -> String {
        tip.isEmpty ? "" : "<title>\(escaped(tip.trimmingNewlines))</title>"
    }

    private static func className(_ state: AppState) -> String {
        switch state {
        case .notRunning: "not-running"
        case .inactive, .active, .background, .suspended: state.rawValue
        }
    }

    /// Escapes a text for HTML.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension String {
    fileprivate var trimmingNewlines: String { String(drop { $0 == "\n" }) }
}
