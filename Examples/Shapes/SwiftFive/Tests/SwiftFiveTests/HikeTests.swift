import RoostTesting
import UIKit
import XCTest

@testable import SwiftFive

/// In the test's process. Each method is `async`: a synchronous one on the main actor aborts the run in Swift 5 mode.
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

    /// A global lives as long as the process, and here that is the test's: a kill does not empty it.
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
