import Foundation
import RoostCallKit
import RoostKit
import RoostTesting
import Testing

/// Calls that an app begins, transactions, hold, mute and observers on the virtual device.
@Suite(.serialized) @MainActor struct CallControllerTests {
    private let onlooker = Onlooker()

    init() { Caller.conduct = Caller.Conduct() }

    private func caller(_ app: VirtualApp) throws -> Caller { try #require(app.delegate as? Caller) }

    /// An app in the foreground.
    private func open(
        _ device: VirtualDevice, _ name: String? = nil, modes: [String] = ["voip"]
    ) async throws -> (VirtualApp, Caller) {
        let app = try device.install(name, infoPlist: ["UIBackgroundModes": modes], delegate: Caller.self)
        await device.launch(app)
        return (app, try caller(app))
    }

    /// Returns the answer to a transaction. An answer without the system comes by the main queue, which the device does
    /// not wait for.
    private func request(_ actions: CXAction..., by caller: Caller, on device: VirtualDevice) async -> String? {
        let count = caller.log.count
        caller.request(actions)
        await device.advance(by: .zero)
        for _ in 0..<100_000 where caller.log.count == count { await Task.yield() }
        return caller.log.dropFirst(count).first
    }

    private func start(_ call: UUID, _ name: String = "Ada") -> CXStartCallAction {
        CXStartCallAction(call: call, handle: CXHandle(type: .emailAddress, value: name))
    }

    /// An outgoing call that the other side has answered.
    private func connected(_ caller: Caller, on device: VirtualDevice) async -> UUID {
        let call = UUID()
        #expect(await request(start(call), by: caller, on: device) == "accepted")
        caller.connect(call)
        await device.advance(by: .zero)
        return call
    }

    // MARK: Outgoing calls

    @Test func anOutgoingCallIsStartedHeldAndEnded() async throws {
        try await withVirtualDevice { device in
            let (app, caller) = try await open(device)
            let call = UUID()
            #expect(await request(start(call), by: caller, on: device) == "accepted")
            #expect(caller.log == ["accepted", "start Ada", "sound on"], "the call is dialing")
            #expect(app.state == .active, "an outgoing call does not interrupt the app")
            await device.home()
            await device.advance(by: .seconds(3600))
            #expect(app.state == .background)
            caller.connect(call)
            await device.advance(by: .zero)
            await device.holdCall()
            #expect(caller.log.suffix(2) == ["hold", "sound off"])
            await device.advance(by: .seconds(3600))
            #expect(app.state == .background)
            await device.resumeCall()
            #expect(caller.log.suffix(2) == ["resume", "sound on"])
            await device.muteCall()
            await device.unmuteCall()
            #expect(caller.log.suffix(2) == ["mute", "unmute"])
            await device.endPhoneCall()
            #expect(caller.log.suffix(2) == ["end", "sound off"] && app.state == .suspended)
            #expect(
                caller.changes == [
                    "outgoing", "outgoing, connected", "outgoing, connected, on hold", "outgoing, connected",
                    "outgoing, connected, over",
                ])
        }
    }

