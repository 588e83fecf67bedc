import LifeCycleModel

@testable import LifeCycleSimulation

private func way(_ searchSteps: [SearchStep]) -> Way { .searchSteps("fetch with voip", searchSteps) }

/// The app has a token, and was called for a push.
private let pushed =
    Way.active + [.concern(one, .registerForVoIP), .acknowledge(one), .concern(one, .voipPush), .acknowledge(one)]
/// The user answers a call, which has interrupted its own app.
private let answered = Way.active + [.concern(one, .reportCall), .acknowledge(one), .concern(one, .answerCall)]

extension SimulatedVoIP: ConcernWithWays {
    static var words: [Word] { VoIPRequest.words + VoIPInput.words + VoIPCall.words }
}

extension VoIPRequest: HasWays {
    static let first = VoIPRequest.setRegistered(true)

    var step: (way: Way, next: VoIPRequest?) {
        switch self {
        case .setRegistered: (.voip(.registerForVoIP), .returned(1))
        case .returned: (way(pushed + [.concern(one, .finishPush)]), .completed(1))
        case .completed: (way(pushed + [.concern(one, .finishPush)]), .report(.sample, CallUpdate()))
        case .report: (.voip(.reportCall), .update(.sample, CallUpdate()))
        case .update: (.none("It changes only what is shown of a call."), .ended(.sample, .remoteEnded))
        case .ended:
            (
                .none("The explorer's apps do it: the call ends as by the user's action."),
                .performed(.answer, .sample, isFulfilled: true)
            )
        case .performed:
            (way(answered + [.acknowledge(one), .concern(one, .performAction)]), .transact(1, []))
        case .transact: (.voip(.startCall), .connected(.sample))
        case .connected: (.voip(.startCall, .connectCall), nil)
        }
    }
}

extension VoIPInput: HasWays {
    static let first = VoIPInput.pushArrived(one, payload: "{}")

    var step: (way: Way, next: VoIPInput?) {
        switch self {
        case .pushArrived: (.voip(.voipPush), .tokenMade(one, nil))
        case .tokenMade: (.voip(.registerForVoIP), .tokenPersisted(one))
        case .tokenPersisted: (.voip(.registerForVoIP), .chosen(.answer))
        case .chosen: (.voip(.reportCall, .declineCall), nil)
        }
    }
}

extension VoIPCall: HasWays {
    static let first = VoIPCall.samples[0]

    var step: (way: Way, next: VoIPCall?) {
        switch self {
        case .tokenUpdated: (.voip(.registerForVoIP), .push(VoIPPush(number: 1, payload: "{}")))
        case .push: (way(pushed), .perform(.answer, .sample))
        case .perform: (way(answered), .timedOut(.answer, .sample))
        case .timedOut: (way(answered + [.acknowledge(one), .acknowledge(one), .deadline]), .audio(isActive: true))
        case .audio: (way(answered + [.acknowledge(one), .concern(one, .performAction), .acknowledge(one)]), nil)
        }
    }
}
