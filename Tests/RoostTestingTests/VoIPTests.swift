import Foundation
import RoostAVFAudio
import RoostCallKit
import RoostKit
import RoostPushKit
import RoostTesting
import Testing

/// VoIP pushes and calls on the virtual device (R-129, R-130, R-171 to R-174).
@Suite(.serialized) @MainActor struct VoIPTests {
    private let ada = #"{"caller": "Ada"}"#
    private let onlooker = Onlooker()

    init() { Callee.conduct = Callee.Conduct() }

    private func callee(_ app: VirtualApp) throws -> Callee { try #require(app.delegate as? Callee) }

    /// The answers to reports come by the main queue, which the device does not wait for.
    private func soon(_ isSo: () -> Bool) async { for _ in 0..<100_000 where !isSo() { await Task.yield() } }

    /// An app in the foreground.
    private func open(
        _ device: VirtualDevice, modes: [String] = ["voip"]
    ) async throws -> (VirtualApp, Callee) {
        let app = try device.install(infoPlist: ["UIBackgroundModes": modes], delegate: Callee.self)
        await device.launch(app)
        return (app, try callee(app))
    }

    /// A suspended app.
    private func suspended(_ device: VirtualDevice) async throws -> (VirtualApp, Callee) {
        let (app, callee) = try await open(device)
        await device.home()
        #expect(app.state == .suspended)
        return (app, callee)
    }

    // MARK: Registration

    @Test func theTokenIsTheSameInEachLaunch() async throws {
        try await withVirtualDevice { device in
            let (app, first) = try await open(device)
            let token = try #require(first.tokens.first)
            #expect(token.count == 32 && first.tokens.count == 1)
            #expect(first.registry.pushToken(for: .voIP) == token)
            #expect(first.registry.pushToken(for: .fileProvider) == nil)
            await device.kill(app)
            await device.launch(app)
            #expect(try callee(app).tokens == [token])
            await device.reboot()
            #expect(try callee(app).tokens == [token])
        }
    }

    @Test func withoutTheTypeNoPushArrives() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await open(device)
            callee.registry.desiredPushTypes = [.complication]
            await device.advance(by: .zero)
            #expect(callee.registry.pushToken(for: .voIP) == nil)
            try await device.pushVoIP(ada, to: app)
            #expect(callee.calls.isEmpty)
            #expect(app.reasons.last == "a VoIP push is dropped: the app has not registered for VoIP pushes")
            await #expect(throws: (any Error).self) { try await device.pushVoIP("[]", to: app) }
        }
    }

    // MARK: Pushes

    @Test func aPushWakesTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            #expect(callee.calls == ["push Ada", "rings"] && app.wakes == [.user, .voipPush])
            await device.advance(by: .seconds(3600))
            #expect(app.state == .background, "the call rings")
        }
    }

    @Test func aPushReachesTheForegroundApp() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await open(device)
            try await device.pushVoIP(ada, to: app)
            #expect(callee.calls == ["push Ada", "rings"] && app.wakes == [.user] && app.state == .inactive)
            await device.answerCall()
            #expect(callee.calls.suffix(2) == ["answer", "sound on"] && app.state == .active)
        }
    }

    @Test func aPushReachesAnAppInTheBackground() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            await device.wake(app, for: .voip)
            #expect(app.state == .background)
            try await device.pushVoIP(ada, to: app)
            #expect(callee.calls == ["push Ada", "rings"])
        }
    }

    @Test func aPushLaunchesTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await open(device)
            await device.kill(app)
            try await device.pushVoIP(ada, to: app)
            #expect(try callee(app).calls == ["push Ada", "rings"] && app.state == .background)
        }
    }

    @Test(arguments: [true, false]) func aPushLaunchesAForceQuitApp(isAllowed: Bool) async throws {
        var policy = Policy.iOS26
        policy.pushKitOvercomesForceQuit = isAllowed
        try await withVirtualDevice(policy) { device in
            let (app, _) = try await open(device)
            await device.forceQuit(app)
            try await device.pushVoIP(ada, to: app)
            #expect(app.wakes == (isAllowed ? [.user, .voipPush] : [.user]))
            #expect(app.state == (isAllowed ? .background : .notRunning))
        }
    }

    @Test func aPushWaitsForTheRegistry() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await open(device)
            Callee.conduct.registers = false
            await device.kill(app)
            try await device.pushVoIP(ada, to: app)
            await device.advance(by: .seconds(5))
            let late = try callee(app)
            #expect(late.calls.isEmpty && app.wakes == [.user, .voipPush])
            late.register()
            await device.advance(by: .zero)
            #expect(late.calls == ["push Ada", "rings"])

            await device.kill(app)
            try await device.pushVoIP(ada, to: app)
            await device.advance(by: .seconds(30))
            #expect(app.reasons.contains("a VoIP push is dropped: the app made no registry in time"))
            #expect(try callee(app).calls.isEmpty && app.state == .suspended)
        }
    }

    /// After three misses no push arrives until the device is started.
    @Test func anAppThatReportsNoCallIsKilled() async throws {
        try await withVirtualDevice { device in
            Callee.conduct.reports = false
            let (app, _) = try await open(device)
            for _ in 1...3 {
                try await device.pushVoIP(ada, to: app)
                #expect(device.expectTermination(of: app)?.code == .noCallReported && app.state == .notRunning)
            }
            #expect(app.wakes == [.user, .voipPush, .voipPush], "the first push found it in the foreground")
            try await device.pushVoIP(ada, to: app)
            #expect(app.reasons.last == "a VoIP push is dropped: the app reported no call for too many pushes")
            #expect(app.wakes.count == 3)
            Callee.conduct.reports = true
            await device.reboot()
            try await device.pushVoIP(ada, to: app)
            let callee = try callee(app)
            await device.advance(by: .seconds(1))
            await soon { callee.calls.count > 1 }
            #expect(callee.calls == ["push Ada", "rings"])
        }
    }

    @Test func beforeIOS13NoCallIsNeeded() async throws {
        try await withVirtualDevice(.iOS7) { device in
            Callee.conduct.reports = false
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            #expect(callee.calls == ["push Ada"] && app.state == .background)
        }
    }

    @Test func aPushWithoutADelegateEndsTheApp() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            callee.registry.delegate = nil
            try await device.pushVoIP(ada, to: app)
            #expect(device.expectTermination(of: app)?.code == .noCallReported)
            device.expectLog(of: app, containing: "make a PKPushRegistry with a delegate")
        }
    }

    /// The app is suspended, not killed.
    @Test func theCompletionHandlerHasItsTime() async throws {
        try await withVirtualDevice { device in
            Callee.conduct.completes = false
            let (app, _) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            await device.declineCall()
            await device.advance(by: .milliseconds(29_999))
            #expect(app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .suspended && app.terminations.isEmpty)
        }
    }

    /// Both objects call their delegates on the main thread, and do not wait for the app's queue.
    @Test func theQueueHasNoEffect() async throws {
        try await withVirtualDevice { device in
            let queue = DispatchQueue(label: "calls")
            queue.suspend()
            defer { queue.resume() }
            Callee.conduct.queue = queue
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            await device.answerCall()
            #expect(callee.calls == ["push Ada", "rings", "answer", "sound on"])
        }
    }

    // MARK: Reports

    @Test func withoutTheModeTheCallIsRefused() async throws {
        try await withVirtualDevice { device in
            let (_, callee) = try await open(device, modes: [])
            callee.report(UUID(), caller: "Ada")
            await device.advance(by: .zero)
            #expect(callee.calls == ["refused 1"])
        }
    }

    @Test func aSecondCallOfTheSameUUIDIsRefused() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            callee.report(callee.lastCall, caller: "Bob")
            await device.advance(by: .zero)
            #expect(callee.calls == ["push Ada", "rings", "refused 2"])
            await #expect(throws: CXErrorCodeIncomingCallError(.callUUIDAlreadyExists)) {
                try await callee.provider.reportNewIncomingCall(with: callee.lastCall, update: CXCallUpdate())
            }
        }
    }

    @Test func theAppEndsItsCall() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            callee.provider.reportCall(with: callee.lastCall, endedAt: nil, reason: .remoteEnded)
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended && callee.calls == ["push Ada", "rings"])
            #expect(app.reasons.contains { $0.hasSuffix("is over: the remote party ended it") }, "\(app.reasons)")
        }
    }

    @Test func anInvalidProviderHasNoCalls() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            callee.provider.invalidate()
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended && callee.calls == ["push Ada", "rings"])
            await device.launch(app)
            callee.report(UUID(), caller: "Bob")
            await soon { callee.calls.count > 2 }
            #expect(callee.calls == ["push Ada", "rings", "refused 0"])
        }
    }

    // MARK: The user

    @Test func aCallIsAnsweredAndEnded() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            await device.answerCall()
            #expect(callee.calls == ["push Ada", "rings", "answer", "sound on"])
            await device.advance(by: .seconds(3600))
            #expect(app.state == .background)
            await device.endPhoneCall()
            #expect(callee.calls.suffix(2) == ["end", "sound off"] && app.state == .suspended)
        }
    }

    @Test func aDeclinedCallEnds() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            await device.declineCall()
            #expect(callee.calls == ["push Ada", "rings", "end"])
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
        }
    }

    @Test func aFailedAnswerEndsTheCall() async throws {
        try await withVirtualDevice { device in
            Callee.conduct.fulfills = false
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            await device.answerCall()
            await device.advance(by: .seconds(10))
            #expect(callee.calls == ["push Ada", "rings", "answer"] && app.state == .suspended)
        }
    }

    @Test func anActionWithoutAMethodFails() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            callee.provider.setDelegate(onlooker, queue: nil)
            try await device.pushVoIP(ada, to: app)
            await device.answerCall()
            let reasons = app.reasons
            #expect(reasons.contains { $0.hasSuffix("is over: the app could not answer or start it") }, "\(reasons)")
        }
    }

    @Test func anActionTimesOut() async throws {
        try await withVirtualDevice { device in
            Callee.conduct.fulfills = nil
            let (app, callee) = try await suspended(device)
            try await device.pushVoIP(ada, to: app)
            await device.answerCall()
            await device.advance(by: .milliseconds(59_999))
            #expect(callee.calls.last == "answer" && app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(callee.calls.last == "timed out true" && app.state == .suspended)
        }
    }

    /// Only one call can be answered at a time.
    @Test func aCallInterruptsTheForegroundApp() async throws {
        try await withVirtualDevice { device in
            let (app, callee) = try await suspended(device)
            let other = try device.install("Notes")
            await device.launch(other)
            try await device.pushVoIP(ada, to: app)
            #expect(other.state == .inactive && app.state == .background)
            await device.answerCall()
            #expect(other.state == .active)
            try await device.pushVoIP(#"{"caller": "Bob"}"#, to: app)
            #expect(other.state == .inactive)
            await device.answerCall()
            #expect(other.state == .inactive && device.trace.contains("another call is on"))
            await device.declineCall()
            #expect(other.state == .active && callee.calls.last == "end")
            await device.endPhoneCall()
            #expect(callee.calls.suffix(2) == ["end", "sound off"])
        }
    }

    @Test func theEndOfTheProcessEndsItsCalls() async throws {
        try await withVirtualDevice { device in
            let (app, _) = try await suspended(device)
            let other = try device.install("Notes")
            await device.launch(other)
            try await device.pushVoIP(ada, to: app)
            #expect(other.state == .inactive)
            await device.kill(app)
            #expect(other.state == .active && app.terminations.count == 1)
            #expect(app.wakes.last == .voip, "R-175: it is launched again")
            await device.answerCall()
            #expect(device.trace.contains("no call rings"))
        }
    }

    // MARK: Sound

    @Test func aCallInterruptsTheSoundOfOthers() async throws {
        try await withVirtualDevice { device in
            let radio = try device.install(infoPlist: ["UIBackgroundModes": ["audio"]], delegate: Radio.self)
            await device.launch(radio)
            let host = try #require(radio.delegate as? Radio)
            let (app, _) = try await suspended(device)
            #expect(host.player?.isPlaying == true)
            try await device.pushVoIP(ada, to: app)
            #expect(host.player?.isPlaying == false && host.interruptions == 1)
            await device.answerCall()
            await device.advance(by: .seconds(3600))
            #expect(radio.state == .suspended && host.interruptions == 1)
            await device.endPhoneCall()
            #expect(host.player?.isPlaying == true && radio.state == .background)
        }
    }

    /// The app does not declare the mode `audio`. Its sound ends with the call.
    @Test func theAppOfTheCallPlaysInTheBackground() async throws {
        try await withVirtualDevice { device in
            Callee.conduct.plays = true
            let (app, callee) = try await suspended(device)
            let player = try #require(callee.player)
            #expect(!player.play())
            try await device.pushVoIP(ada, to: app)
            await device.answerCall()
            await device.advance(by: .seconds(60))
            #expect(player.isPlaying && player.currentTime == 60, "\(callee.calls)")
            await device.endPhoneCall()
            #expect(!player.isPlaying && app.state == .suspended)
        }
    }
}
