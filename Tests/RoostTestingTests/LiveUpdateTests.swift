import RoostKit
import RoostTesting
import Testing

@testable import RoostCoreLocation

/// Follows the device as Apple's sample code does: a task reads the live updates, and a session keeps the app in use.
@MainActor private final class Follower: UIResponder, UIApplicationDelegate {
    static var hasSession = true
    static var iterations = 1

    private(set) var heard: [String] = []
    private(set) var task: Task<Void, Never>?
    private(set) var session: CLBackgroundActivitySession?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if Self.hasSession { session = CLBackgroundActivitySession() }
        for _ in 1...Self.iterations { begin() }
        return true
    }

    private func begin() {
        task = Task { [weak self] in
            do {
                for try await update in CLLocationUpdate.liveUpdates() { self?.hear(update) }
                self?.heard.append("end")
            } catch {
                self?.heard.append("error \(error)")
            }
        }
    }

    func release() { session = nil }

    private func hear(_ update: CLLocationUpdate) {
        if let place = update.location { heard.append("\(place.coordinate.latitude)") }
        if update.authorizationDenied { heard.append("denied") }
        if update.authorizationRequestInProgress { heard.append("asked") }
        if update.insufficientlyInUse { heard.append("not in use") }
        if update.locationUnavailable { heard.append("nowhere") }
        if update.serviceSessionRequired { heard.append("session required") }
    }
}

/// Live updates and background activity sessions on the virtual device.
@Suite(.serialized) @MainActor struct LiveUpdateTests {
    init() { (Follower.hasSession, Follower.iterations) = (true, 1) }

    private func install(_ device: VirtualDevice, requiresSession: Bool = false) throws -> VirtualApp {
        try device.install(
            infoPlist: [
                "UIBackgroundModes": ["location"], "NSLocationWhenInUseUsageDescription": "To follow you.",
                "NSLocationRequireExplicitServiceSession": requiresSession,
            ], delegate: Follower.self)
    }

    /// Opens the app, which may use the location, on a device whose position is known.
    private func follow(_ device: VirtualDevice) async throws -> VirtualApp {
        let app = try install(device)
        await device.setLocationPermission(of: app, to: .whenInUse)
        await device.move(to: 52, longitude: 13)
        await device.launch(app)
        return app
    }

    /// The elements that the app's task has read, at least this many: it reads them soon after they arrive.
    private func heard(_ app: VirtualApp, _ count: Int) async throws -> [String] {
        let follower = try follower(app)
        for _ in 0..<100_000 where follower.heard.count < count { await Task.yield() }
        return follower.heard
    }

    private func follower(_ app: VirtualApp) throws -> Follower { try #require(app.delegate as? Follower) }

    @Test func theFirstUpdatesSayWhatIsMissing() async throws {
        try await withVirtualDevice { device in
            let app = try install(device)
            await device.launch(app)
            #expect(try await heard(app, 1) == ["asked"])
            await device.setLocationPermission(of: app, to: .whenInUse)
            await device.move(to: 52, longitude: 13)
            await device.setLocationPermission(of: app, to: .deny)
            await device.move(to: 53, longitude: 13)
            await device.setLocationPermission(of: app, to: .whenInUse)
            #expect(try await heard(app, 5) == ["asked", "nowhere", "52.0", "denied", "53.0"])
        }
    }

    @Test func aSessionFollowsInTheBackground() async throws {
        try await withVirtualDevice { device in
            let app = try await follow(device)
            await device.home()
            await device.advance(by: .seconds(3600))
            await device.move(to: 53, longitude: 13)
            #expect(try await heard(app, 2) == ["52.0", "53.0"])
            #expect(app.state == .background)
            try follower(app).release()
            await device.advance(by: .zero)
            #expect(app.state == .suspended)
        }
    }

    /// Without a session the positions wait for the foreground.
    @Test func withoutASessionTheAppIsSuspended() async throws {
        try await withVirtualDevice { device in
            Follower.hasSession = false
            let app = try await follow(device)
            await device.home()
            #expect(app.state == .suspended)
            await device.move(to: 53, longitude: 13)
            #expect(try await heard(app, 1) == ["52.0"])
            await device.launch(app)
            #expect(try await heard(app, 2) == ["52.0", "53.0"])
        }
    }

    @Test func theEndOfTheTaskEndsTheUpdates() async throws {
        try await withVirtualDevice { device in
            let app = try await follow(device)
            await device.home()
            #expect(app.state == .background)
            let task = try #require(try follower(app).task)
            task.cancel()
            await task.value
            await device.advance(by: .zero)
            #expect(try await heard(app, 2) == ["52.0", "end"])
            #expect(app.state == .suspended)
        }
    }

    /// Two iterations are on their own: the second one begins with the known position.
    @Test func eachIterationIsOnItsOwn() async throws {
        try await withVirtualDevice { device in
            Follower.iterations = 2
            let app = try await follow(device)
            await device.move(to: 53, longitude: 13)
            #expect(try await heard(app, 4) == ["52.0", "52.0", "53.0", "53.0"])
        }
    }

    @Test func theNextPositionLaunchesTheAppAgain() async throws {
        try await withVirtualDevice { device in
            let app = try await follow(device)
            await device.home()
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            await device.advance(by: .seconds(61))
            await device.move(to: 53, longitude: 13)
            #expect(app.state == .background)
            #expect(try await heard(app, 1).last == "53.0")
            await device.advance(by: .seconds(3600))
            #expect(app.state == .background)
        }
    }

    @Test func anAppMayRequireAServiceSession() async throws {
        try await withVirtualDevice { device in
            let app = try install(device, requiresSession: true)
            await device.launch(app)
            #expect(try await heard(app, 1) == ["session required"])
        }
    }
}
