import RoostTesting
import Testing
import UIKit

@testable import NotificationObservers

@MainActor private final class Statistics {
    var sent: [[SessionTracker.Visit]] = []
}

@Suite @MainActor struct SessionTrackerTests {
    private let statistics = Statistics()

    private func withApp(
        _ test: @MainActor (VirtualDevice, VirtualApp, SessionTracker) async throws -> Void
    ) async throws {
        try await withVirtualDevice { device in
            let tracker = SessionTracker(
                now: { Double(device.time.components.seconds) }, send: { statistics.sent.append($0) })
            let app = try device.install("Shop")
            await device.launch(app)
            try await test(device, app, tracker)
        }
    }

    @Test func aVisitIsFromActiveToTheBackground() async throws {
        try await withApp { device, app, tracker in
            await device.advance(by: .seconds(100))
            await device.home()
            #expect(tracker.visits == [.init(start: 0, end: 100)])
            #expect(
                app.notifications == [
                    .didFinishLaunching(.user), .didBecomeActive, .willResignActive, .didEnterBackground,
                ])
        }
    }

    @Test(arguments: [(29, 1), (30, 2), (3600, 2)])
    func aShortAbsenceDoesNotEndTheVisit(pause: Int, visits: Int) async throws {
        try await withApp { device, app, tracker in
            await device.advance(by: .seconds(100))
            await device.home()
            await device.advance(by: .seconds(pause))
            await device.launch(app)
            #expect(tracker.visits.count == visits && tracker.visits.last?.end == nil)
        }
    }

    @Test func anInterruptionIsNoEndOfAVisit() async throws {
        try await withApp { device, app, tracker in
            await device.advance(by: .seconds(10))
            await device.interrupt(by: .call)
            #expect(tracker.isInterrupted && app.state == .inactive)
            await device.advance(by: .seconds(50))
            await device.dismissInterruption()
            #expect(!tracker.isInterrupted && tracker.visits == [.init(start: 0, end: nil)])
        }
    }

    @Test func aMemoryWarningSendsFinishedVisits() async throws {
        try await withApp { device, app, tracker in
            await device.advance(by: .seconds(10))
            await device.home()
            await device.advance(by: .seconds(100))
            await device.launch(app)
            await device.memoryWarning()
            #expect(statistics.sent == [[.init(start: 0, end: 10)]] && tracker.visits == [.init(start: 110, end: nil)])
        }
    }

    /// A suspended app gets no notification, even if it has registered for it.
    @Test func suspendedAppsReceiveNoMemoryWarning() async throws {
        try await withApp { device, app, tracker in
            await device.home()
            #expect(app.state == .suspended)
            await device.memoryWarning()
            #expect(statistics.sent.isEmpty && tracker.visits.count == 1)
        }
    }

    @Test func aReleasedObserverReceivesNothing() async throws {
        try await withVirtualDevice { device in
            var tracker: SessionTracker? = SessionTracker(now: { 0 }, send: { statistics.sent.append($0) })
            weak let observed = tracker
            let app = try device.install("Shop")
            await device.launch(app)
            await device.home()
            #expect(observed?.visits.count == 1)
            tracker = nil
            #expect(observed == nil)
            await device.launch(app)
            await device.memoryWarning()
            #expect(statistics.sent.isEmpty)
        }
    }
}
