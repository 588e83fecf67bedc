import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The restore identifiers of an app's managers, at a launch for a Bluetooth event.
@Suite struct RestorationTests {
    private static let modes: [BackgroundMode] = [.bluetoothCentral, .bluetoothPeripheral, .location]

    private static func event(
        _ identifiers: [String], for reason: LaunchReason = .bluetoothCentral, of app: AppID = app(1)
    ) -> Event {
        .device(.wakeOccurred(app, reason, restoreIdentifiers: identifiers))
    }

    /// The launch callbacks and the restore identifiers that an app receives, in order.
    private static func sent(_ bench: Bench) -> [SystemMessage] {
        bench.effects.compactMap { effect in
            switch effect {
            case .launch(_, .send(let message)):
                switch message {
                case .restoreIdentifiers, .callback(_, .launch): message
                default: nil
                }
            default: nil
            }
        }
    }

    private static func restored(_ bench: Bench) -> [[String]] {
        sent(bench).compactMap { if case .restoreIdentifiers(let identifiers) = $0 { identifiers } else { nil } }
    }

    @Test(arguments: [LaunchReason.bluetoothCentral, .bluetoothPeripheral])
    func restoreIdentifiersPrecedeTheLaunchCallback(_ reason: LaunchReason) {
        var bench = Bench(.iOS26, [.sample(1, modes: Self.modes)])
        _ = bench.plays(Self.event(["left", "right"], for: reason))
        #expect(
            Self.sent(bench).suffix(2) == [
                .restoreIdentifiers(["left", "right"]), .callback(callback(1), .launch(reason)),
            ])
        #expect(Self.restored(bench).count == 1)
    }

    @Test func otherLaunchesHaveNoRestoreIdentifiers() {
        var bench = Bench(.iOS26, [.sample(1, modes: Self.modes)])
        _ = bench.plays(Self.event(["left"], for: .locationUpdate))
        #expect(Self.restored(bench).isEmpty)
    }

    /// A running app still has its managers.
    @Test func runningAppsReceiveNoRestoreIdentifiers() {
        var bench = Bench(.iOS26, [.sample(1, modes: Self.modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(Self.event(["left"]))
        #expect(Self.restored(bench).isEmpty)
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        _ = bench.plays(Self.event([]))
        #expect(bench.device.snapshot(of: app(1))?.state != .notRunning)
        #expect(Self.restored(bench).isEmpty)
    }

    @Test func restoreIdentifiersAreBoundedInNumberAndBytes() {
        var bench = Bench(.iOS26, [.sample(1, modes: Self.modes)])
        let (longest, long) = (String(repeating: "a", count: 256), String(repeating: "b", count: 257))
        _ = bench.plays(Self.event([long, longest] + (1...20).map(String.init)))
        #expect(Self.restored(bench) == [[longest] + (1...15).map(String.init)])
    }

    /// An app with scenes has no launch options.
    @Test func appsWithScenesReceiveNoRestoreIdentifiers() {
        var bench = Bench(
            .iOS26, [.sample(1, modes: Self.modes), .sample(2, modes: Self.modes, usesScenes: true)])
        _ = bench.plays(Self.event(["left"], of: app(2)))
        #expect(Self.restored(bench).isEmpty)
        _ = bench.plays(Self.event(["right"]))
        #expect(Self.restored(bench) == [["right"]])
    }

    /// T28: A process that was started early, and waits or is not connected yet.
    @Test(arguments: [false, true]) func prewarmedAppsReceiveRestoreIdentifiers(isConnected: Bool) {
        var bench = Bench(.iOS26, [.sample(1, modes: Self.modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        if isConnected { _ = bench.plays(.device(.deviceStarted)) } else { _ = bench.does(.device(.deviceStarted)) }
        bench.forget()
        _ = bench.plays(Self.event(["left"]))
        #expect(
            Self.sent(bench).suffix(2) == [
                .restoreIdentifiers(["left"]), .callback(callback(1), .launch(.bluetoothCentral)),
            ])
        #expect(Self.restored(bench).count == 1)
    }
}
