import LifeCycleModel
import LifeCyclePolicy

/// Background fetch in the simulation.
enum SimulatedFetch: SimulatedConcern {
    static let calls: [ConcernCall] = everyKind(from: FetchCall.performFetch) { call in
        switch call {
        case .performFetch: ([call], next: nil)
        }
    }.map { .fetch($0) }
    static let reasons = FetchDecision.samples.map { ConcernReason.fetch($0) }
    static let alphabets = [
        ConcernAlphabet(
            name: "fetch", modes: [.fetch], letters: [.askForFetches, .askForNoFetches, .offerFetch, .finishEvent])
    ]

    static func invariants(of device: Device) -> [any Invariant] {
        [FetchesKeepTheRules(device)]
    }
}
