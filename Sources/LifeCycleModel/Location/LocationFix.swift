/// A position of the device, at a time.
public struct LocationFix: Hashable, Sendable, Codable {
    /// The latitude in 1e-7 degree, from −90 to 90 degrees; positive in the north.
    public let latitude: Int32
    /// The longitude in 1e-7 degree, from −180 to 180 degrees; positive in the east.
    public let longitude: Int32
    /// The radius of horizontal uncertainty in centimetres, from 0 to 10,000 km.
    public let accuracy: Int32
    /// The time of the fix, on the wall clock.
    public let time: Nanoseconds
    /// The height of the device; nil if it is not known.
    public let altitude: Altitude?
    /// The speed in centimetres per second, from 0 to 100 km/s; nil if it is not known.
    public let speed: Int32?
    /// The direction of the movement in hundredths of a degree clockwise from true north, from 0 up to and without
    /// 36,000; nil if it is not known.
    public let course: Int32?

    /// A height above mean sea level.
    public struct Altitude: Hashable, Sendable, Codable {
        /// In centimetres, from −100 to 1,000 km.
        public let height: Int32
        /// The uncertainty in centimetres, from 0 to 10,000 km.
        public let accuracy: Int32

        /// The range of `height`.
        public static let heights: ClosedRange<Int32> = -10_000_000...100_000_000

        /// Nil if a number is outside its range.
        public init?(height: Int32, accuracy: Int32) {
            guard Self.heights.contains(height), (0...LocationFix.leastAccurate).contains(accuracy) else { return nil }
            (self.height, self.accuracy) = (height, accuracy)
        }

        /// Throws if a number is outside its range.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let altitude = Self(
                height: try values.decode(Int32.self, forKey: .height),
                accuracy: try values.decode(Int32.self, forKey: .accuracy))
            guard let altitude else {
                throw DecodingError.dataCorruptedError(
                    forKey: .height, in: values, debugDescription: "the altitude is out of range")
            }
            self = altitude
        }

        private enum CodingKeys: CodingKey { case height, accuracy }
    }

    /// The range of `speed`.
    public static let speeds: ClosedRange<Int32> = 0...10_000_000
    /// The range of `course`.
    public static let courses: ClosedRange<Int32> = 0...35_999
    /// The units of `latitude` and `longitude` in a degree.
    public static let degree: Int32 = 10_000_000
    /// The largest `accuracy`.
    public static let leastAccurate: Int32 = 1_000_000_000

    /// Nil if a number is outside its range.
    public init?(
        latitude: Int32, longitude: Int32, accuracy: Int32, time: Nanoseconds, altitude: Altitude? = nil,
        speed: Int32? = nil, course: Int32? = nil
    ) {
        guard abs(Int64(latitude)) <= 90 * Int64(Self.degree), abs(Int64(longitude)) <= 180 * Int64(Self.degree),
            (0...Self.leastAccurate).contains(accuracy), speed.map(Self.speeds.contains) ?? true,
            course.map(Self.courses.contains) ?? true
        else { return nil }
        (self.latitude, self.longitude, self.accuracy, self.time) = (latitude, longitude, accuracy, time)
        (self.altitude, self.speed, self.course) = (altitude, speed, course)
    }

    /// The same position at another time.
    package func at(_ time: Nanoseconds) -> LocationFix {
        LocationFix(
            latitude: latitude, longitude: longitude, accuracy: accuracy, time: time, altitude: altitude, speed: speed,
            course: course) ?? self
    }

    private enum CodingKeys: CodingKey { case latitude, longitude, accuracy, time, altitude, speed, course }

    /// Throws if a number is outside its range.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let fix = Self(
            latitude: try values.decode(Int32.self, forKey: .latitude),
            longitude: try values.decode(Int32.self, forKey: .longitude),
            accuracy: try values.decode(Int32.self, forKey: .accuracy),
            time: try values.decode(Nanoseconds.self, forKey: .time),
            altitude: try values.decodeIfPresent(Altitude.self, forKey: .altitude),
            speed: try values.decodeIfPresent(Int32.self, forKey: .speed),
            course: try values.decodeIfPresent(Int32.self, forKey: .course))
        guard let fix else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: values, debugDescription: "the position is not on the earth")
        }
        self = fix
    }

    /// The distance to another position along the earth's surface, in centimetres.
    ///
    /// The earth is a sphere here, which differs from WGS 84 by at most 0.6 %. Up to 100 km, the arithmetic adds less
    /// than 5 cm. The sum stays within 0.6 % up to 4,000 km. Farther away the distance is too short, by up to 26 % for
    /// opposite points of the earth.
    public func distance(to other: LocationFix) -> Int64 {
        let (from, to) = (point, other.point)
        let (x, y, z) = (from.x - to.x, from.y - to.y, from.z - to.z)
        let chord = Self.root(x * x + y * y + z * z)
        // The arc is longer than its chord by about c³/24R².
        let cube = Int128(chord) * Int128(chord) * Int128(chord)
        return chord + Int64(cube / (24 * Int128(Self.radius) * Int128(Self.radius)))
    }

    /// The mean radius of the earth in centimetres.
    private static let radius: Int64 = 637_100_880

    /// The point on the sphere, in centimetres from its center.
    private var point: (x: Int64, y: Int64, z: Int64) {
        let (north, east) = (Int64(latitude), Int64(longitude))
        let fromAxis = Self.scaled(FixedSine.cosine(north))
        return (
            Self.times(fromAxis, FixedSine.cosine(east)), Self.times(fromAxis, FixedSine.sine(east)),
            Self.rounded(Self.scaled(FixedSine.sine(north)))
        )
    }

    /// The radius times a fixed-point number, with 20 more binary digits than a centimetre has.
    private static func scaled(_ number: Int64) -> Int64 { Int64((Int128(radius << 20) * Int128(number)) >> 60) }
    private static func times(_ length: Int64, _ number: Int64) -> Int64 {
        rounded(Int64((Int128(length) * Int128(number)) >> 60))
    }
    private static func rounded(_ length: Int64) -> Int64 { (length + 1 << 19) >> 20 }

    /// The largest whole number whose square is at most `square`.
    private static func root(_ square: Int64) -> Int64 {
        var (low, high): (Int64, Int64) = (0, 2_000_000_000)
        while low < high {
            let middle = (low + high + 1) / 2
            if middle * middle <= square { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
