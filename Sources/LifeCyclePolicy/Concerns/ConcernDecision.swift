package import LifeCycleModel

/// A decision of a concern, with its reason.
package protocol ConcernDecision: SendableMetatype {
    /// The decision inside the sum; nil if the sum holds another kind of decision.
    static func decision(in reason: ConcernReason) -> (any ConcernDecision)?
    /// The app that the decision is about.
    var app: AppID { get }
    /// Whether the decision says that the rules forbid what `input` asked for.
    func refuses(_ input: ConcernInput) -> Bool
}

extension ConcernReason {
    /// One type for each concern, for code that lists every kind of decision.
    package static let kinds: [any ConcernDecision.Type] = [
        AudioDecision.self,
        FetchDecision.self,
        LocationDecision.self,
        NotificationDecision.self,
        PushDecision.self,
        SocketDecision.self,
        TransferDecision.self,
        VoIPDecision.self,
    ]

    /// The decision itself. If the list of kinds lacks the type of the decision, this is a programming error.
    package var decision: any ConcernDecision {
        for kind in Self.kinds { if let decision = kind.decision(in: self) { return decision } }
        preconditionFailure("the type of \(self) is not in ConcernReason.kinds")
    }
}
