import Foundation
import RoostKit
import Testing

@testable import RoostCoreLocation
@testable import RoostTesting

/// Records what it is told by each of two services.
@MainActor private final class Walker: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    let manager = CLLocationManager()
    private(set) var places: [CLLocation] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        manager.delegate = self
        return true
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        places += locations
    }
}

/// A GPX file that lasts as long as this object.
private final class GPX {
    let url: URL

    /// A file with these elements, or with a text that is no GPX file.
    init(_ elements: String, isWhole: Bool = true) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gpx")
        let start = #"<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">"#
        try (isWhole ? "\(start)\n\(elements)</gpx>" : elements).write(to: url, atomically: false, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A track with these points.
    convenience init(track points: [String]) throws {
        try self.init("<trk><trkseg>\n\(points.joined(separator: "\n"))</trkseg></trk>")
    }

    func read(needsTimes: Bool = false, most: Int = 10) throws -> Track {
        try GPXReader.read(url, needsTimes: needsTimes, most: most)
    }

    /// The complaint about the file; nil if it is accepted.
    func complaint(needsTimes: Bool = true) -> String? {
        do {
            _ = try read(needsTimes: needsTimes)
            return nil
        } catch {
            return "\(error)".replacing(url.lastPathComponent, with: "FILE")
        }
    }
}

/// Tracks on the virtual device (R-151).
@Suite(.serialized) @MainActor struct TrackTests {
    private func walker(_ app: VirtualApp) throws -> Walker { try #require(app.delegate as? Walker) }

    private static func point(_ latitude: Double, _ time: String? = nil, altitude: Double? = nil) -> String {
        let members = (altitude.map { "<ele>\($0)</ele>" } ?? "") + (time.map { "<time>\($0)</time>" } ?? "")
        return #"<trkpt lat="\#(latitude)" lon="13.4">\#(members)</trkpt>"#
    }

    // MARK: The device

    @Test func theDeviceIsAtEachPointAtItsTime() async throws {
        let gpx = try GPX(track: [
            Self.point(52.5, "2026-05-01T23:59:50Z", altitude: 30),
            Self.point(52.501, "2026-05-02T00:00:00Z", altitude: 50),
            Self.point(52.501, "2026-05-02T02:00:05+02:00"),
        ])
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Walker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.launch(app)
            try walker(app).manager.startUpdatingLocation()
            let start = device.time
            try await device.follow(gpx: gpx.url, accuracy: 5)
            #expect(device.time - start == .seconds(15))
            let places = try walker(app).places
            try #require(places.count == 16)
            for (last, next) in zip(places, places.dropFirst()) {
                #expect(next.timestamp.timeIntervalSince(last.timestamp) == 1)
            }
            #expect(places[10].coordinate.latitude == 52.501 && places.allSatisfy { $0.horizontalAccuracy == 5 })
            // 111.2 m to the north in 10 s, uphill; then a rest, whose end has no altitude.
            #expect(abs(places[5].coordinate.latitude - 52.5005) < 1e-7 && places[5].altitude == 40)
            #expect(places[5].verticalAccuracy == 5 && places[5].speed == 11.12 && places[5].course == 0)
            #expect(places[12].speed == 0 && places[12].course == -1 && places[12].verticalAccuracy == -1)
            #expect(places[15].coordinate.latitude == 52.501 && places[15].speed == 0)
        }
    }

