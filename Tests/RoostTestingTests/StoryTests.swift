import RoostKit
import Synchronization
import Testing

@testable import RoostTesting

/// The output of a failed test: the device's story, including the reasons why no app was woken.
@Suite @MainActor struct StoryTests {
    /// Runs a test that fails; returns its recorded issues, in order.
    private func issues(of test: () async throws -> Void) async throws -> [Issue] {
        let recorded = Mutex<[Issue]>([])
        try await withKnownIssue {
            try await test()
        } matching: { issue in
            recorded.withLock { $0.append(issue) }
            return true
        }
        return recorded.withLock { $0 }
    }

    private func text(_ issue: Issue?) -> String { issue?.comments.map(\.rawValue).joined() ?? "" }

    @Test func aFailedExpectationShowsTheStory() async throws {
        let issues = try await issues {
            try await withVirtualDevice { device in
                let app = try device.install("Notes")
                await device.launch(app)
                #expect(app.state == .suspended, "the test's own")
            }
        }
        #expect(issues.count == 2)
        #expect(text(issues.first) == "the test's own" && issues.first?.severity == .error)
        let story = text(issues.last)
        #expect(issues.last?.severity == .warning && story.contains("Notes  didBecomeActive"), "\(story)")
    }

    @Test func anErrorShowsTheStory() async throws {
        struct Broken: Error {}
        let issues = try await issues {
            try await withVirtualDevice { device in
                try device.install("Notes")
                throw Broken()
            }
        }
        #expect(issues.contains { $0.severity == .warning && text($0).contains("Notes  installed") }, "\(issues)")
        #expect(issues.contains { $0.error is Broken })
    }

    /// The device's own failures already include the story.
    @Test func theDevicesOwnFailuresShowItOnce() async throws {
        let issues = try await issues {
            try await withVirtualDevice { device in
                let app = try device.install("Notes") {
                    _ = UIApplication.shared.beginBackgroundTask(withName: "left") {}
                }
                await device.launch(app)
            }
        }
        #expect(issues.count == 1 && text(issues.first).contains("left a background task open"), "\(issues)")
    }

    @Test func aTestThatPassesIsSilent() async throws {
        let state = try await withVirtualDevice { device in
            let app = try device.install()
            await device.launch(app)
            return app.state
        }
        #expect(state == .active)
    }

    // MARK: No app was woken

    private nonisolated static let modes: InfoPlist = ["UIBackgroundModes": ["remote-notification", "fetch", "voip"]]

    @Test func aWakeThatWakesNoAppSaysWhy() async throws {
        try await withVirtualDevice { device in
            let plain = try device.install("Plain")
            await device.wake(plain, for: .voip)
            #expect(device.trace.contains("not woken for voip: UIBackgroundModes does not declare the mode it needs"))
            await device.offerFetch(to: plain)
            #expect(device.trace.contains("not woken for backgroundFetch: "))
            let app = try device.install("Notes", infoPlist: Self.modes)
            await device.launch(app)
            await device.forceQuit(app)
            await device.wake(app, for: .remoteNotification)
            #expect(device.trace.contains("Notes  not woken for remoteNotification: the user swiped it away"))
        }
    }

    @Test(arguments: [#"{"aps":{"content-available":1}}"#, #"{"aps":{"alert":"a"}}"#])
    func aPushThatWakesNoAppSaysWhy(payload: String) async throws {
        try await withVirtualDevice { device in
            let app = try device.install("Notes", infoPlist: Self.modes)
            try await device.push(payload, to: app)
            #expect(device.trace.contains("Notes  a remote notification is dropped: the app has not registered"))
        }
    }

    /// An `Info.plist` may be shared by tests, which run on any thread.
    @Test func anInfoPlistIsSendable() async throws {
        let mode = await Task.detached { Self.modes }.value
        try await withVirtualDevice { device in
            let app = try device.install("Notes", infoPlist: mode)
            await device.offerFetch(to: app)
            #expect(app.wakes == [.backgroundFetch])
        }
    }
}