    @Test func theAppActsOnItsCallLikeTheUser() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            let call = await connected(caller, on: device)
            let steps: [(CXAction, String)] = [
                (CXSetHeldCallAction(call: call, onHold: true), "hold"),
                (CXSetHeldCallAction(call: call, onHold: false), "resume"),
                (CXSetMutedCallAction(call: call, muted: true), "mute"),
                (CXSetMutedCallAction(call: call, muted: false), "unmute"),
                (CXEndCallAction(call: call), "end"),
            ]
            for (action, name) in steps {
                let count = caller.log.count
                #expect(await request(action, by: caller, on: device) == "accepted")
                #expect(caller.log.dropFirst(count).prefix(2) == ["accepted", name])
                #expect(action.isComplete)
            }
            #expect(caller.controller.callObserver.calls.isEmpty)
        }
    }

    /// The delegate gets another object, with all facts of the action that the app has made.
    @Test func theDelegateGetsTheFactsOfTheStart() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            let action = start(UUID())
            action.contactIdentifier = "7"
            action.isVideo = true
            let transaction = CXTransaction(action: action)
            caller.controller.request(transaction) { _ in }
            #expect(!transaction.isComplete)
            await device.advance(by: .zero)
            let performed = try #require(caller.lastStart)
            #expect(performed !== action && performed.uuid == action.uuid && performed.callUUID == action.callUUID)
            #expect(performed.handle.type == .emailAddress && performed.handle.value == "Ada")
            #expect(performed.contactIdentifier == "7" && performed.isVideo)
            #expect(transaction.isComplete && performed.isComplete)
        }
    }

    /// An app that makes an action does not perform it.
    @Test func anActionOfTheAppHasNoEffectOnTheCall() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            let call = await connected(caller, on: device)
            let end = CXEndCallAction(call: call)
            end.fulfill()
            await device.advance(by: .zero)
            #expect(end.isComplete && caller.controller.callObserver.calls.map(\.uuid) == [call])
        }
    }

    @Test(arguments: [true, false]) func aStartThatFailsEndsTheCall(hasMethod: Bool) async throws {
        try await withVirtualDevice { device in
            Caller.conduct.fulfills = false
            let (_, caller) = try await open(device)
            if !hasMethod { caller.provider?.setDelegate(onlooker, queue: nil) }
            #expect(await request(start(UUID()), by: caller, on: device) == "accepted")
            #expect(caller.log == (hasMethod ? ["accepted", "start Ada"] : ["accepted"]))
            #expect(caller.changes == ["outgoing", "outgoing, over"])
        }
    }

    @Test func aStartTimesOut() async throws {
        try await withVirtualDevice { device in
            Caller.conduct.fulfills = nil
            let (app, caller) = try await open(device)
            #expect(await request(start(UUID()), by: caller, on: device) == "accepted")
            await device.home()
            await device.advance(by: .milliseconds(59_999))
            #expect(caller.log.last == "start Ada" && app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(caller.log.last == "timed out true" && app.state == .suspended)
        }
    }

    /// A report of the connection is also one of the start.
    @Test func theConnectionIsAlsoTheStart() async throws {
        try await withVirtualDevice { device in
            Caller.conduct.fulfills = nil
            let (app, caller) = try await open(device)
            let call = await connected(caller, on: device)
            #expect(caller.log.last == "sound on")
            await device.home()
            await device.advance(by: .seconds(120))
            #expect(app.state == .background && caller.controller.callObserver.calls.map(\.uuid) == [call])
        }
    }

    @Test func anAsynchronousRequestReturnsOrThrows() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            let call = UUID()
            let requests: [(CXAction, String)] = [
                (start(call), "returned"), (CXAnswerCallAction(call: call), "thrown"),
            ]
            for (action, end) in requests {
                caller.requestLater(action)
                for _ in 0..<1000 where !caller.log.contains(end) {
                    await Task.yield()
                    await device.advance(by: .zero)
                }
                #expect(caller.log.contains(end), "\(caller.log)")
            }
        }
    }

    // MARK: Incoming calls

    @Test func theAppAnswersItsRingingCall() async throws {
        try await withVirtualDevice { device in
            let (app, caller) = try await open(device)
            let call = UUID()
            caller.ring(call)
            await device.advance(by: .zero)
            #expect(caller.log == ["rings"] && app.state == .inactive)
            #expect(await request(CXAnswerCallAction(call: call), by: caller, on: device) == "accepted")
            #expect(caller.log == ["rings", "accepted", "answer", "sound on"] && app.state == .active)
            #expect(caller.changes == ["", "connected"])
        }
    }

    // MARK: Refused transactions

    @Test func someTransactionsNeedNoSystem() async throws {
        try await withVirtualDevice { device in
            Caller.conduct.hasProvider = false
            let (_, caller) = try await open(device)
            #expect(await request(by: caller, on: device) == "emptyTransaction")
            #expect(await request(start(UUID()), by: caller, on: device) == "unknownCallProvider")
        }
    }

    @Test func withoutTheModeATransactionIsRefused() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device, modes: [])
            #expect(await request(start(UUID()), by: caller, on: device) == "unentitled")
            #expect(caller.log.count == 1 && caller.changes.isEmpty)
        }
    }

    @Test func aTransactionNeedsItsCalls() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            #expect(await request(CXEndCallAction(call: UUID()), by: caller, on: device) == "unknownCallUUID")
            let call = await connected(caller, on: device)
            #expect(await request(start(call), by: caller, on: device) == "callUUIDAlreadyExists")
            let answer = CXAnswerCallAction(call: call)
            #expect(await request(answer, by: caller, on: device) == "invalidAction")
            #expect(await request(start(UUID()), by: caller, on: device) == "invalidAction", "a call is on")
            let other = UUID()
            let hold = CXSetHeldCallAction(call: call, onHold: true)
            let count = caller.log.count
            #expect(await request(hold, start(other), start(other), by: caller, on: device) == "callUUIDAlreadyExists")
            let calls = caller.controller.callObserver.calls
            #expect(calls.map(\.uuid) == [call] && calls.map(\.isOnHold) == [false])
            #expect(caller.log.count == count + 1)
        }
    }

    @Test func anAppHasEightCalls() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            for _ in 1...8 { caller.ring(UUID()) }
            await device.advance(by: .zero)
            for _ in 0..<100_000 where caller.log.count < 8 { await Task.yield() }
            #expect(await request(start(UUID()), by: caller, on: device) == "maximumCallGroupsReached")
        }
    }

    @Test func theErrorsAreApples() {
        let names: [CXErrorCodeRequestTransactionError.Code] = [
            .unknown, .unentitled, .unknownCallProvider, .emptyTransaction, .unknownCallUUID, .callUUIDAlreadyExists,
            .invalidAction, .maximumCallGroupsReached,
        ]
        #expect(names.map(\.rawValue) == Array(0...7))
        #expect(CXErrorCodeRequestTransactionError(.invalidAction).errorCode == 6)
        #expect(CXErrorCodeRequestTransactionError.errorDomain == CXErrorDomainRequestTransaction)
    }

    // MARK: Hold

    @Test func aSecondCallNeedsTheFirstOneOnHold() async throws {
        try await withVirtualDevice { device in
            let (_, caller) = try await open(device)
            let first = await connected(caller, on: device)
            let second = UUID()
            let hold = CXSetHeldCallAction(call: first, onHold: true)
            let count = caller.log.count
            #expect(await request(hold, start(second, "Bob"), by: caller, on: device) == "accepted")
            let log = caller.log.dropFirst(count)
            #expect(log.filter { !$0.hasPrefix("sound") } == ["accepted", "hold", "start Bob"])
            #expect(log.last { $0.hasPrefix("sound") } == "sound on")
            await device.resumeCall()
            #expect(device.trace.contains("another call is on"))
            let calls = caller.controller.callObserver.calls
            #expect(calls.map(\.uuid) == [first, second] && calls.map(\.isOnHold) == [true, false])
        }
    }

    @Test func oneCallOfAllAppsIsOn() async throws {
        try await withVirtualDevice { device in
            let (_, one) = try await open(device, "One")
            _ = await connected(one, on: device)
            let (_, two) = try await open(device, "Two")
            #expect(await request(start(UUID()), by: two, on: device) == "invalidAction")
            await device.holdCall()
            #expect(one.log.suffix(2) == ["hold", "sound off"])
            #expect(await request(start(UUID(), "Bob"), by: two, on: device) == "accepted")
            #expect(two.log.suffix(3) == ["accepted", "start Bob", "sound on"])
            #expect(two.controller.callObserver.calls.count == 1, "calls of other apps are not visible")
            await device.endPhoneCall()
            #expect(two.log.suffix(2) == ["end", "sound off"])
            await device.resumeCall()
            #expect(one.log.suffix(2) == ["resume", "sound on"])
        }
    }

    @Test(arguments: [false, nil]) func aHoldThatFailsLeavesTheCall(fulfills: Bool?) async throws {
        try await withVirtualDevice { device in
            let (app, caller) = try await open(device)
            _ = await connected(caller, on: device)
            await device.home()
            Caller.conduct.fulfills = fulfills
            await device.holdCall()
            #expect(caller.log.last == "hold")
            await device.advance(by: .seconds(60))
            #expect(caller.log.last == (fulfills == nil ? "timed out true" : "hold") && app.state == .background)
            #expect(caller.controller.callObserver.calls.map(\.isOnHold) == [false])
            Caller.conduct.fulfills = true
            await device.holdCall()
            #expect(caller.log.suffix(2) == ["hold", "sound off"])
        }
    }
}
