package import LifeCycleModel
internal import RoostWire

/// A position in gpsd's JSON: a report of the class `TPV` (time, position, velocity).
package enum TPVReport {
    /// The accuracy in centimetres of a fix in three dimensions without an error estimate. Receivers usually do better
    /// than these 25 m.
    package static let assumedAccuracy: Int32 = 2_500
    /// The same for a fix in two dimensions, which has fewer satellites.
    package static let assumedAccuracyOfPlane: Int32 = 10_000
    /// The accuracy in centimetres of an altitude without an error estimate.
    package static let assumedAccuracyOfAltitude: Int32 = 5_000

    /// The position in a line, at time zero. Nil for everything else: other classes, a report without a fix, and
    /// anything that is no valid report.
    ///
    /// The accuracy is `eph`, otherwise the larger of `epx` and `epy`, otherwise a fixed value. The altitude is that of a
    /// fix in three dimensions: `altMSL`, before version 3.20 of gpsd `alt`, with the accuracy `epv`. An altitude, `speed`
    /// or course (`track`) that is out of range counts as unknown.
    package static func position(in line: [UInt8]) -> LocationFix? {
        guard let report = JSONObject(line), report.string("class") == "TPV", let mode = report.number("mode"),
            mode == 2 || mode == 3,
            let latitude = degrees(report.number("lat"), most: 90),
            let longitude = degrees(report.number("lon"), most: 180)
        else { return nil }
        let sides = [report.number("epx"), report.number("epy")].compactMap(centimetres)
        let accuracy =
            centimetres(report.number("eph")) ?? sides.max()
            ?? (mode == 3 ? assumedAccuracy : assumedAccuracyOfPlane)
        return LocationFix(
            latitude: latitude, longitude: longitude, accuracy: accuracy, time: .zero,
            altitude: mode == 3 ? altitude(in: report) : nil,
            speed: hundredths(report.number("speed"), LocationFix.speeds),
            course: hundredths(report.number("track"), 0...36_000).map { $0 % 36_000 })
    }

    private static func altitude(in report: JSONObject) -> LocationFix.Altitude? {
        let metres = report.number("altMSL") ?? report.number("alt")
        guard let height = hundredths(metres, LocationFix.Altitude.heights) else { return nil }
        return LocationFix.Altitude(
            height: height, accuracy: centimetres(report.number("epv")) ?? assumedAccuracyOfAltitude)
    }

    /// A number in hundredths; nil if it is out of range.
    private static func hundredths(_ number: Double?, _ range: ClosedRange<Int32>) -> Int32? {
        number.flatMap { Int32(exactly: ($0 * 100).rounded()) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// In units of `LocationFix`; nil if it is out of range.
    private static func degrees(_ number: Double?, most: Double) -> Int32? {
        guard let number, abs(number) <= most else { return nil }
        return Int32((number * Double(LocationFix.degree)).rounded())
    }

    /// An error estimate, from metres. Nil unless it is positive.
    private static func centimetres(_ metres: Double?) -> Int32? {
        guard let metres, metres > 0 else { return nil }
        return Int32(min(metres * 100, Double(LocationFix.leastAccurate)).rounded(.up))
    }
}
