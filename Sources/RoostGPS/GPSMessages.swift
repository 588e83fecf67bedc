package import LifeCycleModel
package import RoostHelpers

/// The only message from the supervisor to `roost-gps`: where gpsd is.
package struct GPSSettings: Hashable, Sendable {
    /// A host name, or an IP address without brackets.
    package var host: String
    package var port: UInt16
    /// The uid and gid of the process; nil for the system's own.
    package var user: UInt32?

    /// The longest message, in bytes.
    package static let longest = 512

    package init(host: String, port: UInt16, user: UInt32? = nil) {
        (self.host, self.port, self.user) = (host, port, user)
    }

    /// The message, preceded by its length.
    package var frame: [UInt8] {
        Packer.frame { packer in
            packer.put(host)
            packer.put(port)
            packer.put(user) { $0.put($1) }
        }
    }

    package init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var unpacker = Unpacker(bytes)
        self.init(host: try unpacker.text(most: GPSDAddress.longestHost), port: try unpacker.number())
        user = try unpacker.optional { reader throws(Malformed) in try reader.number() }
        guard unpacker.isAtEnd else { throw Malformed() }
    }
}

/// A message from `roost-gps` to the supervisor.
package enum GPSWord: Hashable, Sendable {
    /// The receiver has a new position. Its time is not sent.
    case position(LocationFix)
    /// The process cannot go on, for this reason, and exits.
    case gaveUp(String)

    /// The longest reason, in bytes.
    package static let longestReason = 800
    /// The longest message, in bytes.
    package static let longest = 1024

    /// The message, preceded by its length. A reason that is too long is shortened.
    package var frame: [UInt8] {
        Packer.frame { packer in
            switch self {
            case .position(let fix):
                packer.put(UInt8(0))
                packer.put(fix.latitude)
                packer.put(fix.longitude)
                packer.put(fix.accuracy)
                packer.put(fix.altitude) { packer, altitude in
                    packer.put(altitude.height)
                    packer.put(altitude.accuracy)
                }
                packer.put(fix.speed) { $0.put($1) }
                packer.put(fix.course) { $0.put($1) }
            case .gaveUp(let reason):
                packer.put(UInt8(1))
                packer.put(reason.prefix(bytes: Self.longestReason))
            }
        }
    }

    /// Throws if a position is out of range.
    package init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var unpacker = Unpacker(bytes)
        switch try unpacker.number(UInt8.self) {
        case 0:
            self = .position(try LocationFix(from: &unpacker))
        case 1: self = .gaveUp(try unpacker.text(most: Self.longestReason))
        default: throw Malformed()
        }
        guard unpacker.isAtEnd else { throw Malformed() }
    }
}

extension LocationFix {
    /// Throws if a number is out of range.
    fileprivate init(from unpacker: inout Unpacker) throws(Malformed) {
        let fix = Self(
            latitude: try unpacker.number(), longitude: try unpacker.number(), accuracy: try unpacker.number(),
            time: .zero, altitude: try unpacker.optional { reader throws(Malformed) in try Altitude(from: &reader) },
            speed: try unpacker.optional { reader throws(Malformed) in try reader.number() },
            course: try unpacker.optional { reader throws(Malformed) in try reader.number() })
        guard let fix else { throw Malformed() }
        self = fix
    }
}

extension LocationFix.Altitude {
    fileprivate init(from unpacker: inout Unpacker) throws(Malformed) {
        guard let altitude = Self(height: try unpacker.number(), accuracy: try unpacker.number()) else {
            throw Malformed()
        }
        self = altitude
    }
}
