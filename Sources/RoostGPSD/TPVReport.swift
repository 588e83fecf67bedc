package import LifeCycleModel
internal import RoostWire

/// A position in gpsd's JSON: a report of the class `TPV` (time, position, velocity).
package enum TPVReport {
    /// The accuracy in centimetres of a fix in three dimensions without an error estimate. Receivers usually do better
    /// than these 25 m.
    package static let assumedAccuracy: Int32 = 2_500
    /// The same for a fix in two dimensions, which has fewer satellites.
    package static let assumedAccuracyOfPlane: Int32 = 10_000

    /// The position in a line, at time zero. Nil for everything else: other classes, a report without a fix, and
    /// anything that is no valid report.
    ///
    /// The accuracy is `eph`, otherwise the larger of `epx` and `epy`, otherwise a fixed value.
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
        return LocationFix(latitude: latitude, longitude: longitude, accuracy: accuracy, time: .zero)
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
