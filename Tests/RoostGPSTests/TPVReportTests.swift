import LifeCycleModel
import RoostGPSD
import Testing

/// The lines of gpsd from which a position is read, and those from which none is.
@Suite struct TPVReportTests {
    private static func position(in line: String) -> LocationFix? { TPVReport.position(in: Array(line.utf8)) }

    private static func tpv(_ members: String) -> String { #"{"class":"TPV",\#(members)}"# }

    static let valid: [(line: String, latitude: Int32, longitude: Int32, accuracy: Int32)] = [
        (tpv(#""mode":3,"lat":48.1173,"lon":11.516666667,"eph":4.25"#), 481_173_000, 115_166_667, 425),
        (tpv(#""mode":2,"lat":-33.86,"lon":-70.5,"epx":3,"epy":7.001"#), -338_600_000, -705_000_000, 701),
        (tpv(#""mode":3,"lat":1,"lon":2"#), 10_000_000, 20_000_000, TPVReport.assumedAccuracy),
        (tpv(#""mode":2,"lat":1,"lon":2"#), 10_000_000, 20_000_000, TPVReport.assumedAccuracyOfPlane),
        (tpv(#""mode":3,"lat":90,"lon":-180,"epy":2"#), 900_000_000, -1_800_000_000, 200),
        (tpv(#""mode":3,"lat":1e1,"lon":2,"eph":1e300"#), 100_000_000, 20_000_000, LocationFix.leastAccurate),
        (tpv(#""mode":3,"lat":1,"lon":2,"eph":-5,"epx":"9""#), 10_000_000, 20_000_000, TPVReport.assumedAccuracy),
        (tpv(#""mode":3,"lat":1,"lon":2,"eph":0.001"#), 10_000_000, 20_000_000, 1),
        (tpv(#""mode":3,"lat":0.00000005,"lon":0,"eph":1"#) + "\r", 1, 0, 100),
    ]

    @Test(arguments: valid.indices) func isRead(index: Int) {
        let expected = Self.valid[index]
        let fix = Self.position(in: expected.line)
        #expect(fix?.latitude == expected.latitude && fix?.longitude == expected.longitude, "\(expected.line)")
        #expect(fix?.accuracy == expected.accuracy, "\(expected.line)")
    }

    /// The altitude with its accuracy, the speed and the course.
    static let details: [(members: String, altitude: [Int32]?, speed: Int32?, course: Int32?)] = [
        (#""altMSL":545.4,"alt":1,"epv":12.001,"speed":11.524,"track":84.4"#, [54_540, 1_201], 1_152, 8_440),
        (#""alt":-10.5"#, [-1_050, TPVReport.assumedAccuracyOfAltitude], nil, nil),
        (#""epv":1,"speed":0,"track":0"#, nil, 0, 0),
        (#""altMSL":1e9,"speed":-1,"track":360.01"#, nil, nil, nil),
        (#""track":359.999"#, nil, nil, 0), (#""track":360"#, nil, nil, 0),
        (#""altMSL":"1","speed":1e300,"track":-0.1"#, nil, nil, nil),
        (
            #""altMSL":null,"alt":5,"speed":100000,"track":359.99"#, [500, TPVReport.assumedAccuracyOfAltitude],
            10_000_000, 35_999
        ),
    ]

    @Test(arguments: details.indices) func detailsAreRead(index: Int) throws {
        let expected = Self.details[index]
        let fix = try #require(Self.position(in: Self.tpv(#""mode":3,"lat":1,"lon":2,"# + expected.members)))
        #expect(fix.altitude.map { [$0.height, $0.accuracy] } == expected.altitude, "\(expected.members)")
        #expect(fix.speed == expected.speed && fix.course == expected.course, "\(expected.members)")
    }

    @Test func aFixInTwoDimensionsHasNoAltitude() throws {
        let fix = try #require(Self.position(in: Self.tpv(#""mode":2,"lat":1,"lon":2,"altMSL":5,"speed":1"#)))
        #expect(fix.altitude == nil && fix.speed == 100)
    }

    @Test(arguments: [
        "", "\r", "{", "}", "null", "[]", "{}", "garbage", "{\"class\":\"TPV\"}", "\u{0}\u{1}",
        #"{"class":"VERSION","release":"3.22"}"#, #"{"class":"ERROR","message":"Unrecognized request"}"#,
        #"{"class":"SKY","mode":3,"lat":1,"lon":2}"#, #"{"mode":3,"lat":1,"lon":2}"#,
        #"{"class":["TPV"],"mode":3,"lat":1,"lon":2}"#,
        tpv(#""mode":0,"lat":1,"lon":2"#), tpv(#""mode":1"#), tpv(#""mode":4,"lat":1,"lon":2"#),
        tpv(#""mode":2.5,"lat":1,"lon":2"#), tpv(#""mode":"3","lat":1,"lon":2"#), tpv(#""lat":1,"lon":2"#),
        tpv(#""mode":3,"lat":1"#), tpv(#""mode":3,"lon":1"#), tpv(#""mode":3,"lat":null,"lon":1"#),
        tpv(#""mode":3,"lat":"1","lon":"2""#), tpv(#""mode":3,"lat":[1],"lon":2"#),
        tpv(#""mode":3,"lat":200,"lon":2"#), tpv(#""mode":3,"lat":90.0000001,"lon":2"#),
        tpv(#""mode":3,"lat":1,"lon":-180.1"#), tpv(#""mode":3,"lat":1e400,"lon":2"#),
        tpv(#""mode":3,"lat":9223372036854775807,"lon":2"#),
        tpv(#""mode":3,"lat":NaN,"lon":2"#), tpv(#""mode":3,"lat":nan,"lon":2"#),
        tpv(#""mode":3,"lat":Infinity,"lon":2"#),
        tpv(#""mode":3,"lat":1,"lon":2"#) + "x", tpv(#""mode":3,"lat":1,"lon":2"#).replacing("}", with: ""),
        tpv(#""mode":3,"lat":1,"lon":2,"x":\#(String(repeating: "[", count: 10_000))"#),
        tpv(#""mode":3,"lat":1,"lon":2,"x":\#(String(repeating: "[", count: 40) + String(repeating: "]", count: 40))"#),
    ])
    func isIgnored(line: String) { #expect(Self.position(in: line) == nil) }

    @Test func bytesThatAreNotUTF8AreIgnored() {
        let line = Array(Self.tpv(#""mode":3,"lat":1,"lon":2,"x":"?""#).utf8)
        #expect(TPVReport.position(in: line) != nil)
        #expect(TPVReport.position(in: line.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }) == nil)
        #expect(TPVReport.position(in: [0x7B, 0xFF, 0xFE, 0x7D]) == nil)
    }
}
