/// A circle on the earth that an app monitors: `CLCircularRegion`.
public struct LocationRegion: Hashable, Sendable, Codable {
    /// The app's own name of the region, unique in the app.
    public let identifier: String
    /// The latitude of the center in 1e-7 degree.
    public let latitude: Int32
    /// The longitude of the center in 1e-7 degree.
    public let longitude: Int32
    /// The radius in centimetres.
    public let radius: Int64
    /// Whether the app is told that the device has entered the region.
    public let notifiesOnEntry: Bool
    /// Whether the app is told that the device has left the region.
    public let notifiesOnExit: Bool

    /// The most regions of an app.
    public static let most = 20
    /// The longest identifier, in bytes.
    public static let longestIdentifier = 1024
    /// The largest radius in centimetres: `maximumRegionMonitoringDistance`.
    public static let longestRadius: Int64 = 10_000_000

    /// Nil if the center is not on the earth, the radius is not from 1 cm to `longestRadius`, or the identifier is too
    /// long.
    public init?(
        identifier: String, latitude: Int32, longitude: Int32, radius: Int64, notifiesOnEntry: Bool = true,
        notifiesOnExit: Bool = true
    ) {
        guard LocationFix(latitude: latitude, longitude: longitude, accuracy: 0, time: .zero) != nil,
            (1...Self.longestRadius).contains(radius), identifier.utf8.count <= Self.longestIdentifier
        else { return nil }
        (self.identifier, self.latitude, self.longitude, self.radius) = (identifier, latitude, longitude, radius)
        (self.notifiesOnEntry, self.notifiesOnExit) = (notifiesOnEntry, notifiesOnExit)
    }

    private enum CodingKeys: CodingKey { case identifier, latitude, longitude, radius, notifiesOnEntry, notifiesOnExit }

    /// Throws if a value is outside its range.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let region = Self(
            identifier: try values.decode(String.self, forKey: .identifier),
            latitude: try values.decode(Int32.self, forKey: .latitude),
            longitude: try values.decode(Int32.self, forKey: .longitude),
            radius: try values.decode(Int64.self, forKey: .radius),
            notifiesOnEntry: try values.decode(Bool.self, forKey: .notifiesOnEntry),
            notifiesOnExit: try values.decode(Bool.self, forKey: .notifiesOnExit))
        guard let region else {
            throw DecodingError.dataCorruptedError(
                forKey: .radius, in: values, debugDescription: "the region cannot be monitored")
        }
        self = region
    }

    /// The distance of a position from the center, in centimetres.
    package func distance(to fix: LocationFix) -> Int64 {
        LocationFix(latitude: latitude, longitude: longitude, accuracy: 0, time: .zero)?.distance(to: fix) ?? .max
    }
}

/// A region of an app, and where the device is.
public struct MonitoredRegion: Hashable, Sendable, Codable {
    /// The region.
    public let region: LocationRegion
    /// Whether the device is inside, by the last crossing; nil if no position was known yet.
    public var isInside: Bool?

    /// A region whose state is not known, or is this one.
    public init(_ region: LocationRegion, isInside: Bool? = nil) { (self.region, self.isInside) = (region, isInside) }
}

/// The answer to `requestState(for:)`: whether the device is in a region; nil if that is not known.
public struct LocationRegionState: Hashable, Sendable, Codable {
    /// The region's identifier.
    public let region: String
    /// Whether the device is inside; nil if that is not known.
    public let isInside: Bool?

    /// The state of a region.
    public init(region: String, isInside: Bool?) { (self.region, self.isInside) = (region, isInside) }
}
