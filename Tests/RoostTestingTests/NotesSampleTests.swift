import Foundation
import RoostKit
import Testing

@testable import NotesSample
@testable import RoostTesting

/// The sample of Apple's guide, in this process and in its own process, with and without the calls of
/// `endBackgroundTask`.
@Suite(.serialized) @MainActor struct NotesSampleTests {
    enum Way: CaseIterable { case inProcess, aProcess }

    private func install(
        _ delegate: any UIApplicationDelegate.Type, _ way: Way, on device: VirtualDevice
    ) throws -> VirtualApp {
        switch way {
        case .inProcess: return try device.install("Notes", delegate: delegate)
        case .aProcess:
            let app = try device.install(executable: "NotesSample", name: "Notes")
            let folder = try #require(app.container) + "/.config"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let defaults = ["delegate": "\(delegate)"]
            let data = try PropertyListSerialization.data(fromPropertyList: defaults, format: .xml, options: 0)
            try data.write(to: URL(fileURLWithPath: folder + "/org.example.NotesSample.plist"))
            return app
        }
    }

    /// A launch, the home button, and ten minutes of the app's time. Measures the real time.
    private func tenMinutes(_ app: VirtualApp, _ way: Way, _ text: String, on device: VirtualDevice) async {
        let time = await ContinuousClock().measure {
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(600))
        }
        print("The notes' sample, \(way), \(text): ten minutes in \(time.formatted(.units(allowed: [.milliseconds])))")
    }

    @Test(arguments: Way.allCases)
    func theSamplePasses(way: Way) async throws {
        try await withVirtualDevice { device in
            let app = try install(FiniteLengthTask.self, way, on: device)
            await tenMinutes(app, way, "as it is", on: device)
            #expect(app.state == .suspended && app.terminations.isEmpty && app.log.isEmpty)
            #expect(
                app.callbacks == [
                    .willFinishLaunching(.user), .didFinishLaunching(.user), .didBecomeActive, .willResignActive,
                    .didEnterBackground,
                ])
            #expect(app.reasons.contains { $0.contains("\"MyTask\" is open") })
            if way == .aProcess { #expect(app.output == "168 primes\n") }
        }
    }

    @Test(arguments: Way.allCases)
    func withoutTheCallItFailsWithTheKillAndItsLine(way: Way) async throws {
        let findings = try await Findings.from { device in
            let app = try install(FiniteLengthTaskWithoutEnd.self, way, on: device)
            await tenMinutes(app, way, "without endBackgroundTask", on: device)
            #expect(app.state == .notRunning && app.expirations == ["MyTask"])
        }
        #expect(
            findings.sentences == [
                "Notes was killed 0x2182bad2 at +30 s: task \"MyTask\", begun FiniteLengthTaskWithoutEnd.swift:9, "
                    + "was never ended"
            ])
    }
}
