import RoostKit
import Testing

@testable import RoostTesting

@MainActor private final class Sensor: NSObject, UIApplicationDelegate {
    var options: [UIApplication.LaunchOptionsKey: [String]] = [:]

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.options = options?.compactMapValues { $0 as? [String] } ?? [:]
        return true
    }
}

/// The launch options of a launch for a Bluetooth event on the virtual device.
@Suite(.serialized) @MainActor struct RestorationTests {
    @Test(arguments: [LaunchReason.bluetoothCentral, .bluetoothPeripheral])
    func aLaunchHasTheIdentifiersOfItsManagers(_ reason: LaunchReason) async throws {
        try await withVirtualDevice { device in
            let modes: InfoPlist = ["UIBackgroundModes": ["bluetooth-central", "bluetooth-peripheral"]]
            let app = try device.install(infoPlist: modes, delegate: Sensor.self)
            await device.wake(app, for: reason, restoreIdentifiers: ["left", "right"])
            let key: UIApplication.LaunchOptionsKey =
                reason == .bluetoothCentral ? .bluetoothCentrals : .bluetoothPeripherals
            let delegate = try #require(app.delegate as? Sensor)
            #expect(delegate.options == [key: ["left", "right"]])
            #expect(device.trace.contains("an event occurs: \(reason.rawValue), to left, right"))
        }
    }
}
