import Foundation

/// The target of a measurement.
enum Target {
    /// The largest ratio of the measured value to the yardstick.
    case ratioAtMost(Double)
    /// The smallest ratio of the measured value to the yardstick.
    case ratioAtLeast(Double)
    /// The largest measured value.
    case atMost(Double)

    func isMet(measured: Double, ratio: Double?) -> Bool? {
        switch self {
        case .ratioAtMost(let most): ratio.map { $0 <= most }
        case .ratioAtLeast(let least): ratio.map { $0 >= least }
        case .atMost(let most): measured <= most
        }
    }

    func text(unit: String) -> String {
        switch self {
        case .ratioAtMost(let most): "≤ \(Report.number(most)) ×"
        case .ratioAtLeast(let least): "≥ \(Report.number(least)) ×"
        case .atMost(let most): "≤ \(Report.number(most)) \(unit)"
        }
    }
}

/// A result with its yardstick: the medians of the rounds, and the median of their ratios.
struct Measurement: Encodable {
    let what: String
    let unit: String
    let measured: Double
    let yardstick: Double?
    let yardstickName: String?
    let ratio: Double?
    let target: String?
    let isMet: Bool?
    /// The pair of values of each round; only one value if there is no yardstick.
    let rounds: [[Double]]

    /// From rounds in which the measured program and the yardstick took turns.
    init(
        _ what: String, unit: String, rounds: [(measured: Double, yardstick: Double)], against name: String,
        target: Target? = nil
    ) {
        self.what = what
        self.unit = unit
        self.rounds = rounds.map { [$0.measured, $0.yardstick] }
        let ratio = Report.median(rounds.map { $0.measured / $0.yardstick })
        measured = Report.median(rounds.map(\.measured))
        yardstick = Report.median(rounds.map(\.yardstick))
        yardstickName = name
        self.ratio = ratio.isFinite ? ratio : nil
        self.target = target?.text(unit: unit)
        isMet = target.flatMap { $0.isMet(measured: Report.median(rounds.map(\.measured)), ratio: ratio) }
    }

    /// From rounds without a yardstick.
    init(_ what: String, unit: String, rounds: [Double], target: Target? = nil) {
        self.what = what
        self.unit = unit
        self.rounds = rounds.map { [$0] }
        let median = Report.median(rounds)
        measured = median
        (yardstick, yardstickName, ratio) = (nil, nil, nil)
        self.target = target?.text(unit: unit)
        isMet = target.flatMap { $0.isMet(measured: median, ratio: nil) }
    }
}

enum Report {
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The number with three significant digits, or with all digits of its integer part.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let digits = value == value.rounded() ? 0 : abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
        return String(format: "%.\(digits)f", value)
    }

    static func table(_ measurements: [Measurement]) -> String {
        var rows = [["", "measured", "yardstick", "ratio", "target", ""]]
        for line in measurements {
            rows.append([
                line.what, "\(number(line.measured)) \(line.unit)",
                line.yardstick.map { "\(number($0)) (\(line.yardstickName ?? ""))" } ?? "-",
                line.ratio.map(number) ?? "-", line.target ?? "-", line.isMet.map { $0 ? "ok" : "MISSED" } ?? "",
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func write(_ measurements: [Measurement], as name: String, to directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try encoder.encode(measurements).write(to: URL(fileURLWithPath: "\(directory)/\(name).json"))
    }
}
