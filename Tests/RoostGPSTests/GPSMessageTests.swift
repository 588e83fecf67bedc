import LifeCycleModel
import RoostHelpers
import Testing

@testable import RoostGPS

/// The messages between supervisor and `roost-gps` as bytes, and gpsd's address as text.
@Suite struct GPSMessageTests {
    @Test(arguments: [
        GPSSettings(host: "127.0.0.1", port: 2947), GPSSettings(host: "::1", port: 1, user: 7),
        GPSSettings(host: String(repeating: "h", count: 253), port: 65535, user: .max),
    ])
    func settingsAreReadAsTheyWereWritten(settings: GPSSettings) throws {
        #expect(try GPSSettings(settings.frame[4...]) == settings)
        #expect(settings.frame.count - 4 <= GPSSettings.longest)
        for count in 4..<settings.frame.count {
            #expect(throws: Malformed.self) { try GPSSettings(settings.frame[4..<count]) }
        }
    }

    @Test func wordsAreReadAsTheyWereWritten() throws {
        let fix = try #require(
            LocationFix(latitude: -900_000_000, longitude: 5, accuracy: LocationFix.leastAccurate, time: .zero))
        let detailed = try #require(
            LocationFix(
                latitude: 1, longitude: -2, accuracy: 3, time: .zero,
                altitude: LocationFix.Altitude(height: -4, accuracy: 5), speed: 6, course: 35_999))
        for word in [GPSWord.position(fix), .position(detailed), .gaveUp("an “end”"), .gaveUp("")] {
            #expect(try GPSWord(word.frame[4...]) == word)
            #expect(throws: Malformed.self) { try GPSWord(word.frame[4...] + [0]) }
            for count in 4..<word.frame.count {
                #expect(throws: Malformed.self) { try GPSWord(word.frame[4..<count]) }
            }
        }
        let long = GPSWord.gaveUp(String(repeating: "ü", count: 10_000)).frame
        #expect(long.count - 4 <= GPSWord.longest)
        #expect(try GPSWord(long[4...]) == .gaveUp(String(repeating: "ü", count: 400)))
    }

    /// A process that an attacker has taken over may write anything.
    @Test func aPositionOutOfRangeIsMalformed() throws {
        let fix = try #require(
            LocationFix(
                latitude: 1, longitude: 2, accuracy: 3, time: .zero,
                altitude: LocationFix.Altitude(height: 4, accuracy: 5), speed: 6, course: 7))
        let bytes = Array(GPSWord.position(fix).frame[4...])
        // The highest byte of latitude, longitude, accuracy, height, its accuracy, speed and course.
        for index in [4, 8, 12, 17, 21, 26, 31] {
            var wrong = bytes
            wrong[index] = 0x7F
            #expect(throws: Malformed.self, "byte \(index)") { try GPSWord(wrong[...]) }
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:2947", "127.0.0.1", 2947), ("[::1]:1", "::1", 1),
            ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
            ("gps.example-1.org:2947", "gps.example-1.org", 2947),
        ] as [(String, String, UInt16)])
    func anAddressIsRead(text: String, host: String, port: UInt16) throws {
        let address = try #require(GPSDAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test(arguments: [
        "", ":", "host", "host:", ":2947", "host:0", "host:65536", "host:-1", "host:+1", "host: 1", "::1:2947", "[::1]",
        "[]:1", "[host]:1", "a b:1", "a/b:1", "[::1:1", "host:1:", "ü:1", "h\n:1",
        String(repeating: "h", count: 254) + ":1",
    ])
    func anotherTextIsNoAddress(text: String) { #expect(GPSDAddress(text) == nil) }

    @Test func theStandardAddressIsOnThisMachine() { #expect(GPSDAddress.standard == GPSDAddress("127.0.0.1:2947")) }
}
