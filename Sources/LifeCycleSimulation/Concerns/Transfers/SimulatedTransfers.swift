import LifeCycleModel
import LifeCyclePolicy

/// Background transfers in the simulation.
enum SimulatedTransfers: SimulatedConcern {
    static let calls: [ConcernCall] = everyKind(from: TransferCall.handleEvents(.newsstand)) { call in
        switch call {
        case .handleEvents: ([call], next: nil)
        }
    }.map { .transfer($0) }
    static let reasons = TransferDecision.samples.map { ConcernReason.transfer($0) }
    static let alphabets = [
        ConcernAlphabet(
            name: "Newsstand", modes: [.newsstandContent],
            letters: [.askForPushes, .push, .openSession, .download, .arrive, .handled, .finishEvent]),
        ConcernAlphabet(
            name: "transfers", modes: [], letters: [.openSession, .download, .arrive, .fail, .take, .handled]),
    ]

    static func invariants(of device: Device) -> [any Invariant] {
        [
            SessionEventsAreHandled(), SessionsAreNotDoubled(device), TransfersKeepLimits(),
            OutcomesAreDeliveredOnce(), BytesAreKept(),
        ]
    }
}
