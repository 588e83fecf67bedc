import ArgumentParser
import FoundationEssentials
import LifeCycleModel
import RoostWire

/// The output format of decisions.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    /// Prints decisions. Without decisions, the text output is `nothing`.
    func print(_ lines: [DecisionLine], orElse nothing: String? = nil) throws {
        if json {
            Swift.print(try Output.json(lines))
        } else if let text = lines.isEmpty ? nothing : Output.lines(lines) {
            Swift.print(text)
        }
    }
}

/// Formatting of commands' output.
enum Output {
    /// A value as JSON over several lines, with sorted keys.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// A value as JSON on one line, with sorted keys.
    static func jsonLine(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decisions, a line each: the time of day in UTC, the app, the text.
    static func lines(_ decisions: [DecisionLine]) -> String {
        decisions.map { "\(time($0.time))  \($0.app.map { "\($0)  " } ?? "")\(visible($0.text))" }
            .joined(separator: "\n")
    }

    private static func widths(of rows: [[String]]) -> [Int] {
        (rows.first ?? []).indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    }

    /// The number of terminal columns for a table of these rows.
    static func width(of rows: [[String]]) -> Int {
        let widths = widths(of: rows)
        return widths.reduce(0, +) + 2 * max(0, widths.count - 1)
    }

    /// A table whose columns are as wide as their widest cell.
    static func table(_ rows: [[String]]) -> String {
        let widths = widths(of: rows)
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.displayWidth + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    /// The time of day to the millisecond, in UTC.
    static func time(_ wall: Nanoseconds) -> String {
        let milliseconds = wall.rawValue / 1_000_000
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1000 % 86_400
        return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":" + digits(seconds % 60, 2) + "."
            + digits(milliseconds % 1000, 3)
    }

    /// Text from an app with control characters made visible: a name may have any Unicode, even newlines.
    static func visible(_ text: String) -> String { text.visible }
}
