public import Foundation
import LifeCycleModel

/// A part of the earth that an app monitors: a `CLCircularRegion`.
open class CLRegion: NSObject, NSCopying {
    /// The app's own name of the region, at most 1,024 bytes. A region of the same name replaces another.
    public let identifier: String
    /// Whether the app is told that the device has entered the region, from the start of the monitoring on.
    open var notifyOnEntry = true
    /// The same for leaving it.
    open var notifyOnExit = true

    fileprivate init(identifier: String) { self.identifier = identifier }

    /// A region of the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(identifier: identifier)
        (copy.notifyOnEntry, copy.notifyOnExit) = (notifyOnEntry, notifyOnExit)
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CLRegion)?.identifier == identifier }
    open override var hash: Int { identifier.hashValue }
}

/// A circle on the earth.
open class CLCircularRegion: CLRegion {
    /// The center.
    public let center: CLLocationCoordinate2D
    /// The radius in meters. A region of less than 100 m is monitored as one of 100 m.
    public let radius: CLLocationDistance

    /// Creates a region. `startMonitoring(for:)` fails if it is not on the earth, or if its radius is not above zero and
    /// at most `maximumRegionMonitoringDistance`.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    convenience init(_ region: LocationRegion) {
        let degree = Double(LocationFix.degree)
        self.init(
            center: CLLocationCoordinate2D(
                latitude: Double(region.latitude) / degree, longitude: Double(region.longitude) / degree),
            radius: Double(region.radius) / 100, identifier: region.identifier)
        (notifyOnEntry, notifyOnExit) = (region.notifiesOnEntry, region.notifiesOnExit)
    }

    /// Nil if the region cannot be monitored.
    var monitorable: LocationRegion? {
        let degree = Double(LocationFix.degree)
        guard let north = Int32(exactly: (center.latitude * degree).rounded()),
            let east = Int32(exactly: (center.longitude * degree).rounded()),
            let centimeters = Int64(exactly: (radius * 100).rounded(.up))
        else { return nil }
        return LocationRegion(
            identifier: identifier, latitude: north, longitude: east, radius: centimeters,
            notifiesOnEntry: notifyOnEntry, notifiesOnExit: notifyOnExit)
    }

    /// Whether a coordinate is in the region.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        let here = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
        return CLLocation(latitude: center.latitude, longitude: center.longitude).distance(from: here) <= radius
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
        (copy.notifyOnEntry, copy.notifyOnExit) = (notifyOnEntry, notifyOnExit)
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLCircularRegion, super.isEqual(other) else { return false }
        return radius == other.radius && center.latitude == other.center.latitude
            && center.longitude == other.center.longitude
    }

    open override var description: String {
        "CLCircularRegion (identifier:'\(identifier)', center:<\(center.latitude),\(center.longitude)>, "
            + "radius:\(radius)m)"
    }
}

/// The place of the device, seen from a region; raw values are Apple's.
public enum CLRegionState: Int, Sendable {
    case unknown = 0
    case inside = 1
    case outside = 2
}

extension CLRegionState {
    init(isInside: Bool?) { self = isInside.map { $0 ? .inside : .outside } ?? .unknown }
}
