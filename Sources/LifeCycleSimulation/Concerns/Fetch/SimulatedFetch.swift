import LifeCycleModel
import LifeCyclePolicy

/// Background fetch in the simulation.
package enum SimulatedFetch: SimulatedConcern {
    static let calls = FetchCall.samples.map { ConcernCall.fetch($0) }
    static let reasons = FetchDecision.samples.map { ConcernReason.fetch($0) }
    /// Empty: the apps request fetches, and the wakes of `Act` give them opportunities.
    static let acts: [Act] = []
    static let reference: any ReferenceConcern.Type = ReferenceFetches.self
    static let alphabets = [
        ConcernAlphabet(
            name: "fetch", modes: [.fetch], searchSteps: [.askForFetches, .askForNoFetches, .offerFetch, .finishEvent])
    ]

    static func invariants(of device: Device) -> [any Invariant] {
        [FetchesKeepTheRules(device)]
    }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .fetch(let word) = call { word } else { nil }
    }
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? { nil }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        if case .fetch(let word) = reason { word } else { nil }
    }
}

extension FetchCall: SimulatedCall {
    static let samples = everyKind(from: FetchCall.performFetch) { call in
        switch call {
        case .performFetch: ([call], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? {
        switch self {
        case .performFetch: .event(OpenEvent(callback: callback, kind: .backgroundFetch))
        }
    }

    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool { false }
    func outdates(_ older: ConcernCall) -> Bool { older == .fetch(self) }
}
