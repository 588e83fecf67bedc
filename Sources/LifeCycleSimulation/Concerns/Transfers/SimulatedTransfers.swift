import LifeCycleModel
import LifeCyclePolicy

/// Background transfers in the simulation.
package enum SimulatedTransfers: SimulatedConcern {
    static let calls = TransferCall.samples.map { ConcernCall.transfer($0) }
    static let reasons = TransferDecision.samples.map { ConcernReason.transfer($0) }
    static let acts = [
        // The user acts on one of the transfers.
        Act(2) { history, _ in
            let ids = history.world.device.transferIDs
            if ids.isEmpty { return }
            history.world.handle(
                .concern(.transfer(.userAction(history.pick(ids), history.pick(TransferUserAction.allCases)))))
        }
    ]
    static let reference: any ReferenceConcern.Type = ReferenceSessions.self
    static let alphabets = [
        ConcernAlphabet(
            name: "Newsstand", modes: [.newsstandContent],
            searchSteps: [.askForPushes, .push, .openSession, .download, .arrive, .handled, .finishEvent]),
        ConcernAlphabet(
            name: "transfers", modes: [], searchSteps: [.openSession, .download, .arrive, .fail, .take, .handled]),
    ]

    static func invariants(of device: Device) -> [any Invariant] {
        [
            SessionEventsAreHandled(), SessionsAreNotDoubled(device), TransfersKeepLimits(),
            OutcomesAreDeliveredOnce(), BytesAreKept(),
        ]
    }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .transfer(let word) = call { word } else { nil }
    }
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? {
        if case .transfer(let word) = output { word } else { nil }
    }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        if case .transfer(let word) = reason { word } else { nil }
    }
}

extension TransferCall: SimulatedCall {
    static let samples = everyKind(from: TransferCall.handleEvents(.newsstand)) { call in
        switch call {
        case .handleEvents: ([call], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? {
        switch self {
        case .handleEvents(let session): .session(session)
        }
    }

    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool { false }
    func outdates(_ older: ConcernCall) -> Bool { older == .transfer(self) }
}
