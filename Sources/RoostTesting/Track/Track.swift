import Foundation
import LifeCycleModel

/// A way as a series of points, in the order in which the device reaches them.
struct Track: Equatable {
    /// A point of the way.
    struct Point: Equatable {
        /// In degrees, from −90 to 90.
        var latitude: Double
        /// In degrees, from −180 to 180.
        var longitude: Double
        /// In meters above mean sea level; nil if it is not known.
        var altitude: Double?
        /// The time of the point in seconds since 1970; nil if it is not known.
        var time: Double?
    }

    /// A place of the device, at a time.
    struct Position: Equatable {
        var latitude: Double
        var longitude: Double
        /// In meters above mean sea level; nil if it is not known.
        var altitude: Double?
        /// In meters per second; nil if it is not known.
        var speed: Double?
        /// In degrees clockwise from north, from 0 up to and without 360; nil if it is not known.
        var course: Double?
        /// Seconds from the beginning of the track.
        var time = 0.0
    }

    let points: [Point]

    /// The most points of a track, and the longest time on it in seconds.
    static let most = 1_000_000
    /// The highest speed in meters per second.
    static let fastest = Double(LocationFix.speeds.upperBound) / 100

    /// The length in meters, on a sphere.
    var length: Double { zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) } }

    /// The seconds that the device takes at a speed in meters per second; by the times of the points if it is nil.
    func duration(speed: Double?) -> Double {
        if let speed { return length / speed }
        return (points.last?.time ?? 0) - (points.first?.time ?? 0)
    }

    /// A position for each second, and the last point. Between two points the device moves along the line at a constant
    /// speed.
    func positions(speed: Double?) -> [Position] {
        guard var from = points.first else { return [] }
        // The time when the device reaches `from`.
        var reached = 0.0
        var positions: [Position] = []
        for to in points.dropFirst() {
            let length = from.distance(to: to)
            let duration = speed.map { length / $0 } ?? (to.time ?? 0) - (from.time ?? 0)
            let course = length > 0 ? from.course(to: to) : nil
            let pace = length / duration
            while Double(positions.count) < reached + duration {
                let time = Double(positions.count)
                let place = from.point(at: (time - reached) / duration, of: to)
                positions.append(
                    Position(
                        latitude: place.latitude, longitude: place.longitude, altitude: place.altitude,
                        speed: pace <= Self.fastest ? pace : nil, course: course, time: time))
            }
            (from, reached) = (to, reached + duration)
        }
        positions.append(
            Position(
                latitude: from.latitude, longitude: from.longitude, altitude: from.altitude, speed: 0, time: reached))
        return positions
    }
}

extension Track.Point {
    private var north: Double { latitude * .pi / 180 }

    /// The way to the east in degrees, from −180 to 180.
    private func east(to other: Self) -> Double { (other.longitude - longitude).remainder(dividingBy: 360) }

    /// In meters.
    func distance(to other: Self) -> Double {
        let (north, east) = (other.north - self.north, east(to: other) * .pi / 180)
        let (a, b) = (sin(north / 2), sin(east / 2))
        return 2 * 6_371_008.8 * asin(min(1, (a * a + cos(self.north) * cos(other.north) * b * b).squareRoot()))
    }

    /// The direction at this point in degrees clockwise from north.
    func course(to other: Self) -> Double {
        let east = east(to: other) * .pi / 180
        let angle = atan2(
            sin(east) * cos(other.north), cos(north) * sin(other.north) - sin(north) * cos(other.north) * cos(east))
        return angle < 0 ? (angle + 2 * .pi) * 180 / .pi : angle * 180 / .pi
    }

    /// The point at this part of the line to another one.
    fileprivate func point(at part: Double, of other: Self) -> Self {
        func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * part }
        return Self(
            latitude: between(latitude, other.latitude),
            longitude: (longitude + east(to: other) * part).remainder(dividingBy: 360),
            altitude: altitude.flatMap { from in other.altitude.map { between(from, $0) } })
    }
}
