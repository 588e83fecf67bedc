import AppCore
import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The VoIP pushes and calls of apps with scripts. The reference model checks each event.
@Suite struct VoIPTests {
    private static let pushCall = DelegateCall.concern(.voip(.push(VoIPPush(number: 1, payload: "{}"))), CallbackID(1))
    private static let answerCall = DelegateCall.concern(.voip(.perform(.answer, .sample)), CallbackID(1))
    private static let endCall = DelegateCall.concern(.voip(.perform(.end, .sample)), CallbackID(1))

    /// A world with an app that registers at each launch. It was opened, and is in the background.
    private func world(_ policy: Policy = .iOS26, _ change: (inout AppScript) -> Void = { _ in }) -> World {
        var (script, other) = (AppScript(), AppScript())
        script.reactions[.init(.didFinishLaunching(.user))] = [.registersVoIP(true)]
        change(&script)
        other.reactions[.init(.didBecomeActive)] = [.setsAudio(AudioSession(category: .playback)), .playsAudio(nil)]
        var world = World(policy: policy, scripts: [script, other])
        world.handle(.device(.appInstalled(app(1), manifest(1, modes: [.voip]))))
        world.handle(.device(.appInstalled(app(2), manifest(2, modes: [.audio]))))
        open(1, in: &world)
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
        return world
    }

    private func open(_ number: Int32, in world: inout World) {
        world.handle(.device(.appOpened(app(number))))
        world.advance(by: .zero)
    }

    private func push(to world: inout World) {
        world.handle(.concern(.voip(.pushArrived(app(1), payload: "{}"))))
        world.advance(by: .zero)
    }

    private func choose(_ choice: CallChoice, in world: inout World) {
        world.handle(.concern(.voip(.chosen(choice))))
        world.advance(by: .zero)
    }

    private func state(_ number: Int32, _ world: World) -> AppState? {
        world.device.snapshot(of: app(number))?.state
    }

    private func decisions(_ world: inout World) -> [VoIPDecision] {
        world.takeChronicle().flatMap { entry -> [VoIPDecision] in
            guard case .turn(_, let effects) = entry.what else { return [] }
            return effects.compactMap { if case .decided(.concern(.voip(let decision))) = $0 { decision } else { nil } }
        }
    }

    /// Whether an app was called with this since the last look at the chronicle.
    private func isCalled(_ call: VoIPCall, in world: inout World) -> Bool {
        world.takeChronicle().contains { entry in
            guard case .turn(_, let effects) = entry.what else { return false }
            return effects.contains { effect in
                if case .launch(_, .send(.callback(_, .concern(.voip(call))))) = effect { true } else { false }
            }
        }
    }

    @Test func aCallKeepsItsAppRunningUntilItsEnd() {
        var world = world()
        #expect(state(1, world) == .suspended)
        push(to: &world)
        world.advance(by: .seconds(60))
        #expect(state(1, world) == .background, "it rings")
        choose(.answer, in: &world)
        world.advance(by: .seconds(600))
        #expect(state(1, world) == .background, "it is on")
        choose(.end, in: &world)
        #expect(state(1, world) == .suspended)
        #expect(decisions(&world).contains(.connected(launch(), .sample)))
        #expect(world.violation == nil)
    }

    @Test func aPushLaunchesAForceQuitApp() {
        var world = world()
        world.handle(.device(.appForceQuit(app(1))))
        world.advance(by: .zero)
        #expect(state(1, world) == .notRunning)
        push(to: &world)
        #expect(state(1, world) == .background)
        #expect(decisions(&world).contains(.delivered(launch(1, 2), 1)))
        #expect(world.violation == nil)
    }

    @Test func aForceQuitBarsPushesIfThePolicySaysSo() {
        var policy = Policy.iOS26
        policy.pushKitOvercomesForceQuit = false
        var world = world(policy)
        world.handle(.device(.appForceQuit(app(1))))
        world.advance(by: .zero)
        push(to: &world)
        #expect(state(1, world) == .notRunning)
        #expect(world.violation == nil)
    }

