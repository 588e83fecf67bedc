import RoostKit
import RoostTesting
import Testing

@testable import RoostCoreLocation

/// An app that monitors regions, and records what its manager tells.
@MainActor private final class Visitor: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    static var starts: [(CLLocationManager) -> Void] = []

    let manager = CLLocationManager()
    private(set) var heard: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if options?[.location] != nil { heard.append("by a location") }
        manager.delegate = self
        for start in Self.starts { start(manager) }
        return true
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        heard.append("started \(region.identifier)")
    }
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        heard.append("failed \(region?.identifier ?? "?") \((error as? CLError)?.code.rawValue ?? -1)")
    }
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        heard.append("entered \(region.identifier)")
    }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        heard.append("left \(region.identifier)")
    }
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        heard.append("\(region.identifier) is \(state)")
    }
}

/// Regions on the virtual device (R-144, R-145).
@Suite(.serialized) @MainActor struct RegionTests {
    private static let gate = CLLocationCoordinate2D(latitude: 52.5163, longitude: 13.3777)

    init() { Visitor.starts = [] }

    private static func region(_ radius: Double = 200, _ identifier: String = "gate") -> CLCircularRegion {
        CLCircularRegion(center: gate, radius: radius, identifier: identifier)
    }

    /// A place some meters to the north of the gate.
    private func move(_ device: VirtualDevice, _ meters: Double) async {
        #expect(await device.move(to: Self.gate.latitude + meters / 111_195, longitude: Self.gate.longitude))
    }

    private func heard(_ app: VirtualApp) throws -> [String] { try #require(app.delegate as? Visitor).heard }

    private func visitor(_ device: VirtualDevice, at meters: Double = 0) async throws -> VirtualApp {
        let app = try device.install(delegate: Visitor.self)
        await device.setLocationPermission(of: app, to: .always)
        await move(device, meters)
        await device.launch(app)
        await device.advance(by: .zero)
        return app
    }

    @Test func aCrossingWakesTheSuspendedApp() async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [{ $0.startMonitoring(for: Self.region()) }]
            let app = try await visitor(device)
            await device.home()
            #expect(app.state == .suspended)
            await move(device, 310)
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(20))
            #expect(app.state == .background)
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
            await move(device, 0)
            await device.advance(by: .seconds(20))
            #expect(
                try heard(app) == ["started gate", "left gate", "gate is outside", "entered gate", "gate is inside"])
        }
    }

    /// No start is needed in the new launch, and the app finds its region there.
    @Test func aCrossingLaunchesTheAppThatEnded() async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [
                { manager in
                    if manager.monitoredRegions.isEmpty { manager.startMonitoring(for: Self.region()) }
                }
            ]
            let app = try await visitor(device)
            await device.home()
            await device.forceQuit(app)
            await move(device, 1000)
            await device.advance(by: .seconds(20))
            #expect(app.state == .background)
            #expect(try heard(app) == ["by a location", "left gate", "gate is outside"])
        }
    }

    @Test func statesAreAnswered() async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [
                {
                    $0.startMonitoring(for: Self.region())
                    $0.requestState(for: Self.region())
                    $0.requestState(for: Self.region(200, "another"))
                }
            ]
            let app = try await visitor(device, at: 500)
            #expect(try heard(app) == ["started gate", "another is unknown", "gate is outside"])
        }
    }

    /// A region that cannot be monitored fails, and leaves the others.
    @Test(arguments: [0, -1, .nan, .infinity, 1e9, 100_000.01])
    func anImpossibleRadiusFails(radius: Double) async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [
                {
                    $0.startMonitoring(for: Self.region())
                    $0.startMonitoring(for: Self.region(radius, "odd"))
                }
            ]
            let app = try await visitor(device)
            #expect(try heard(app) == ["started gate", "failed odd 5"])
            let manager = try #require(app.delegate as? Visitor).manager
            #expect(manager.monitoredRegions.map(\.identifier) == ["gate"])
        }
    }

    @Test func anImpossibleCenterFails() async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [
                { manager in
                    for (latitude, longitude) in [(200, 0), (0, 181), (.nan, 0), (0, .infinity), (1e300, 0)] {
                        let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
                        manager.startMonitoring(
                            for: CLCircularRegion(center: center, radius: 100, identifier: "\(latitude)"))
                    }
                }
            ]
            let app = try await visitor(device)
            #expect(try heard(app).count == 5 && heard(app).allSatisfy { $0.hasPrefix("failed") })
        }
    }

    /// The poles and the date line are places like others.
    @Test(arguments: [(90, 0), (-90, 77), (0, 180), (0, -180), (52, 179.9999)] as [(Double, Double)])
    func regionsAtTheEndsOfTheMap(latitude: Double, longitude: Double) async throws {
        try await withVirtualDevice { device in
            let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            Visitor.starts = [
                {
                    let region = CLCircularRegion(center: center, radius: 1000, identifier: "end")
                    $0.startMonitoring(for: region)
                    $0.requestState(for: region)
                }
            ]
            let app = try await visitor(device)
            #expect(await device.move(to: latitude, longitude: longitude == 179.9999 ? -179.9999 : -longitude))
            await device.advance(by: .seconds(20))
            // Half of the poles' circle, and the other side of the date line, are the same place.
            #expect(try heard(app) == ["started end", "end is outside", "entered end", "end is inside"])
        }
    }

    @Test func theTwentyFirstRegionFails() async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [
                { manager in for number in 1...21 { manager.startMonitoring(for: Self.region(200, "\(number)")) } }
            ]
            let app = try await visitor(device)
            #expect(try heard(app) == (1...20).map { "started \($0)" } + ["failed 21 5"])
        }
    }

    @Test func aDeniedRegionFails() async throws {
        try await withVirtualDevice { device in
            Visitor.starts = [{ $0.startMonitoring(for: Self.region()) }]
            let app = try device.install(delegate: Visitor.self)
            await device.setLocationPermission(of: app, to: .deny)
            await device.launch(app)
            await device.advance(by: .zero)
            #expect(try heard(app) == ["failed gate 4"])
            #expect(try #require(app.delegate as? Visitor).manager.monitoredRegions.isEmpty)
        }
    }

    @Test func valuesOfARegion() {
        let region = Self.region()
        #expect(region.contains(Self.gate) && !region.contains(CLLocationCoordinate2D(latitude: 53, longitude: 13)))
        #expect(region == Self.region() && region != Self.region(300) && region != Self.region(200, "other"))
        region.notifyOnExit = false
        let copy = region.copy() as? CLCircularRegion
        #expect(copy == region && copy?.notifyOnExit == false && copy?.notifyOnEntry == true)
        #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
        #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
    }
}
