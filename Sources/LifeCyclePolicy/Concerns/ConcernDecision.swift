package import LifeCycleModel

/// A decision of a concern, with its reason.
package protocol ConcernDecision: SendableMetatype {
    /// The decision inside the sum; nil for a decision of another kind.
    static func decision(in reason: ConcernReason) -> (any ConcernDecision)?
    /// The app that the decision is about.
    var app: AppID { get }
    /// Whether the decision says that the rules forbid what `input` asked for.
    func refuses(_ input: ConcernInput) -> Bool
}

extension ConcernReason {
    /// The decisions of all concerns.
    package static let kinds: [any ConcernDecision.Type] = [
        FetchDecision.self,
        NotificationDecision.self,
        PushDecision.self,
        TransferDecision.self,
    ]

    /// The decision itself. A decision of no kind is a fault of the system.
    package var decision: any ConcernDecision {
        for kind in Self.kinds { if let decision = kind.decision(in: self) { return decision } }
        preconditionFailure("the type of \(self) is not in ConcernReason.kinds")
    }
}