    @Test func anAppThatReportsNoCallIsKilledThreeTimes() {
        var world = world { $0.reactions[.init(Self.pushCall)] = [] }
        for _ in 1...3 {
            push(to: &world)
            #expect(state(1, world) == .notRunning)
        }
        #expect(decisions(&world).contains(.missed(launch(1, 3), 3)))
        push(to: &world)
        #expect(decisions(&world) == [.dropped(app(1), .tooManyMisses)])
        world.handle(.device(.appInstalled(app(1), manifest(1, modes: [.voip]))))
        push(to: &world)
        #expect(decisions(&world).contains(.delivered(launch(1, 4), 4)))
        #expect(world.violation == nil)
    }

    @Test func anAppThatExitsForAPushHasMissedACall() {
        var world = world { $0.reactions[.init(Self.pushCall)] = [.exit(0)] }
        push(to: &world)
        #expect(state(1, world) == .notRunning)
        #expect(decisions(&world).contains(.missed(launch(), 1)))
        #expect(world.violation == nil)
    }

    @Test func aPushWaitsForARegistryForItsTime() {
        var world = world { script in
            script.reactions[.init(.didFinishLaunching(.user))] = []
            script.reactions[.init(.didBecomeActive)] = [.registersVoIP(true)]
        }
        world.handle(.device(.appForceQuit(app(1))))
        world.advance(by: .zero)
        push(to: &world)
        world.advance(by: .seconds(29))
        #expect(decisions(&world).contains(.waits(app(1))))
        world.advance(by: .seconds(1))
        #expect(decisions(&world) == [.dropped(app(1), .noRegistry)])
        #expect(world.violation == nil)
    }

    @Test func aCallInterruptsTheForegroundAndTheSoundOfOthers() {
        var world = world()
        open(2, in: &world)
        push(to: &world)
        #expect(state(2, world) == .inactive)
        choose(.decline, in: &world)
        #expect(state(2, world) == .active)
        let effects = world.takeChronicle().flatMap { entry -> [Effect] in
            if case .turn(_, let effects) = entry.what { effects } else { [] }
        }
        #expect(effects.contains(.decided(.concern(.audio(.interrupted(launch(2), by: nil))))))
        #expect(effects.contains(.decided(.concern(.audio(.interruptionEnded(launch(2), shouldResume: true))))))
        #expect(world.violation == nil)
    }

    @Test func anActionThatIsNotPerformedTimesOut() {
        var world = world { $0.reactions[.init(Self.answerCall)] = [] }
        push(to: &world)
        choose(.answer, in: &world)
        world.advance(by: .seconds(59))
        #expect(state(1, world) == .background)
        world.advance(by: .seconds(1))
        #expect(state(1, world) == .suspended)
        #expect(decisions(&world).contains(.ended(launch(), .sample, .timedOut(.answer))))
        #expect(world.violation == nil)
    }

