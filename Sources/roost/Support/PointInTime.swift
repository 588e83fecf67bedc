import ArgumentParser
import LifeCycleModel
import RoostRuntime

/// A point in time as users write it: a time ago, or a time of day in UTC, as `roost why` prints it.
struct PointInTime: ExpressibleByArgument {
    /// Nanoseconds since 1970.
    let wall: Nanoseconds

    init?(argument: String) { self.init(argument, now: Moment.now.wall) }

    /// Nil if the text has neither form. A time of day that is still in the future today means yesterday.
    init?(_ text: String, now: Nanoseconds) {
        if let length = Nanoseconds(parsing: text) {
            wall = now - length
            return
        }
        if text.hasSuffix("h"), let length = Nanoseconds(parsing: text.dropLast() + "m") {
            wall = now - Nanoseconds(length.rawValue &* 60)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            let second = parts.count == 3 ? parts[2] : 0, (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<60).contains(second)
        else { return nil }
        let day = Nanoseconds.seconds(86_400).rawValue
        let today = Nanoseconds(now.rawValue / day * day)
        let time = today + .seconds((hour * 60 + minute) * 60 + second)
        wall = time <= now ? time : time - Nanoseconds(day)
    }
}
