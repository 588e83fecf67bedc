import Foundation
import Testing

@testable import LifeCycleModel

extension Trait where Self == ConditionTrait {
    /// For tests against a well-known library of geodesics.
    static var whereGeographicLibIs: Self {
        .enabled("there is no python3-geographiclib: scripts/test installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || Geodesics.isInstalled
        }
    }
}

/// Distances between positions, in comparison with WGS 84.
@Suite struct LocationDistanceTests {
    /// Near and far positions, the poles, the date line and the equator.
    @Test(.whereGeographicLibIs) func distancesAreThoseOfWGS84() throws {
        var random = Seeded(state: 1)
        let pairs = (0..<6000).map { _ in Self.pair(&random) }
        let distances = try Geodesics.distances(of: pairs)
        var largest = 0.0
        for ((from, to), exact) in zip(pairs, distances) {
            let distance = Double(from.distance(to: to))
            #expect(from.distance(to: to) == to.distance(to: from))
            if exact <= 10_000_000 {
                #expect(abs(distance - exact) <= exact * 0.006 + 5, "\(from), \(to): \(distance), not \(exact)")
                if exact > 10_000 { largest = max(largest, abs(distance / exact - 1)) }
            } else if exact <= 400_000_000 {
                #expect(abs(distance - exact) <= exact * 0.006, "\(from), \(to): \(distance), not \(exact)")
            } else {
                #expect(distance <= exact * 1.006, "\(from), \(to): \(distance), not \(exact)")
                #expect(distance >= exact * 0.74, "\(from), \(to): \(distance), not \(exact)")
            }
        }
        #expect(largest > 0.0055, "the bound is no larger than it needs to be")
    }

    /// Opposite points of the earth. The earth's flattening makes their distances nearly equal.
    @Test(.whereGeographicLibIs) func oppositePointsAreTooNear() throws {
        var random = Seeded(state: 2)
        let pairs = (0..<200).map { _ in
            let from = Self.fix(random.next(in: -900_000_000...900_000_000), random.next(in: -1_800_000_000...0))
            return (from, Self.fix(-Int64(from.latitude), Int64(from.longitude) + 1_800_000_000))
        }
        for ((from, to), exact) in zip(pairs, try Geodesics.distances(of: pairs)) {
            let distance = from.distance(to: to)
            #expect((1_486_568_715...1_486_568_725).contains(distance), "7/3 of the radius: \(distance)")
            #expect((0.74...0.75).contains(Double(distance) / exact))
        }
    }

    /// Against the arc of the same sphere, computed with floating-point numbers.
    @Test func theArithmeticAddsLessThanFiveCentimetres() {
        var random = Seeded(state: 3)
        for _ in 0..<20_000 {
            let (from, to) = Self.pair(&random)
            let arc = Self.arc(from, to)
            if arc <= 10_000_000 {
                #expect(abs(Double(from.distance(to: to)) - arc) < 5, "\(from), \(to)")
            }
        }
    }

    @Test func aPositionIsNowhereElse() {
        var random = Seeded(state: 4)
        for _ in 0..<1000 {
            let fix = Self.pair(&random).0
            #expect(fix.distance(to: fix) == 0)
        }
        for pole in [-900_000_000, 900_000_000] as [Int64] {
            #expect(Self.fix(pole, 0).distance(to: Self.fix(pole, 1_234_567_890)) == 0, "a pole has all longitudes")
        }
        for latitude in [-899_999_999, -450_000_000, 0, 7, 450_000_000] as [Int64] {
            #expect(Self.fix(latitude, 1_800_000_000).distance(to: Self.fix(latitude, -1_800_000_000)) == 0)
        }
        #expect(Self.fix(0, 0).distance(to: Self.fix(44_966, 0)) == 50_000, "500 m")
        #expect(Self.fix(0, 0).distance(to: Self.fix(44_965, 0)) == 49_999)
    }

    // MARK: FixedSine

    @Test func sinesAreExact() {
        var random = Seeded(state: 5)
        let whole = (-360...360).map { Int64($0) * 10_000_000 }
        let special = whole.flatMap { [$0 - 1, $0, $0 + 1] }.filter { abs($0) <= 3_600_000_000 }
        let drawn = (0..<20_000).map { _ in random.next(in: -3_600_000_000...3_600_000_000) }
        for angle in special + drawn {
            let radians = Double(angle % 3_600_000_000) * .pi / 1_800_000_000
            #expect(abs(Double(FixedSine.sine(angle)) / Double(FixedSine.one) - sin(radians)) < 5e-14, "\(angle)")
        }
        for angle in drawn where abs(angle) <= 2_700_000_000 {
            let radians = Double(angle) * .pi / 1_800_000_000
            #expect(abs(Double(FixedSine.cosine(angle)) / Double(FixedSine.one) - cos(radians)) < 5e-14, "\(angle)")
        }
    }

