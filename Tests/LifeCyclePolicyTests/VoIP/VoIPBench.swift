import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// The token of every app of a bench. It is not nil.
let voipToken = DeviceToken([UInt8](repeating: 7, count: DeviceToken.size))

extension CallRequest {
    /// Begins an outgoing call.
    static func begin(_ id: CallID) -> CallRequest { .start(id, CallUpdate()) }
}

extension CallID {
    static let a = sample("A")
    static let b = sample("B")

    /// The UUID that has only this digit.
    static func sample(_ digit: Character) -> CallID {
        let text = [8, 4, 4, 4, 12].map { String(repeating: digit, count: $0) }.joined(separator: "-")
        guard let id = CallID(text) else { preconditionFailure("\(digit) is not a hexadecimal digit") }
        return id
    }
}

/// Effects that concern VoIP pushes and calls as text, one a line. A call is the first digit of its UUID. Times are
/// seconds after the start.
enum VoIPLines {
    /// Nil for an effect that does not concern pushes and calls.
    static func of(_ effect: Effect) -> String? {
        switch effect {
        case .launch(let launch, .send(.callback(_, .concern(.voip(let call))))): "\(launch) \(of(call))"
        case .launch(let launch, .send(.callback(_, .launch(let reason)))): "\(launch) launch for \(reason)"
        case .launch(let launch, .send(.concern(.voip(.reported(let id, let failure))))):
            "\(launch) told: \(name(id)) \(failure.map { "\($0)" } ?? "rings")"
        case .launch(let launch, .send(.concern(.voip(.transacted(let number, let failure))))):
            "\(launch) told: \(number) \(failure.map { "\($0)" } ?? "accepted")"
        case .launch(let launch, .start(let reason)): "start \(launch) for \(reason)"
        case .launch(let launch, .thaw): "thaw \(launch)"
        case .launch(let launch, .freeze): "freeze \(launch)"
        case .launch(let launch, .kill(let reason)): "kill \(launch): \(reason.code)"
        case .concern(.voip(.makeToken(let app))): "make a token for \(app)"
        case .concern(.voip(.confirmToken(let app))): "confirm the token of \(app)"
        case .decided(.concern(.voip(let decision))): "· \(of(decision))"
        case .decided(.launch(let launch, .interrupted(let kind))): "· \(launch) interrupted by \(kind)"
        case .decided(.launch(let launch, .interruptionEnded(let kind, let isAccepted))):
            "· \(launch) \(kind) \(isAccepted ? "accepted" : "over")"
        case .decided(.launch(let launch, .ignoredLate)): "· \(launch) ignored, late"
        case .decided(.device(.actRefused(let act, let refusal))): "· \(act) refused: \(refusal)"
        case .decided(.app(let app, .unknown)): "· \(app) unknown"
        case .decided(.app(let app, .wakeRefused(let reason, let refusal))): "· \(app) no \(reason): \(refusal)"
        default: nil
        }
    }

    static func of(_ record: VoIPRecord) -> String {
        "\(record.app): \(record.token == nil ? "no token" : "token")"
            + (record.misses > 0 ? ", \(record.misses) missed" : "")
            + record.calls.map { ", " + of($0) }.joined() + (record.launch.map { ", of \($0)" } ?? "")
    }

    private static func of(_ call: PhoneCall) -> String {
        "\(name(call.id)) \(of(call.state))" + (call.isOnHold ? " on hold" : "") + (call.isMuted ? " muted" : "")
            + call.changes.map { " (\($0.action) until \($0.until - start))" }.joined()
    }

    private static func name(_ id: CallID) -> String { String(id.description.prefix(1)) }

    private static func of(_ state: PhoneCall.State) -> String {
        switch state {
        case .ringing: "ringing"
        case .answering(let until): "answering until \(until - start)"
        case .starting(let until): "starting until \(until - start)"
        case .dialing: "dialing"
        case .connected: "connected"
        case .ending(let until): "ending until \(until - start)"
        }
    }

    private static func of(_ call: VoIPCall) -> String {
        switch call {
        case .tokenUpdated: "token"
        case .push(let push): "push \(push.number)"
        case .perform(let action, let id): "perform \(action) \(name(id))"
        case .timedOut(let action, let id): "timed out \(action) \(name(id))"
        case .audio(let isActive): "audio \(isActive ? "on" : "off")"
        }
    }

    private static func of(_ decision: VoIPDecision) -> String {
        switch decision {
        case .asked(let launch, let isWanted): "\(launch) wants \(isWanted ? "pushes" : "no pushes")"
        case .registered(let app, let isDone): "\(app) has \(isDone ? "a" : "no") token"
        case .waits(let app): "\(app) push waits"
        case .delivered(let launch, let push): "\(launch) gets push \(push)"
        case .dropped(let app, let loss): "\(app) loses a push: \(loss)"
        case .missed(let launch, let misses): "\(launch) reported no call, \(misses)"
        case .reported(let launch, let id, let failure):
            "\(launch) reports \(name(id))\(failure.map { ", \($0)" } ?? "")"
        case .transactionRefused(let launch, let failure): "\(launch) may not act: \(failure)"
        case .chosen(let launch, let id, let action): "\(launch) is to \(action) \(name(id))"
        case .dialing(let launch, let id): "\(launch) dials \(name(id))"
        case .changed(let launch, let id, let action): "\(launch) \(name(id)) \(action) done"
        case .changeFailed(let launch, let id, let action): "\(launch) \(name(id)) \(action) failed"
        case .connected(let launch, let id): "\(launch) \(name(id)) is on"
        case .ended(let launch, let id, let end): "\(launch) \(name(id)) over: \(of(end))"
        }
    }

