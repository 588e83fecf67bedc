import LifeCycleModel
import LifeCyclePolicy

/// VoIP pushes and calls in the simulation.
package enum SimulatedVoIP: SimulatedConcern {
    static let calls = VoIPCall.samples.map { ConcernCall.voip($0) }
    static let reasons = VoIPDecision.samples.map { ConcernReason.voip($0) }
    static let acts = [
        // Most pushes are for apps that have a token. Now and then more arrive at once than may wait.
        Act(10) { history, app in
            let app = history.world.random.chance(1, in: 5) ? app : history.world.appWithVoIPToken() ?? app
            let isFlood = history.world.random.chance(1, in: 20)
            let count = isFlood ? VoIPPush.mostWaiting + 4 : 1 + history.world.random.below(2)
            for _ in 0..<count { history.world.handle(.concern(.voip(.pushArrived(app, payload: "{}")))) }
        },
        // Calls are rarely on hold or muted, so the user often ends that.
        Act(16) { history, _ in
            let calls = history.world.core.checked.disk.concerns.voip.flatMap(\.calls)
            var choice = history.pick(choices)
            if calls.contains(where: \.isMuted), history.world.random.chance(1, in: 3) { choice = .unmute }
            if calls.contains(where: \.isOnHold), history.world.random.chance(1, in: 2) { choice = .resume }
            history.world.handle(.concern(.voip(.chosen(choice))))
        },
    ]
    /// The user's acts, as often as they occur among 17 acts.
    private static let choices: [CallChoice] = [
        .answer, .answer, .answer, .answer, .answer, .decline, .decline, .end, .end, .end, .hold, .hold, .hold, .resume,
        .resume, .mute, .unmute,
    ]

    static let reference: any ReferenceConcern.Type = ReferenceVoIP.self
    static let alphabets = [
        ConcernAlphabet(
            name: "voip", modes: [.voip],
            searchSteps: [
                .registerForVoIP, .voipPush, .reportCall, .finishPush, .answerCall, .declineCall, .hangUp, .startCall,
                .connectCall, .holdOrResume, .performAction,
            ])
    ]

    static func invariants(of device: Device) -> [any Invariant] { [VoIPKeepsTheRules(device)] }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .voip(let word) = call { word } else { nil }
    }
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? {
        if case .voip(let word) = output { word } else { nil }
    }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        if case .voip(let word) = reason { word } else { nil }
    }
}

extension VoIPCall: SimulatedCall {
    private static let token: DeviceToken = {
        guard let token = DeviceToken([UInt8](repeating: 0, count: DeviceToken.size)) else {
            preconditionFailure("a token has this number of bytes")
        }
        return token
    }()

    /// An action for each method of the provider's delegate.
    private static let actions: [CallAction] = [.answer, .end, .start, .hold, .mute]

    static let samples = everyKind(from: VoIPCall.tokenUpdated(token)) { call in
        switch call {
        case .tokenUpdated: ([call], next: .push(VoIPPush(number: 1, payload: "{}")))
        case .push: ([call], next: .perform(.answer, .sample))
        case .perform: (actions.map { .perform($0, .sample) }, next: .timedOut(.answer, .sample))
        case .timedOut: ([call], next: .audio(isActive: true))
        case .audio: ([call, .audio(isActive: false)], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? { nil }
    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool { false }

    /// Only the newest token is valid.
    func outdates(_ older: ConcernCall) -> Bool {
        if case (.tokenUpdated, .voip(.tokenUpdated)) = (self, older) { true } else { false }
    }
}

extension CallID {
    /// The call of the exhaustive search, and of the samples of calls and decisions.
    static let sample = numbered(1)

    /// The UUID whose last digits are this number.
    static func numbered(_ number: Int) -> CallID {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 12 - digits.count))
        guard let id = CallID("00000000-0000-4000-8000-\(zeros)\(digits)") else {
            preconditionFailure("\(number) has more than 12 digits, or is negative")
        }
        return id
    }
}

extension ConcernStep {
    static let registerForVoIP = code("register for VoIP pushes") {
        $0.request(.concern(.voip(.setRegistered(true))), $1)
    }
    static let voipPush = ConcernStep("VoIP push") { world, app in
        world.handle(.concern(.voip(.pushArrived(app, payload: "{}"))))
        return true
    }
    static let reportCall = code("report call") { $0.request(.concern(.voip(.report(.sample, CallUpdate()))), $1) }
    /// The delegate's method returns from the first push, and the app calls the completion handler.
    static let finishPush = code("finish push") { world, index in
        guard let push = world.processes[index].voipPushes.first else { return false }
        world.processes[index].voipPushes.removeFirst()
        _ = world.request(.concern(.voip(.returned(push))), index)
        return world.request(.concern(.voip(.completed(push))), index)
    }
    static let startCall = code("start call") {
        $0.request(.concern(.voip(.transact(1, [.start(.sample, CallUpdate())]))), $1)
    }
    static let connectCall = code("connect call") { $0.request(.concern(.voip(.connected(.sample))), $1) }
    /// The app performs its first action.
    static let performAction = code("perform action") { world, index in
        guard let action = world.processes[index].callActions.first else { return false }
        world.processes[index].callActions.removeFirst()
        return world.request(.concern(.voip(.performed(action, .sample, isFulfilled: true))), index)
    }
    static let answerCall = choose("answer call", .answer)
    static let declineCall = choose("decline call", .decline)
    static let hangUp = choose("hang up", .end)

    /// The user resumes the call if it is on hold, and otherwise puts it on hold.
    static let holdOrResume = ConcernStep("hold or resume") { world, _ in
        for choice in [CallChoice.resume, .hold] { world.handle(.concern(.voip(.chosen(choice)))) }
        return true
    }

    private static func choose(_ name: String, _ choice: CallChoice) -> ConcernStep {
        ConcernStep(name) { world, _ in
            world.handle(.concern(.voip(.chosen(choice))))
            return true
        }
    }
}
