import Foundation
import LifeCycleModel
import LifeCyclePolicy
import RoostTesting
import RoostWire
import Testing

@testable import RoostTestingTestApp

/// A device for an app: a virtual device, in the test's process or with its own processes, or the real system.
@MainActor private protocol LifeCycleDevice {
    func launch() async throws
    func home() async throws
    func interrupt() async throws
    func dismiss() async throws
    func lock() async throws
    func unlock() async throws
    func memoryWarning() async throws
    func forceQuit() async throws
    /// Advances time until the app is in this state.
    func rest(in state: AppState) async throws
    /// The callbacks that the app's delegate has received, by the names of its methods.
    func callbacks() throws -> [String]
}

@MainActor private struct Virtual: LifeCycleDevice {
    let device: VirtualDevice
    let app: VirtualApp

    func launch() async { await device.launch(app) }
    func home() async { await device.home() }
    func interrupt() async { await device.interrupt(by: .call) }
    func dismiss() async { await device.dismissInterruption() }
    func lock() async { await device.lock() }
    func unlock() async { await device.unlock() }
    func memoryWarning() async { await device.memoryWarning() }
    func forceQuit() async { await device.forceQuit(app) }
    func rest(in state: AppState) async {
        await device.advance(by: .seconds(60))
        #expect(app.state == state)
    }
    /// The app's delegate has no `willFinishLaunching`.
    func callbacks() -> [String] { app.callbacks.map(\.name).filter { $0 != "willFinishLaunching" } }
}

@MainActor private struct Real: LifeCycleDevice {
    let system: TestSystem
    static let app = BundleIdentifier.named("org.example.RoostTestingTestApp")

    init(_ system: TestSystem) throws {
        self.system = system
        let bundle = "\(system.directory)/bundles/Notes.app"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: TestSystem.products.appendingPathComponent("RoostTestingTestApp"),
            to: URL(fileURLWithPath: bundle + "/RoostTestingTestApp"))
        let plist = ["CFBundleIdentifier": Self.app.rawValue, "CFBundleExecutable": "RoostTestingTestApp"]
        try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: bundle + "/Info.plist"))
        try system.tell(.install(path: bundle, replacing: false))
    }

    func launch() throws {
        try system.tell(.launch(Self.app))
        try isActive()
    }
    func home() throws {
        try system.tell(.home)
        try settled()
    }
    func interrupt() throws {
        try system.tell(.interrupt(.call))
        try settled()
    }
    func dismiss() throws {
        try system.tell(.dismiss)
        try isActive()
    }
    func lock() throws {
        try system.tell(.lock)
        try settled()
    }
    func unlock() throws {
        try system.tell(.unlock)
        try isActive()
    }
    func memoryWarning() throws {
        let before = try callbacks().count
        try system.tell(.memory(.warning))
        try system.until("the app receives the warning") { try callbacks().count > before ? true : nil }
    }
    func forceQuit() throws {
        try system.tell(.quit(Self.app))
        try rest(in: .notRunning)
    }
    func rest(in state: AppState) throws { try system.until(Self.app, is: state) }
    /// Waits until the app is active, and has received the callback: the state changes a moment earlier.
    private func isActive() throws {
        try rest(in: .active)
        try system.until("the app is active") { try callbacks().last == "didBecomeActive" ? true : nil }
    }
    /// Waits until the app is no longer active or about to be.
    private func settled() throws {
        try system.until("the app is no longer active") {
            try system.summary(Self.app).state != .active && callbacks().last != "didBecomeActive" ? true : nil
        }
    }
    func callbacks() throws -> [String] {
        system.log(Self.app).filter { $0.hasPrefix("callback ") }.map { String($0.dropFirst("callback ".count)) }
            .filter { $0 != "significantTimeChange" }
    }
}

/// Runs the same story on a device, and returns the app's callbacks.
@MainActor private func tell(to device: any LifeCycleDevice) async throws -> [String] {
    try await device.launch()
    // The app syncs for three seconds under a background task.
    try await device.home()
    try await device.rest(in: .suspended)
    try await device.launch()
    try await device.interrupt()
    try await device.dismiss()
    try await device.memoryWarning()
    try await device.lock()
    try await device.rest(in: .suspended)
    try await device.unlock()
    try await device.home()
    try await device.forceQuit()
    try await device.launch()
    return try device.callbacks()
}

extension EndToEnd {
    /// An app gets the same callbacks on the virtual device, as a process per launch, and on the real system.
    @Suite(.whereCgroupsFreeze) @MainActor struct SameEverywhereTests {
        private static let story = [
            "didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground", "willEnterForeground",
            "didBecomeActive", "willResignActive", "didBecomeActive", "didReceiveMemoryWarning", "willResignActive",
            "didEnterBackground", "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground",
            "willTerminate", "didFinishLaunching", "didBecomeActive",
        ]

        @Test func inTheTestsProcess() async throws {
            try await withVirtualDevice { device in
                let app = try device.install(delegate: AppDelegate.self)
                let story = try await tell(to: Virtual(device: device, app: app))
                #expect(story == Self.story)
            }
        }

        @Test func asAProcessForEachLaunch() async throws {
            try await withVirtualDevice { device in
                let app = try device.install(executable: "RoostTestingTestApp")
                let story = try await tell(to: Virtual(device: device, app: app))
                #expect(story == Self.story)
                // The callbacks that the system reports are those that the app's code has received.
                let callbacks = app.output.split(separator: "\n").filter { $0.hasPrefix("callback ") }
                #expect(callbacks.map { String($0.dropFirst("callback ".count)) } == story)
            }
        }

        @Test func onTheRealSystem() async throws {
            try await TestSystem.run(settings: ["backgroundTime=10s"]) { system in
                let story = try await tell(to: Real(system))
                #expect(story == Self.story)
            }
        }
    }
}
