import RoostKit
import Testing

@testable import RoostTesting

@Suite @MainActor struct TimeTests {
    @Test func aCallbackTakesNoTimeUnlessTheTestSaysSo() async throws {
        let findings = try await Findings.from { device in
            let app = try device.install("Notes")
            device.whileHandling(.didEnterBackground, takes: .seconds(6))
            await device.launch(app)
            await device.home()
            #expect(device.time == .zero && app.state == .background)
            await device.advance(by: .milliseconds(4_999))
            #expect(app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .notRunning)
        }
        #expect(
            findings.sentences == [
                "Notes was killed 0x8badf00d at +5 s: it did not return from didEnterBackground in time, 0x8badf00d"
            ])
    }

    @Test func aCallbackMayTakeSimulatedTime() async throws {
        try await withVirtualDevice { device in
            let app = try device.install()
            device.whileHandling(.didEnterBackground, of: app, takes: .seconds(4))
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(4))
            #expect(app.state == .suspended)
        }
    }

    @Test func theClockIsStoppedForSuspendedApps() async throws {
        let woken = Counter()
        try await withVirtualDevice { device in
            let app = try device.install {
                Task {
                    // App: the device's clock, which the test moves.
                    try await DeviceClock().sleep(for: .seconds(60))
                    woken.count += 1
                }
            }
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(3600))
            #expect(woken.count == 0)
            await device.launch(app)
            #expect(woken.count == 1, "due, so it resumes at once")
        }
    }

    @Test func stepsFromOneThingToTheNext() async throws {
        let woken = Counter()
        try await withVirtualDevice { device in
            let app = try device.install {
                for seconds in [20, 5, 60] {
                    Task {
                        // App: the device's clock, which the test moves.
                        try await DeviceClock().sleep(for: .seconds(seconds))
                        woken.count += 1
                    }
                }
            }
            await device.launch(app)
            var times: [Duration] = []
            while woken.count < 3, await device.advanceToNext() { times.append(device.time) }
            #expect(times.filter { [.seconds(5), .seconds(20), .seconds(60)].contains($0) }.count == 3)
            #expect(device.time == .seconds(60))
        }
    }

    @Test func aWeekIsOverSoon() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["location"]])
            await device.launch(app)
            await device.home()
            for _ in 0..<7 {
                await device.advance(by: .seconds(86_400))
                await device.wake(app, for: .locationMonitoring)
                // Without a handler for the event, the app has its slice of time.
                await device.advance(by: .seconds(10))
                #expect(app.state == .suspended && app.callbacks.last == .didEnterBackground)
            }
            #expect(app.wakes.filter { $0 == .locationMonitoring }.count == 7)
        }
    }

    /// The app is suspended as soon as the callback returns, and its work is canceled when the app is killed.
    @Test(arguments: [false, true]) func workOfAnAppThatWasStoppedIsWaitedFor(isKilled: Bool) async throws {
        let done = Counter()
        try await withVirtualDevice { device in
            let app = try device.install {
                let work = Task.detached {
                    // App: the device's clock, which the test moves.
                    try? await DeviceClock().sleep(for: .seconds(3600))
                    var sum: UInt64 = 0
                    for number in 0..<3_000_000 as Range<UInt64> { sum &+= number &* number }
                    let step = sum > 0 ? 1 : 2
                    await MainActor.run { done.count += step }
                }
                NotificationCenter.default.addObserver(
                    forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
                ) { _ in work.cancel() }
            }
            await device.launch(app)
            if isKilled { await device.kill(app) } else { await device.home() }
            #expect(app.state == (isKilled ? .notRunning : .suspended) && done.count == 1)
        }
    }

    @Test func workOnAQueueIsWaitedFor() async throws {
        let done = Counter()
        try await withVirtualDevice { device in
            let app = try device.install {
                let application = UIApplication.shared
                let task = application.beginBackgroundTask(withName: "work") {}
                DispatchQueue.global().async {
                    var sum: UInt64 = 0
                    for number in 0..<3_000_000 as Range<UInt64> { sum &+= number &* number }
                    DispatchQueue.main.async {
                        MainActor.assumeIsolated { done.count += sum > 0 ? 1 : 2 }
                        application.endBackgroundTask(task)
                    }
                }
            }
            await device.launch(app)
            #expect(done.count == 1)
            await device.home()
            #expect(app.state == .suspended)
        }
    }
}

@MainActor final class Counter {
    var count = 0
}
