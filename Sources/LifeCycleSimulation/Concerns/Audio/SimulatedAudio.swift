import LifeCycleModel
import LifeCyclePolicy

/// Sound in the simulation.
package enum SimulatedAudio: SimulatedConcern {
    static let calls = AudioCall.samples.map { ConcernCall.audio($0) }
    static let reasons = AudioDecision.samples.map { ConcernReason.audio($0) }
    static let acts = [
        // A phone call begins or ends. Some calls begin twice.
        Act(4) { history, _ in
            let isOn = history.world.random.chance(1, in: 2)
            history.world.handle(.concern(.audio(.call(isOn: isOn))))
        }
    ]
    static let reference: any ReferenceConcern.Type = ReferenceAudio.self
    static let alphabets = [
        ConcernAlphabet(
            name: "audio", modes: [.audio],
            searchSteps: [
                .activateAudio, .play, .playEndlessly, .stopPlaying, .deactivateAudio, .beginCall, .endCall,
            ])
    ]

    static func invariants(of device: Device) -> [any Invariant] { [AudioKeepsTheRules(device)] }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .audio(let word) = call { word } else { nil }
    }
    /// Nil: apps play by themselves.
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? { nil }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        if case .audio(let word) = reason { word } else { nil }
    }
}

extension AudioCall: SimulatedCall {
    static let samples = everyKind(from: AudioCall.interrupted(at: .zero)) { call in
        switch call {
        case .interrupted: ([call], next: .interruptionEnded(shouldResume: true))
        // It is the same notification.
        case .interruptionEnded: ([], next: .finished(AudioPlayerID(1)))
        case .finished: ([call], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? { nil }
    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool { false }

    /// Only the newest beginning and the newest end of an interruption count, and one end of each player.
    func outdates(_ older: ConcernCall) -> Bool {
        guard case .audio(let older) = older else { return false }
        return switch self {
        case .interrupted: if case .interrupted = older { true } else { false }
        case .interruptionEnded: if case .interruptionEnded = older { true } else { false }
        case .finished: older == self
        }
    }
}

extension ConcernStep {
    /// The app's session interrupts others, and continues in the background.
    static let activateAudio = code("activate audio") {
        let session = AudioSession(category: .playback)
        _ = $0.request(.concern(.audio(.setSession(session))), $1)
        return $0.request(.concern(.audio(.activate)), $1)
    }
    static let play = code("play") {
        let end = $0.core.now.awake + .seconds(3)
        return $0.request(.concern(.audio(.play(AudioPlayerID(1), until: end))), $1)
    }
    static let playEndlessly = code("play endlessly") {
        $0.request(.concern(.audio(.play(AudioPlayerID(1), until: nil))), $1)
    }
    static let stopPlaying = code("stop playing") { $0.request(.concern(.audio(.stop(AudioPlayerID(1)))), $1) }
    static let deactivateAudio = code("deactivate audio") {
        $0.request(.concern(.audio(.deactivate(notifiesOthers: true))), $1)
    }
    static let beginCall = ConcernStep("begin call") { world, _ in
        world.handle(.concern(.audio(.call(isOn: true))))
        return true
    }
    static let endCall = ConcernStep("end call") { world, _ in
        world.handle(.concern(.audio(.call(isOn: false))))
        return true
    }
}
