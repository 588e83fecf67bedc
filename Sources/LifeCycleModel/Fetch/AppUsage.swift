/// The hours of the day in which the user opens an app.
public struct AppUsage: Hashable, Sendable, Codable {
    /// The number of openings in each hour of the day, as the device's clocks show it, from midnight on: 24 numbers.
    /// Old openings count less.
    public private(set) var hours: [Int32]
    /// The hour of the last opening, counted from the beginning of 1970 on the device's clocks.
    public private(set) var newest: Int64

    /// The usage of an app that was never opened.
    public init() {
        hours = Array(repeating: 0, count: Self.hoursOfDay)
        newest = .min
    }

    /// Nil unless there are 24 numbers from 0 to 60.
    public init?(hours: [Int32], newest: Int64) {
        guard hours.count == Self.hoursOfDay, hours.allSatisfy({ (0...Self.most).contains($0) }) else { return nil }
        self.hours = hours
        self.newest = newest
    }

    private enum CodingKeys: CodingKey { case hours, newest }

    /// Reads `hours` and `newest`. Throws if they are not a valid usage.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let hours = try values.decode([Int32].self, forKey: .hours)
        guard let usage = Self(hours: hours, newest: try values.decode(Int64.self, forKey: .newest)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .hours, in: values, debugDescription: "a day has 24 hours, each with 0 to \(Self.most)")
        }
        self = usage
    }

    private static let hoursOfDay = 24
    /// The most openings that are counted. Beyond that number, all counts are halved.
    private static let most: Int32 = 60
    /// The number of openings that make an hour a habit, if they are also a sixth of all.
    private static let habit: Int32 = 3

    /// The user opened the app in this hour, counted as `newest`. Several openings in one hour count once.
    public mutating func opened(inHour hour: Int64) {
        guard hour != newest else { return }
        newest = hour
        hours[Self.ofDay(hour)] += 1
        if hours.reduce(0, +) > Self.most { for index in hours.indices { hours[index] /= 2 } }
    }

    /// The first hour of the range, counted as `newest`, that is a habit; nil if there is none.
    public func habit(in range: ClosedRange<Int64>) -> Int64? {
        let all = hours.reduce(0, +)
        // The hours repeat after a day.
        let last = min(range.upperBound, range.lowerBound.addingReportingOverflow(23).partialValue)
        return (range.lowerBound...max(range.lowerBound, last)).first { hour in
            let count = hours[Self.ofDay(hour)]
            return count >= Self.habit && count * 6 >= all
        }
    }

    private static func ofDay(_ hour: Int64) -> Int {
        let rest = hour % Int64(hoursOfDay)
        return Int(rest < 0 ? rest + Int64(hoursOfDay) : rest)
    }
}
