import LifeCycleModel

@testable import LifeCycleSimulation

extension SimulatedAudio: ConcernWithWays {
    static var words: [Word] { AudioRequest.words + AudioInput.words + AudioCall.words }
}

extension AudioRequest: HasWays {
    static let first = AudioRequest.setSession(AudioSession())

    var step: (way: Way, next: AudioRequest?) {
        switch self {
        case .setSession: (.audio(.activateAudio), .activate)
        case .activate: (.audio(.activateAudio), .deactivate(notifiesOthers: true))
        case .deactivate: (.audio(.activateAudio, .deactivateAudio), .play(AudioPlayerID(1), until: nil))
        case .play: (.audio(.play), .stop(AudioPlayerID(1)))
        case .stop: (.audio(.playEndlessly, .stopPlaying), nil)
        }
    }
}

extension AudioInput: HasWays {
    static let first = AudioInput.call(isOn: true)

    var step: (way: Way, next: AudioInput?) {
        switch self {
        case .call: (.audio(.beginCall, .endCall), nil)
        }
    }
}

extension AudioCall: HasWays {
    static let first = AudioCall.interrupted(at: .zero)

    private static let interruption: [SearchStep] =
        Way.active + [.concern(one, .activateAudio), .concern(one, .beginCall)]

    var step: (way: Way, next: AudioCall?) {
        switch self {
        case .interrupted: (.audio(.activateAudio, .beginCall), .interruptionEnded(shouldResume: true))
        case .interruptionEnded:
            (
                .searchSteps(
                    "audio with fetch", Self.interruption + [.acknowledge(one), .concern(one, .endCall)]),
                .finished(AudioPlayerID(1))
            )
        case .finished: (.searchSteps("audio with fetch", Way.active + [.concern(one, .play), .deadline]), nil)
        }
    }
}