    private static func of(_ end: CallEnd) -> String {
        switch end {
        case .reported(let reason): "reported \(reason)"
        case .user: "user"
        case .failed: "not performed"
        case .timedOut(let action): "\(action) timed out"
        case .launchEnded: "launch ended"
        }
    }
}

extension Bench {
    /// Handles an event and the events of all helpers that follow. Returns what concerns pushes and calls.
    mutating func phones(_ event: Event) -> String {
        let count = effects.count
        _ = plays(event)
        return phoned(since: count)
    }

    /// The same, and no helper acts.
    mutating func phonesAlone(_ event: Event) -> String {
        let count = effects.count
        handle(event)
        return phoned(since: count)
    }

    /// The effects that concern pushes and calls since the first `count` effects.
    func phoned(since count: Int) -> String { effects[count...].compactMap(VoIPLines.of).joined(separator: "\n") }

    /// Advances the clock, meets the deadlines on the way, and lets the helpers act. Returns what concerns pushes and
    /// calls.
    mutating func rests(_ span: Nanoseconds) -> String {
        let count = effects.count
        _ = passes(span)
        _ = plays()
        return phoned(since: count)
    }

    mutating func asks(_ request: VoIPRequest, _ launch: LaunchID = launch(1)) -> String {
        phones(.app(launch, .requested(.concern(.voip(request)))))
    }

    mutating func receivesPush(_ number: Int32 = 1) -> String {
        phones(.concern(.voip(.pushArrived(app(number), payload: "{}"))))
    }

    /// An app asks for actions on calls by `CXCallController`.
    mutating func transacts(
        _ requests: [CallRequest], _ launch: LaunchID = launch(1), number: Int64 = 1
    ) -> String {
        asks(.transact(number, requests), launch)
    }

    /// An app performs an action, or fails.
    mutating func performs(
        _ action: CallAction, _ id: CallID = .a, _ launch: LaunchID = launch(1), isFulfilled: Bool = true
    ) -> String {
        asks(.performed(action, id, isFulfilled: isFulfilled), launch)
    }

    /// The system is killed and started again, and the apps connect. Returns what concerns pushes and calls.
    mutating func recovers() -> String {
        let count = effects.count
        _ = restarts()
        _ = plays()
        _ = rests(.zero)
        return phoned(since: count)
    }

    mutating func chooses(_ choice: CallChoice) -> String { phones(.concern(.voip(.chosen(choice)))) }

    /// An app makes a registry, and receives its token.
    mutating func registers(_ launch: LaunchID = launch(1)) {
        _ = asks(.setRegistered(true), launch)
        _ = phones(.concern(.voip(.tokenMade(launch.app, voipToken))))
    }

    /// A push arrives for a registered app, which reports a call and handles the push.
    mutating func rings(_ id: CallID = .a, _ launch: LaunchID = launch(1)) {
        _ = receivesPush(launch.app.rawValue)
        _ = asks(.report(id, CallUpdate()), launch)
        let push = pushNumbers.last ?? 0
        _ = asks(.returned(push), launch)
        _ = asks(.completed(push), launch)
    }

    /// The user answers the first call that rings, and its app fulfills that.
    mutating func connects(_ id: CallID = .a, _ launch: LaunchID = launch(1)) {
        _ = chooses(.answer)
        _ = asks(.performed(.answer, id, isFulfilled: true), launch)
    }

    /// The numbers of the pushes that apps were called for.
    var pushNumbers: [Int64] {
        effects.callbacks.compactMap { if case .concern(.voip(.push(let push))) = $0 { push.number } else { nil } }
    }

    /// The stored records of VoIP apps, a line each.
    var voipOnDisk: String { stored.concerns.voip.map(VoIPLines.of).joined(separator: "\n") }

    /// A bench with two apps that have these modes. The first one has registered for pushes, and is in `state`.
    static func registered(
        _ state: AppState = .suspended, _ policy: Policy = .iOS26, modes: [BackgroundMode] = [.voip]
    ) -> Bench {
        var bench = Bench(policy, [.sample(1, modes: modes), .sample(2, modes: modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.registers()
        switch state {
        case .inactive, .active: break
        case .background: bench.toBackground()
        case .suspended: _ = bench.plays(.device(.homePressed))
        case .notRunning:
            // After this end the app is not launched again (R-175).
            bench.helpers[launch(1)]?.exit = .exited(code: 0)
            _ = bench.plays()
        }
        return bench
    }

    /// Both apps have registered, and are suspended.
    static func bothRegistered() -> Bench {
        var bench = Bench.registered()
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.registers(launch(2))
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    /// The first app has registered and is suspended. The second one is active.
    static func withOtherActive() -> Bench {
        var bench = Bench.registered()
        _ = bench.plays(.device(.appOpened(app(2))))
        return bench
    }

    /// Ten seconds after the start, a call of the first app rings. Nothing else keeps the app running.
    static func ringing(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.registered(.suspended, policy)
        bench.rings()
        _ = bench.rests(.seconds(10))
        return bench
    }

    /// The same, and the user has answered.
    static func connected() -> Bench {
        var bench = Bench.ringing()
        bench.connects()
        return bench
    }

    /// The same, and the user has put the call on hold.
    static func onHold() -> Bench {
        var bench = Bench.connected()
        _ = bench.chooses(.hold)
        _ = bench.performs(.hold)
        return bench
    }

    /// Ten seconds after the start, the first app has begun a call in the foreground, and runs in the background.
    static func starting() -> Bench {
        var bench = Bench.registered(.active)
        _ = bench.rests(.seconds(10))
        _ = bench.transacts([.begin(.a)])
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    /// The same, and the app has started the call.
    static func dialing() -> Bench {
        var bench = Bench.starting()
        _ = bench.performs(.start)
        return bench
    }
}
