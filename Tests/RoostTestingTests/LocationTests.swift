import RoostKit
import RoostTesting
import Testing

@testable import LocationTestApp
@testable import RoostCoreLocation

/// A hiker with two managers, one for each service. It starts them when the test says so.
@MainActor private final class Hiker: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    static var starts: [(Hiker) -> Void] = []
    static var startsWhenActive: [(Hiker) -> Void] = []
    static var requests: [(CLLocationManager) -> Void] = []

    let updates = CLLocationManager()
    let changes = CLLocationManager()
    private(set) var heard: [String] = []
    private(set) var locations: [CLLocation] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        heard.append("status \(updates.authorizationStatus.rawValue)")
        updates.delegate = self
        changes.delegate = self
        for request in Self.requests { request(updates) }
        for start in Self.starts { start(self) }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        for start in Self.startsWhenActive { start(self) }
    }

    private func name(_ manager: CLLocationManager) -> String { manager === updates ? "updates" : "changes" }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        heard.append("\(name(manager)) \(locations.count)")
        self.locations += locations
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        heard.append("\(name(manager)) failed \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
        heard.append("\(name(manager)) authorized \(status.rawValue)")
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        heard.append("\(name(manager)) paused")
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        heard.append("\(name(manager)) resumed")
    }
}

/// Core Location on the virtual device.
@Suite(.serialized) @MainActor struct LocationTests {
    private let latitude = 52.5163
    private let longitude = 13.3777

    init() { (Hiker.starts, Hiker.startsWhenActive, Hiker.requests) = ([], [], []) }

    /// A place some meters to the north.
    private func move(_ device: VirtualDevice, _ meters: Double) async {
        #expect(await device.move(to: latitude + meters / 111_195, longitude: longitude))
    }