    @Test func oneCallIsOnAtATime() {
        var world = world()
        push(to: &world)
        choose(.answer, in: &world)
        push(to: &world)
        choose(.answer, in: &world)
        let refusal = Effect.decided(.device(.actRefused(.answerCall, .anotherCall)))
        #expect(world.effects(of: .concern(.voip(.chosen(.answer)))) == [refusal])
        choose(.end, in: &world)
        choose(.answer, in: &world)
        #expect(decisions(&world).contains(.connected(launch(), .numbered(2))))
        choose(.end, in: &world)
        choose(.end, in: &world)
        #expect(
            world.effects(of: .concern(.voip(.chosen(.end)))) == [
                .decided(.device(.actRefused(.endCall, .noCall)))
            ])
        #expect(world.violation == nil)
    }

    // MARK: Outgoing calls, hold and mute

    private func act(_ act: AppScript.Act, in world: inout World) throws {
        try world.act(act, of: app(1))
        world.advance(by: .zero)
    }

    /// A world whose app is in the background with a connected outgoing call.
    private func calling(_ change: (inout AppScript) -> Void = { _ in }) throws -> World {
        var world = world(.iOS26, change)
        open(1, in: &world)
        try act(.startsCall(), in: &world)
        try act(.connectsCall(), in: &world)
        world.handle(.device(.homePressed))
        world.advance(by: .zero)
        return world
    }

    @Test func anOutgoingCallKeepsItsAppRunning() throws {
        var world = world()
        open(1, in: &world)
        try act(.startsCall(), in: &world)
        #expect(state(1, world) == .active, "it does not ring")
        #expect(isCalled(.audio(isActive: true), in: &world))
        world.handle(.device(.homePressed))
        world.advance(by: .seconds(600))
        #expect(state(1, world) == .background, "it is dialing")
        try act(.connectsCall(), in: &world)
        #expect(decisions(&world) == [.connected(launch(), .sample)])
        choose(.end, in: &world)
        #expect(state(1, world) == .suspended)
        #expect(decisions(&world).contains(.ended(launch(), .sample, .user)))
        #expect(world.violation == nil)
    }

    @Test func aStartThatIsNotFulfilledTimesOut() throws {
        let start = DelegateCall.concern(.voip(.perform(.start, .sample)), CallbackID(1))
        var world = world { $0.reactions[.init(start)] = [] }
        open(1, in: &world)
        try act(.startsCall(), in: &world)
        #expect(decisions(&world).suffix(1) == [.chosen(launch(), .sample, .start)])
        world.advance(by: .seconds(60))
        #expect(decisions(&world) == [.ended(launch(), .sample, .timedOut(.start))])
        #expect(world.violation == nil)
    }

    @Test func anAppWithoutTheModeStartsNoCall() throws {
        var world = world()
        open(2, in: &world)
        try world.act(.startsCall(), of: app(2))
        world.advance(by: .zero)
        #expect(decisions(&world).contains(.transactionRefused(launch(2), .unentitled)))
        #expect(world.violation == nil)
    }

    @Test func oneCallIsStartedAtATime() throws {
        var world = try calling()
        _ = decisions(&world)
        try act(.startsCall(), in: &world)
        #expect(decisions(&world) == [.transactionRefused(launch(), .invalidAction)])
        try act(.startsCall(.sample), in: &world)
        #expect(decisions(&world) == [.transactionRefused(launch(), .callUUIDAlreadyExists)])
        choose(.hold, in: &world)
        try act(.startsCall(), in: &world)
        #expect(decisions(&world).contains(.dialing(launch(), .numbered(3))))
        #expect(world.violation == nil)
    }

    @Test func aCallOnHoldHasNoSound() throws {
        var world = try calling()
        _ = decisions(&world)
        choose(.hold, in: &world)
        #expect(isCalled(.audio(isActive: false), in: &world))
        world.advance(by: .seconds(600))
        #expect(state(1, world) == .background, "the call continues")
        choose(.resume, in: &world)
        #expect(isCalled(.audio(isActive: true), in: &world))
        #expect(world.violation == nil)
    }

    @Test func aCallOnHoldWaitsForAnother() throws {
        var world = try calling()
        choose(.hold, in: &world)
        push(to: &world)
        choose(.answer, in: &world)
        #expect(decisions(&world).contains(.connected(launch(), .numbered(2))))
        choose(.resume, in: &world)
        let refusal = Effect.decided(.device(.actRefused(.resumeCall, .anotherCall)))
        #expect(world.effects(of: .concern(.voip(.chosen(.resume)))) == [refusal])
        choose(.end, in: &world)
        #expect(decisions(&world).contains(.ended(launch(), .numbered(2), .user)))
        choose(.resume, in: &world)
        #expect(decisions(&world).contains(.changed(launch(), .sample, .resume)))
        #expect(world.violation == nil)
    }

    @Test func theUserMutesACall() throws {
        var world = try calling()
        _ = decisions(&world)
        choose(.mute, in: &world)
        #expect(decisions(&world) == [.chosen(launch(), .sample, .mute), .changed(launch(), .sample, .mute)])
        choose(.mute, in: &world)
        let refusal = Effect.decided(.device(.actRefused(.muteCall, .noCall)))
        #expect(world.effects(of: .concern(.voip(.chosen(.mute)))) == [refusal])
        choose(.unmute, in: &world)
        #expect(decisions(&world) == [.chosen(launch(), .sample, .unmute), .changed(launch(), .sample, .unmute)])
        #expect(world.violation == nil)
    }

    /// The call continues.
    @Test func aHoldThatIsNotFulfilledTimesOut() throws {
        let hold = DelegateCall.concern(.voip(.perform(.hold, .sample)), CallbackID(1))
        var world = try calling { $0.reactions[.init(hold)] = [] }
        choose(.hold, in: &world)
        world.advance(by: .seconds(59))
        _ = decisions(&world)
        world.advance(by: .seconds(1))
        #expect(decisions(&world) == [.changeFailed(launch(), .sample, .hold)])
        #expect(state(1, world) == .background)
        #expect(world.violation == nil)
    }

    @Test func holdAndMuteOutliveARestartOfTheSystem() throws {
        var world = try calling()
        choose(.mute, in: &world)
        choose(.hold, in: &world)
        world.restartSystem()
        world.advance(by: .seconds(60))
        _ = decisions(&world)
        choose(.resume, in: &world)
        choose(.unmute, in: &world)
        let changes = decisions(&world).filter { if case .changed = $0 { true } else { false } }
        #expect(changes == [.changed(launch(), .sample, .resume), .changed(launch(), .sample, .unmute)])
        #expect(world.violation == nil)
    }

    @Test func aCallOutlivesARestartOfTheSystem() {
        var world = world()
        push(to: &world)
        choose(.answer, in: &world)
        world.restartSystem()
        world.advance(by: .seconds(60))
        #expect(state(1, world) == .background)
        choose(.end, in: &world)
        #expect(decisions(&world).contains(.ended(launch(), .sample, .user)))
        #expect(state(1, world) == .suspended)
        #expect(world.violation == nil)
    }

    /// The app does not end the call, which times out.
    @Test func theSoundOfACallEndsWithIt() {
        var world = world { $0.reactions[.init(Self.endCall)] = [] }
        push(to: &world)
        choose(.answer, in: &world)
        #expect(isCalled(.audio(isActive: true), in: &world))
        choose(.end, in: &world)
        world.restartSystem()
        world.advance(by: .seconds(30))
        #expect(!isCalled(.audio(isActive: false), in: &world))
        world.advance(by: .seconds(31))
        #expect(isCalled(.audio(isActive: false), in: &world))
        #expect(state(1, world) == .suspended)
        #expect(world.violation == nil)
    }

    @Test func aCallEndsWithItsLaunch() throws {
        var world = world()
        push(to: &world)
        try world.act(.crash(11), of: app(1))
        world.advance(by: .zero)
        #expect(decisions(&world).contains(.ended(launch(), .sample, .launchEnded)))
        #expect(world.violation == nil)
    }

    /// A push that comes while the app is being ended launches it again.
    @Test func aPushWaitsForTheEndOfALaunch() {
        var world = world { $0.reactions[.init(.willTerminate)] = [.take(.seconds(2))] }
        open(1, in: &world)
        world.handle(.device(.appForceQuit(app(1))))
        world.advance(by: .seconds(1))
        push(to: &world)
        #expect(decisions(&world).contains(.waits(app(1))))
        world.advance(by: .seconds(1))
        #expect(decisions(&world).contains(.delivered(launch(1, 2), 1)))
        #expect(world.violation == nil)
    }
}
