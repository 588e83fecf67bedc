import Foundation
import RoostTesting
import Testing

@testable import LocationTestApp

/// The test of the guide "Location".
@Suite(.serialized) @MainActor struct LocationGuideTests {
    @Test func theDiaryGoesOnInTheBackground() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: AppDelegate.self)
            await device.setLocationPermission(of: app, to: .always)
            await device.move(to: 52.5163, longitude: 13.3777)
            await device.launch(app)
            await device.home()
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            await device.advance(by: .seconds(5 * 60))
            await device.move(to: 52.5219, longitude: 13.4132)
            #expect(app.state == .background)
            await device.advance(by: .seconds(10))
            let diary = (app.delegate as? AppDelegate)?.diary
            #expect(diary?.count == 1 && app.state == .suspended)
        }
    }

    @Test func aWalkFillsTheDiary() async throws {
        let walk = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("walk.gpx")
        try await withVirtualDevice { device in
            let app = try device.install(delegate: AppDelegate.self)
            await device.setLocationPermission(of: app, to: .always)
            await device.launch(app)
            await device.home()
            try await device.follow(gpx: walk, speed: 1.4)
            let diary = (app.delegate as? AppDelegate)?.diary ?? []
            #expect(diary.count == 5 && app.state == .suspended)
        }
    }
}
