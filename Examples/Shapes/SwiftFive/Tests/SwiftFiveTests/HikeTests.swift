import RoostTesting
import UIKit
import XCTest

@testable import SwiftFive

/// Runs the app in the test's process. Every method is `async`: in Swift 5 mode, a synchronous method on the main actor
/// aborts the run.
@MainActor
final class HikeTests: XCTestCase {

    override func setUp() async throws {
        theHike = Hike()
    }

    func testAPlaceIsAnnounced() async throws {
        var places = 0
        let token = NotificationCenter.default.addObserver(forName: Hike.didChange, object: nil, queue: .main) { _ in
            places += 1
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await withVirtualDevice { device in
            let app = try device.install("Hikes") { theHike.note(place: "the hut") }
            await device.launch(app)
            XCTAssertEqual(places, 1)
        }
    }

    /// A global lives as long as its process, which is the test's here: a kill does not reset it.
    func testAGlobalSurvivesASimulatedKill() async throws {
        try await withVirtualDevice { device in
            let app = try device.install("Hikes") { theHike.note(place: "the hut") }
            await device.launch(app)
            await device.kill(app)
            await device.launch(app)
            XCTAssertEqual(theHike.places.count, 2)
        }
    }
}
