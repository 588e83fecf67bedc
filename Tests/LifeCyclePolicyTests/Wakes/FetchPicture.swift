import LifeCycleModel

/// One day of a month of apps that fetch, as SVG. Each app has a row, and each time that the device is awake has a
/// column.
struct FetchPicture {
    let text: String

    private static let (left, width, row) = (16, 960, 5)
    private static let day: Int64 = 86_400

    /// Whether the time is in the third day, after all first fetches.
    private static func isShown(_ time: Nanoseconds) -> Bool { (2 * day..<3 * day).contains(seconds(of: time)) }

    private static func seconds(of time: Nanoseconds) -> Int64 { time.rawValue / 1_000_000_000 }

    private static func x(_ time: Nanoseconds) -> Int {
        left + Int((seconds(of: time) - 2 * day) * Int64(width) / day)
    }

    init(_ month: FetchMonth) {
        let apps = (1...FetchMonth.count).map { app($0) }.sorted {
            (month.interval(of: $0), $0) < (month.interval(of: $1), $1)
        }
        let own = apps.map(month.ownTimes(of:))
        let turns = apps.map { month.turns[$0] ?? [] }
        let (before, after) = (own.map(\.count).reduce(0, +), month.wakeUps.count)
        let height = Self.row * apps.count
        let first = Self.panel(
            at: 0, "A timer of each app's own: \(before) wake-ups in the month", own, wakeUps: own.flatMap(\.self),
            color: "#b4472f")
        let second = Self.panel(
            at: height + 76, "Turns that come together: \(after) wake-ups, \(turns.map(\.count).reduce(0, +)) fetches",
            turns, wakeUps: month.wakeUps, color: "#1f6f8b")
        let hours = stride(from: 0, through: 24, by: 3).map { hour in
            let x = Self.left + hour * Self.width / 24
            return "<text x=\"\(x)\" y=\"\(2 * height + 164)\" text-anchor=\"middle\">\(hour) h</text>"
        }
        text =
            ([
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 992 \(2 * height + 180)\" "
                    + "font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\">",
                "<title>Thirty apps that fetch every 15 to 240 minutes: the third day of a simulated month</title>",
                "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
            ] + first + second + hours + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// A title, a strip with every wake-up of the device, and a row for each app.
    private static func panel(
        at top: Int, _ title: String, _ rows: [[Nanoseconds]], wakeUps: [Nanoseconds], color: String
    ) -> [String] {
        var fetches = ""
        for (index, times) in rows.enumerated() {
            for time in times where isShown(time) { fetches += "M\(x(time)) \(top + 62 + index * row)v\(row - 1)" }
        }
        // Wake-ups at the same place are drawn once.
        let places = Set(wakeUps.filter(isShown).map(x)).sorted()
        let strip = places.map { "M\($0) \(top + 34)v18" }.joined()
        return [
            "<text x=\"\(left)\" y=\"\(top + 24)\" font-weight=\"bold\">\(title)</text>",
            "<path d=\"\(strip)\" stroke=\"\(color)\"/>",
            "<path d=\"\(fetches)\" stroke=\"\(color)\" stroke-width=\"2\" opacity=\"0.75\"/>",
        ]
    }
}