    @Test(
        arguments: [
            (-360, 0, 1), (-270, 1, 0), (-180, 0, -1), (-90, -1, 0), (0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0),
        ] as [(Int64, Int64, Int64)])
    func rightAnglesHaveWholeSines(degrees: Int64, sine: Int64, cosine: Int64) {
        #expect(FixedSine.sine(degrees * 10_000_000) == sine * FixedSine.one)
        #expect(FixedSine.cosine(degrees * 10_000_000) == cosine * FixedSine.one)
    }

    // MARK: Positions

    private static func fix(_ latitude: Int64, _ longitude: Int64) -> LocationFix {
        guard
            let fix = LocationFix(
                latitude: Int32(latitude), longitude: Int32(longitude), accuracy: 0, time: .zero)
        else { preconditionFailure("\(latitude), \(longitude) is not on the earth") }
        return fix
    }

    /// A position of any kind, and another one, as far away as any power of two of the units.
    private static func pair(_ random: inout Seeded) -> (LocationFix, LocationFix) {
        let poles: [Int64] = [-900_000_000, -899_999_999, 899_999_999, 900_000_000]
        let dateLine: [Int64] = [-1_800_000_000, -1_799_999_999, 1_799_999_999, 1_800_000_000]
        let latitude =
            switch random.next(in: 0...9) {
            case 0: poles[Int(random.next(in: 0...3))]
            case 1: random.next(in: -10...10)
            default: random.next(in: -900_000_000...900_000_000)
            }
        let longitude =
            random.next(in: 0...9) == 0
            ? dateLine[Int(random.next(in: 0...3))] : random.next(in: -1_800_000_000...1_800_000_000)
        let most = Int64(1) << random.next(in: 0...31)
        let north = latitude + random.next(in: -most...most)
        var east = longitude + random.next(in: -most...most)
        if abs(east) > 1_800_000_000 { east += east > 0 ? -3_600_000_000 : 3_600_000_000 }
        return (
            fix(latitude, longitude),
            fix(min(max(north, -900_000_000), 900_000_000), min(max(east, -1_800_000_000), 1_800_000_000))
        )
    }

    /// The arc of the sphere between two positions, in centimetres. The formula is exact for small arcs, too.
    private static func arc(_ from: LocationFix, _ to: LocationFix) -> Double {
        func radians(_ angle: Int64) -> Double { Double(angle) * .pi / 1_800_000_000 }
        let north = sin(radians(Int64(to.latitude) - Int64(from.latitude)) / 2)
        let east = sin(radians(Int64(to.longitude) - Int64(from.longitude)) / 2)
        let cosines = cos(radians(Int64(from.latitude))) * cos(radians(Int64(to.latitude)))
        return 2 * 637_100_880 * asin(min(1, (north * north + cosines * east * east).squareRoot()))
    }
}

/// Repeatable random numbers: splitmix64.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func next(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }
}

/// GeographicLib, which computes distances on WGS 84 to 15 nm.
private enum Geodesics {
    static let python = "/usr/bin/python3"
    /// The script reads two positions a line, in units of 1e-7 degree, and prints their distance in centimetres.
    static let script = """
        import sys
        from geographiclib.geodesic import Geodesic
        for line in sys.stdin:
            degrees = [int(word) / 1e7 for word in line.split()]
            print(100 * Geodesic.WGS84.Inverse(*degrees, outmask=Geodesic.DISTANCE)["s12"])
        """
    static let isInstalled = (try? distances(of: [])) != nil

    static func distances(of pairs: [(LocationFix, LocationFix)]) throws -> [Double] {
        let lines = pairs.map { "\($0.latitude) \($0.longitude) \($1.latitude) \($1.longitude)\n" }.joined()
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("roost-\(UUID().uuidString)")
        try Data(lines.utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(python) has no geographiclib")
        let distances = text.split(separator: "\n").compactMap { Double($0) }
        try #require(distances.count == pairs.count)
        return distances
    }
}