    /// As on a real device, the receiver rests between two significant changes.
    @Test func aWalkBringsSignificantChanges() async throws {
        // 10 km to the north, at a pedestrian's speed.
        let gpx = try GPX(track: [Self.point(52.5), Self.point(52.5 + 10_000 / 111_195.1)])
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Walker.self)
            await device.setLocationPermission(of: app, to: .always)
            await device.launch(app)
            try walker(app).manager.startMonitoringSignificantLocationChanges()
            await device.home()
            try await device.follow(gpx: gpx.url, speed: 1.4)
            let places = try walker(app).places
            #expect((17...20).contains(places.count), "\(places.count)")
            for (last, next) in zip(places, places.dropFirst()) {
                let distance = next.distance(from: last)
                #expect((500...600).contains(distance), "\(distance) m")
            }
            #expect(app.state == .suspended)
        }
    }

    @Test func withoutAnAppThatNeedsItTheReceiverIsOff() async throws {
        let gpx = try GPX(track: [Self.point(52.5), Self.point(52.501)])
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Walker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.launch(app)
            try await device.follow(gpx: gpx.url, speed: 100)
            try walker(app).manager.requestLocation()
            await device.advance(by: .seconds(60))
            #expect(try walker(app).places.isEmpty)
        }
    }

    @Test(arguments: [0, -1, .nan, .infinity, 100_001, 1e-9]) func aSpeedThatIsImpossible(speed: Double) async throws {
        let gpx = try GPX(track: [Self.point(52.5), Self.point(52.6)])
        try await withVirtualDevice { device in
            _ = try device.install(delegate: Walker.self)
            await #expect(throws: TrackError.self) { try await device.follow(gpx: gpx.url, speed: speed) }
            await #expect(throws: TrackError.self) {
                try await device.follow(gpx: gpx.url, speed: 1_000, accuracy: speed == 0 ? -1 : .nan)
            }
        }
    }

    @Test func aPositionCanHaveEverything() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Walker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.launch(app)
            try walker(app).manager.startUpdatingLocation()
            await device.move(to: 1, longitude: 2, accuracy: 3, altitude: -4.5, speed: 5.25, course: 359.999)
            let place = try #require(walker(app).places.last)
            #expect(place.altitude == -4.5 && place.verticalAccuracy == 3 && place.speed == 5.25 && place.course == 0)
            #expect(await !device.move(to: 1, longitude: 2, altitude: 1e7))
            #expect(await !device.move(to: 1, longitude: 2, speed: -1))
            #expect(await !device.move(to: 1, longitude: 2, course: .nan))
        }
    }

    // MARK: The way

    @Test func theShorterWayCrossesTheDateLine() throws {
        let points = [179.999, -179.999].map { Track.Point(latitude: 0, longitude: $0) }
        let positions = Track(points: points).positions(speed: 50)
        #expect(positions.count == 6 && positions.allSatisfy { abs($0.longitude) > 179.99 })
        #expect(abs(try #require(positions.first?.course) - 90) < 1e-9)
    }

    @Test func pointsAtTheSamePlaceOrTimeAreNoObstacle() {
        let point = Track.Point(latitude: 1, longitude: 1, time: 5)
        let far = Track.Point(latitude: -1, longitude: 1, time: 5)
        #expect(Track(points: [point]).positions(speed: nil).map(\.time) == [0])
        #expect(Track(points: [point, point]).positions(speed: 3).map(\.time) == [0])
        #expect(Track(points: [point, far]).positions(speed: nil).map(\.latitude) == [-1])
        // Nothing moves at 222 km a second.
        var later = far
        later.time = 6
        #expect(Track(points: [point, later]).positions(speed: nil).map(\.speed) == [nil, 0])
    }

    // MARK: The file

    @Test func tracksComeBeforeRoutesAndRoutesBeforeWaypoints() throws {
        let waypoint = #"<wpt lat="1" lon="2"><name>Gate</name><ele> 3 </ele></wpt>"#
        let route = #"<rte><rtept lat="4" lon="5"/></rte>"#
        let track = #"<trk><trkseg><trkpt lat="6" lon="7"/></trkseg><trkseg><trkpt lat="8" lon="9"/></trkseg></trk>"#
        #expect(try GPX(waypoint).read().points == [Track.Point(latitude: 1, longitude: 2, altitude: 3)])
        #expect(try GPX(waypoint + route).read().points.map(\.latitude) == [4])
        // Waypoints without a time do not matter.
        #expect(try GPX(waypoint + route + track).read().points.map(\.latitude) == [6, 8])
        let named =
            #"<g:gpx xmlns:g="u"><g:wpt lat="1" lon="2"><g:time>2026-05-01T00:00:00.250Z</g:time></g:wpt></g:gpx>"#
        #expect(try GPX(named, isWhole: false).read(needsTimes: true).points.map(\.time) == [1_777_593_600.25])
    }

    nonisolated private static let laughs = """
        <!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
        <gpx><wpt lat="1" lon="1"><time>&b;</time></wpt></gpx>
        """
    nonisolated private static let file = """
        <!DOCTYPE gpx [<!ENTITY a SYSTEM "file:///etc/passwd">]>
        <gpx><wpt lat="1" lon="1"><time>&a;</time></wpt></gpx>
        """

    @Test(arguments: [
        ("", "it has no points"), ("garbage", "it is not XML"), ("<gpx></gpx>", "it has no points"),
        ("<gpx>", "is cut off"), (#"<gpx><wpt lat="1" lon="1"/>"#, "is cut off"),
        (laughs, #"the time of a point is """#), (file, #"the time of a point is """#),
        (#"<gpx><wpt lat="91" lon="0"/></gpx>"#, #"line 1: lat of a point is "91": it is a number from -90 to 90"#),
        ("<gpx>\n<wpt lat=\"0\"/></gpx>", "line 2: lon of a point is missing"),
        (#"<gpx><wpt lat="nan" lon="0"/></gpx>"#, "lat of a point"),
        (#"<gpx><wpt lat="0" lon="inf"/></gpx>"#, "lon of"),
        (#"<gpx><wpt lat="1" lon="1"><ele>high</ele></wpt></gpx>"#, #"the altitude of a point is "high""#),
        (#"<gpx><wpt lat="1" lon="1"><time>noon</time></wpt></gpx>"#, #"the time of a point is "noon""#),
        (#"<gpx><wpt lat="1" lon="1"><time>\#(String(repeating: "1", count: 65))</time></wpt></gpx>"#, "is too long"),
        (#"<gpx><wpt lat="1" lon="1"></wpt></gpx>"#, "the point has no time: pass a speed"),
        (
            #"<gpx><wpt lat="1" lon="1"><time>2026-05-01T00:00:01Z</time></wpt>"#
                + #"<wpt lat="1" lon="1"><time>2026-05-01T00:00:00Z</time></wpt></gpx>"#, "the point is earlier"
        ),
        ("<gpx>" + String(repeating: #"<wpt lat="1" lon="1"/>"#, count: 11) + "</gpx>", "it has more than 10 points"),
        (String(repeating: "<a>", count: 100_000), "is cut off"),
    ])
    func aWrongFileIsRefused(text: String, problem: String) throws {
        let complaint = try #require(try GPX(text, isWhole: false).complaint())
        #expect(complaint.contains(problem), "\(complaint)")
        #expect(complaint.hasPrefix("cannot follow FILE"))
    }

    /// Other programs add their own data to a point.
    @Test func onlyItsOwnChildrenTellAPointsAltitudeAndTime() throws {
        let extensions = "<extensions><x:time xmlns:x='u'>noon</x:time><y><ele>low</ele></y></extensions>"
        let point = "<ele>3<b/></ele><time>2026-05-01T00:00:00Z</time>\(extensions)"
        let track = try GPX(#"<wpt lat="1" lon="2">\#(point)</wpt>"#).read(needsTimes: true)
        #expect(track.points.map(\.altitude) == [3] && track.points.map(\.time) == [1_777_593_600])
    }

    @Test func manyPointsAndALinkAreRead() throws {
        let gpx = try GPX(track: (0..<20_000).map { Self.point(Double($0) / 1000 - 10) })
        let link = gpx.url.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).gpx")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: gpx.url)
        defer { try? FileManager.default.removeItem(at: link) }
        #expect(try GPXReader.read(link, needsTimes: false).points.count == 20_000)
    }

    @Test func timesDoNotMatterAtASpeed() throws {
        let gpx = try GPX(track: [
            Self.point(1, "2026-05-01T00:00:01Z"), Self.point(2, "2026-05-01T00:00:00Z"), Self.point(3),
        ])
        #expect(gpx.complaint(needsTimes: false) == nil && gpx.complaint() != nil)
    }

    @Test func whatIsNoFileIsRefused() {
        for path in ["/nonexistent.gpx", "/", "/dev/zero"] {
            #expect(throws: TrackError.self) {
                try GPXReader.read(URL(fileURLWithPath: path), needsTimes: false)
            }
        }
    }
}