    private func hiker(_ app: VirtualApp) throws -> Hiker { try #require(app.delegate as? Hiker) }

    /// The calls that the app has received, without those about the permission.
    private func heard(_ app: VirtualApp) throws -> [String] {
        try hiker(app).heard.filter { !$0.contains("authorized") && !$0.hasPrefix("status") }
    }

    // MARK: One position

    @Test func onePositionIsRequested() async throws {
        try await withVirtualDevice { device in
            Hiker.startsWhenActive = [{ $0.updates.requestLocation() }]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.launch(app)
            #expect(try heard(app).isEmpty)
            await device.advance(by: .seconds(10))
            #expect(try heard(app) == ["updates failed 0"])
            await device.home()
            await device.launch(app)
            await move(device, 0)
            await move(device, 5)
            #expect(try heard(app) == ["updates failed 0", "updates 1"])
            #expect(try hiker(app).updates.location?.coordinate.latitude == latitude)
        }
    }

    // MARK: Updates in the background

    /// A hiker in the foreground that tracks in the background too, on a device at the first place.
    private func track(_ device: VirtualDevice) async throws -> VirtualApp {
        Hiker.starts = [
            {
                $0.updates.allowsBackgroundLocationUpdates = true
                $0.updates.startUpdatingLocation()
            }
        ]
        let app = try device.install(
            infoPlist: ["UIBackgroundModes": ["location"]], delegate: Hiker.self)
        await device.setLocationPermission(of: app, to: .whenInUse)
        await move(device, 0)
        await device.launch(app)
        return app
    }

    @Test func updatesInTheBackgroundKeepTheAppRunning() async throws {
        try await withVirtualDevice { device in
            let app = try await track(device)
            await device.home()
            for step in 1...120 {
                await device.advance(by: .seconds(60))
                await move(device, Double(step) * 100)
                #expect(app.state == .background)
            }
            #expect(try heard(app) == Array(repeating: "updates 1", count: 121))
            try hiker(app).updates.stopUpdatingLocation()
            await device.advance(by: .zero)
            #expect(app.state == .suspended)
        }
    }

    @Test func aPropertyIsEnoughToEndTheTrack() async throws {
        try await withVirtualDevice { device in
            let app = try await track(device)
            await device.home()
            #expect(app.state == .background)
            try hiker(app).updates.allowsBackgroundLocationUpdates = false
            await device.advance(by: .zero)
            #expect(app.state == .suspended)
            await device.launch(app)
            await move(device, 100)
            #expect(try heard(app) == ["updates 1", "updates 1"])
        }
    }

    @Test func aRestIsAPause() async throws {
        try await withVirtualDevice { device in
            let app = try await track(device)
            await device.home()
            await device.advance(by: .seconds(14 * 60))
            await move(device, 20)
            #expect(app.state == .background)
            await device.advance(by: .seconds(60))
            #expect(app.state == .suspended)
            await move(device, 2_000)
            #expect(try heard(app) == ["updates 1", "updates 1", "updates paused"])
            await device.launch(app)
            #expect(try heard(app).suffix(2) == ["updates resumed", "updates 1"])
            await device.home()
            #expect(app.state == .background)
        }
    }

    @Test func aRestOfAnAppThatForbidsThePause() async throws {
        try await withVirtualDevice { device in
            let app = try await track(device)
            try hiker(app).updates.pausesLocationUpdatesAutomatically = false
            await device.home()
            await device.advance(by: .seconds(3600))
            #expect(app.state == .background)
        }
    }

    /// Before iOS 9 the mode alone wakes the app for each update.
    @Test func onAnOldDeviceEachUpdateWakesTheApp() async throws {
        try await withVirtualDevice(.iOS7) { device in
            let app = try await track(device)
            await device.home()
            #expect(app.state == .suspended)
            await move(device, 100)
            #expect(app.state == .background)
            await device.advance(by: .seconds(10))
            #expect(try app.state == .suspended && heard(app) == ["updates 1", "updates 1"])
        }
    }

    // MARK: Significant changes

    @Test func anEndedAppIsLaunchedForAChange() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: AppDelegate.self)
            await device.setLocationPermission(of: app, to: .always)
            await move(device, 0)
            await device.launch(app)
            let diary = { (app.delegate as? AppDelegate)?.diary ?? [] }
            #expect(diary().count == 1 && diary().first?.horizontalAccuracy == 10)
            await device.home()
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            await device.advance(by: .seconds(300))
            await move(device, 400)
            #expect(app.state == .notRunning)
            let before = app.callbacks.count
            await move(device, 600)
            #expect(
                app.callbacks.dropFirst(before).map(\.name) == [
                    "willFinishLaunching", "didFinishLaunching", "didEnterBackground", "didUpdateLocations",
                ])
            #expect(diary().count == 1 && app.state == .background)
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
            // A second change within five minutes waits.
            await move(device, 1_200)
            #expect(diary().count == 1)
            await device.advance(by: .seconds(300))
            #expect(diary().count == 2 && app.state == .suspended)
            #expect(abs(try #require(diary().last).distance(from: diary()[0]) - 600) < 2)
        }
    }

    /// The app starts the service later than in the launch callback.
    @Test func aChangeWaitsUntilTheServiceIsStarted() async throws {
        try await withVirtualDevice { device in
            Hiker.starts = [{ $0.changes.startMonitoringSignificantLocationChanges() }]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .always)
            await move(device, 0)
            await device.launch(app)
            await device.home()
            await device.memoryShortage()
            Hiker.starts = []
            await device.advance(by: .seconds(300))
            await move(device, 600)
            #expect(app.callbacks.map(\.name).suffix(1) == ["didUpdateLocations"])
            #expect(try heard(app).isEmpty)
            #expect(try hiker(app).changes.location != nil)
            Hiker.startsWhenActive = [{ $0.changes.startMonitoringSignificantLocationChanges() }]
            await device.launch(app)
            #expect(try heard(app) == ["changes 1"])
        }
    }

    // MARK: Standard updates

    @Test func updatesInUseComeInTheForegroundOnly() async throws {
        try await withVirtualDevice { device in
            Hiker.starts = [{ $0.updates.startUpdatingLocation() }]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await move(device, 0)
            await device.launch(app)
            await move(device, 10)
            #expect(try heard(app) == ["updates 1", "updates 1"])
            await device.home()
            await move(device, 20)
            await move(device, 30)
            #expect(try heard(app).count == 2 && app.state == .suspended)
            await device.launch(app)
            #expect(try heard(app).dropFirst(2) == ["updates 2"])
            try hiker(app).updates.stopUpdatingLocation()
            await device.advance(by: .seconds(1))
            await move(device, 40)
            #expect(try heard(app).count == 3)
        }
    }

    @Test func eachManagerHasItsOwnFilter() async throws {
        try await withVirtualDevice { device in
            Hiker.starts = [
                { hiker in
                    hiker.updates.startUpdatingLocation()
                    hiker.changes.distanceFilter = 100
                    hiker.changes.startUpdatingLocation()
                }
            ]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await move(device, 0)
            await device.launch(app)
            #expect(try heard(app) == ["updates 1", "changes 1"])
            await move(device, 50)
            await move(device, 150)
            #expect(try heard(app).dropFirst(2) == ["updates 1", "updates 1", "changes 1"])
        }
    }

    @Test func anUnknownPositionIsAFailure() async throws {
        try await withVirtualDevice { device in
            Hiker.starts = [{ $0.updates.startUpdatingLocation() }]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.launch(app)
            #expect(try heard(app) == ["updates failed 0"])
            await move(device, 0)
            #expect(try heard(app) == ["updates failed 0", "updates 1"])
        }
    }

    // MARK: The permission

    @Test func aDeniedAppGetsAnError() async throws {
        try await withVirtualDevice { device in
            Hiker.starts = [
                { hiker in
                    hiker.updates.startUpdatingLocation()
                    hiker.changes.startMonitoringSignificantLocationChanges()
                }
            ]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .deny)
            await move(device, 0)
            await device.launch(app)
            #expect(try heard(app) == ["updates failed 1", "changes failed 1"])
            #expect(try hiker(app).updates.location == nil)
        }
    }

    @Test func thePermissionIsToldOnceAndAtEachChange() async throws {
        try await withVirtualDevice { device in
            Hiker.starts = [{ $0.updates.startUpdatingLocation() }]
            let app = try device.install(delegate: Hiker.self)
            await device.setLocationPermission(of: app, to: .always)
            await device.launch(app)
            await move(device, 0)
            #expect(
                try hiker(app).heard == [
                    "status 3", "updates authorized 3", "changes authorized 3", "updates failed 0", "updates 1",
                ])
            await device.setLocationPermission(of: app, to: .deny)
            #expect(
                try hiker(app).heard.dropFirst(5) == [
                    "updates authorized 2", "changes authorized 2", "updates failed 1",
                ])
            await device.home()
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.setLocationPermission(of: app, to: .always)
            #expect(try hiker(app).heard.count == 8)
            await device.launch(app)
            #expect(try hiker(app).heard.dropFirst(8) == ["updates authorized 3", "changes authorized 3"])
        }
    }

    @Test func aRequestNeedsItsText() async throws {
        let findings = try await Findings.from { device in
            Hiker.requests = [{ $0.requestWhenInUseAuthorization() }, { $0.requestAlwaysAuthorization() }]
            let app = try device.install(
                infoPlist: ["NSLocationWhenInUseUsageDescription": "For the map."], delegate: Hiker.self)
            await device.launch(app)
            #expect(app.reasons.count { $0.contains("asks") } == 1, "\(app.reasons)")
        }
        #expect(findings.sentences.count == 1, "\(findings.sentences)")
        #expect(
            findings.sentences.first?.contains(
                "requestAlwaysAuthorization() has no effect: add NSLocationAlwaysAndWhenInUseUsageDescription"
            ) == true)
    }

    // MARK: The device

    @Test func placesAreOnTheEarth() async {
        await withVirtualDevice { device in
            #expect(await device.move(to: -90, longitude: 180))
            #expect(await !device.move(to: 91, longitude: 0))
            #expect(await !device.move(to: 0, longitude: 181))
            #expect(await !device.move(to: .nan, longitude: 0))
            #expect(await !device.move(to: 0, longitude: 0, accuracy: -1))
        }
    }

    @Test func distances() {
        let berlin = CLLocation(latitude: 52.5163, longitude: 13.3777)
        let alexanderplatz = CLLocation(latitude: 52.5219, longitude: 13.4132)
        #expect(abs(berlin.distance(from: alexanderplatz) - 2_482) < 10)
        #expect(berlin.distance(from: berlin) == 0)
        #expect(CLLocationCoordinate2DIsValid(berlin.coordinate))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(CLLocationManager.centimeters(kCLDistanceFilterNone) == 0)
        #expect(CLLocationManager.centimeters(.infinity) == .max && CLLocationManager.centimeters(1.001) == 101)
    }

    @Test func errorsAreMatchedByTheirCodes() {
        let error: any Error = CLError(.denied)
        #expect((error as? CLError)?.code == .denied)
        if case CLError.denied = error {} else { Issue.record(error) }
        if case CLError.locationUnknown = error { Issue.record(error) }
    }
}
