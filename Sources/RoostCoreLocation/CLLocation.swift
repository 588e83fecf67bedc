public import Foundation
import LifeCycleModel

/// A position of the device, at a time.
///
/// If the system does not know the altitude, the speed or the course of a position, `verticalAccuracy`, `speed` or
/// `course` is -1, which means invalid; such an altitude is 0.
public final class CLLocation: NSObject, NSCopying, Sendable {
    /// The point on the earth.
    public let coordinate: CLLocationCoordinate2D
    /// In meters above mean sea level.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty in meters; negative if the coordinate is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// In meters; negative if the altitude is invalid.
    public let verticalAccuracy: CLLocationAccuracy
    /// In degrees clockwise from north; negative if it is invalid.
    public let course: CLLocationDirection
    /// In meters per second; negative if it is invalid.
    public let speed: CLLocationSpeed
    /// The time at which the device was there.
    public let timestamp: Date

    /// Creates a location from all its values.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// Creates a location without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Creates a location at the present time, without altitude, course and speed.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    convenience init(_ fix: LocationFix) {
        let degree = Double(LocationFix.degree)
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: Double(fix.latitude) / degree, longitude: Double(fix.longitude) / degree),
            altitude: Double(fix.altitude?.height ?? 0) / 100, horizontalAccuracy: Double(fix.accuracy) / 100,
            verticalAccuracy: fix.altitude.map { Double($0.accuracy) / 100 } ?? -1,
            course: fix.course.map { Double($0) / 100 } ?? -1, speed: fix.speed.map { Double($0) / 100 } ?? -1,
            timestamp: Date(timeIntervalSince1970: Double(fix.time.rawValue) / 1e9))
    }

    /// Locations are immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The distance along the earth's surface in meters, on a sphere. It differs from WGS 84 by at most 0.6 %.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let (a, b) = (coordinate, location.coordinate)
        let (north, east) = (radians(b.latitude - a.latitude), radians(b.longitude - a.longitude))
        let (sineNorth, sineEast) = (sin(north / 2), sin(east / 2))
        let part = sineNorth * sineNorth + cos(radians(a.latitude)) * cos(radians(b.latitude)) * sineEast * sineEast
        return 2 * 6_371_008.8 * asin(min(1, part.squareRoot()))
    }

    private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    public override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m @ \(timestamp)"
    }
}

/// A point on the earth, in degrees.
public struct CLLocationCoordinate2D: Sendable {
    /// Positive in the north.
    public var latitude: CLLocationDegrees
    /// Positive in the east.
    public var longitude: CLLocationDegrees

    /// Creates the point at latitude 0 and longitude 0.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Creates a point.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A coordinate of these numbers.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a coordinate is on the earth.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// A coordinate that is not on the earth.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// An angle in degrees.
public typealias CLLocationDegrees = Double
/// In meters.
public typealias CLLocationDistance = Double
/// In meters.
public typealias CLLocationAccuracy = Double
/// In meters per second.
public typealias CLLocationSpeed = Double
/// In degrees.
public typealias CLLocationDirection = Double

/// A `distanceFilter` that lets every update through.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The best accuracy, with further sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Ten meters.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A hundred meters.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A kilometer.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Three kilometers.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
