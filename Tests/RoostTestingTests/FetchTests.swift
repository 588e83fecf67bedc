import RoostKit
import Testing

@testable import RoostTesting

/// Looks for news in a fetch. The delegate stores the completion handler if it must not call it at once.
@MainActor private final class Reader: NSObject, UIApplicationDelegate {
    var handler: ((UIBackgroundFetchResult) -> Void)?
    static var answer: UIBackgroundFetchResult?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        return true
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if let answer = Self.answer { completionHandler(answer) } else { handler = completionHandler }
    }
}

/// Background fetch on the virtual device.
@Suite(.serialized) @MainActor struct FetchTests {
    private static let fetching: InfoPlist = ["UIBackgroundModes": ["fetch"]]

    init() { Reader.answer = .newData }

    private func isInstalled(on device: VirtualDevice, _ infoPlist: InfoPlist = fetching) async throws -> VirtualApp {
        let app = try device.install(infoPlist: infoPlist, delegate: Reader.self)
        await device.launch(app)
        await device.home()
        #expect(app.state == .suspended)
        return app
    }

    private func called(_ app: VirtualApp) -> [String] { app.callbacks.map(\.name) }
    private func fetches(_ app: VirtualApp) -> Int { called(app).count { $0 == "performFetch" } }

    /// As on the real device, fetches come by themselves.
    @Test func itsTurnComesByItself() async throws {
        try await withVirtualDevice { device in
            let app = try await isInstalled(on: device)
            await device.advance(by: .seconds(899))
            #expect(fetches(app) == 0)
            await device.advance(by: .seconds(900))
            #expect(fetches(app) == 1 && app.state == .suspended && app.wakes.last == .backgroundFetch)
            await device.advance(by: .seconds(86_400))
            #expect((50...97).contains(fetches(app)), "\(fetches(app)) in a day")
        }
    }

    @Test func anOfferedFetchWakesTheApp() async throws {
        try await withVirtualDevice { device in
            let app = try await isInstalled(on: device)
            await device.offerFetch(to: app)
            #expect(called(app).suffix(2) == ["didEnterBackground", "performFetch"] && app.state == .suspended)
        }
    }

    @Test func anOfferedFetchLaunchesTheApp() async throws {
        try await withVirtualDevice { device in
            let app = try await isInstalled(on: device)
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            let before = app.callbacks.count
            await device.offerFetch(to: app)
            #expect(
                called(app).dropFirst(before) == [
                    "willFinishLaunching", "didFinishLaunching", "didEnterBackground", "performFetch",
                ])
            #expect(app.state == .suspended)
        }
    }

    @Test func appsThatNeverCallTheHandlerAreKilledAfter30Seconds() async throws {
        Reader.answer = nil
        let findings = try await Findings.from { device in
            let app = try await isInstalled(on: device)
            await device.offerFetch(to: app)
            await device.advance(by: .milliseconds(29_999))
            #expect(app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .notRunning)
        }
        #expect(
            findings.sentences == [
                "Reader was killed 0x2182bad4 at +30 s: it did not call the completion handler of performFetch in time, "
                    + "0x2182bad4"
            ])
    }

    /// A second call has no effect and is reported; the app continues.
    @Test func theHandlerCountsOnce() async throws {
        Reader.answer = nil
        let findings = try await Findings.from { device in
            let app = try await isInstalled(on: device)
            await device.offerFetch(to: app)
            let handler = try #require((app.delegate as? Reader)?.handler)
            await device.advance(by: .seconds(29))
            handler(.noData)
            await device.advance(by: .seconds(1))
            #expect(app.state == .suspended)
            await device.launch(app)
            handler(.newData)
            await device.advance(by: .seconds(60))
            #expect(app.state == .active)
            #expect(app.reasons.count { $0.hasPrefix("performFetch: ") } == 1)
        }
        #expect(findings.sentences.count == 1, "\(findings.sentences)")
        #expect(findings.sentences.first?.contains("called more than once") == true, "\(findings.sentences)")
    }

    @Test(arguments: [
        (DeviceSetting.lowPowerMode(true), "Low Power Mode is on"), (.lowDataMode(true), "Low Data Mode is on"),
        (.network(.none), "there is no network"), (.backgroundRefresh(false), "Background App Refresh is off"),
    ]) func noAppFetchesWhileASettingForbidsIt(_ setting: DeviceSetting, _ reason: String) async throws {
        try await withVirtualDevice { device in
            let app = try await isInstalled(on: device)
            await device.set(setting)
            await device.advance(by: .seconds(86_400))
            #expect(fetches(app) == 0 && app.reasons.last == "may not fetch: \(reason)")
        }
    }

    /// No fetch while the battery is low, unless it is being charged.
    @Test func aLowBatteryIsSpared() async throws {
        try await withVirtualDevice { device in
            let app = try await isInstalled(on: device)
            await device.set(.power(.battery))
            await device.set(.batteryLevel(19))
            await device.advance(by: .seconds(86_400))
            #expect(fetches(app) == 0 && app.reasons.last == "may not fetch: the battery is low")
            await device.set(.power(.external))
            #expect(fetches(app) == 1)
        }
    }

    @Test func aForceQuitAppIsNotLaunched() async throws {
        try await withVirtualDevice { device in
            let app = try await isInstalled(on: device)
            await device.forceQuit(app)
            await device.offerFetch(to: app)
            await device.advance(by: .seconds(86_400))
            #expect(fetches(app) == 0 && app.state == .notRunning)
            #expect(app.reasons.contains { $0.contains("may not fetch: the user swiped it away") })
        }
    }
}
