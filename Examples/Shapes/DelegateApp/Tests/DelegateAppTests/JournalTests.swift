import RoostTesting
import UIKit
import XCTest

@testable import DelegateApp

/// Runs the app in the test's process: the test can inspect its delegate.
final class JournalTests: XCTestCase {
    @MainActor func testCachesAreDroppedWhenMemoryIsLow() async throws {
        try await withVirtualDevice { device in
            var delegate: AppDelegate?
            let app = try device.install("Journal") {
                let made = AppDelegate()
                UIApplication.shared.delegate = made
                delegate = made
            }
            await device.launch(app)
            let cache = try XCTUnwrap(delegate).thumbnails
            cache.setObject(NSData(data: Data(count: 1000)), forKey: "holidays")
            await device.memoryWarning()
            XCTAssertNil(cache.object(forKey: "holidays"))
            XCTAssertEqual(app.callbacks.last, .didReceiveMemoryWarning)
            XCTAssertEqual(app.state, .active)
        }
    }

    /// `applicationDidEnterBackground` has only five seconds.
    @MainActor func testASaveThatTakesTooLongIsAKill() async throws {
        try await withVirtualDevice { device in
            let app = try device.install("Journal") {}
            device.whileHandling(.didEnterBackground, takes: .milliseconds(4_900))
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(5))
            XCTAssertEqual(app.state, .suspended)

            await device.launch(app)
            device.whileHandling(.didEnterBackground, takes: .seconds(6))
            await device.home()
            await device.advance(by: .seconds(6))
            let end = try XCTUnwrap(device.expectTermination(of: app))
            XCTAssertEqual("\(end.code)", "0x8badf00d")
        }
    }
}
