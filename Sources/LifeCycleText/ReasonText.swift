import LifeCycleModel
import LifeCyclePolicy

/// A concern's decision that can be displayed: `roost why` shows its text.
protocol ReasonText: ConcernDecision {
    /// A word for programs, the same in every version.
    static var kind: String { get }
    /// The launch that the decision is about; nil for an app without a launch.
    var launch: LaunchID? { get }
    /// The rule book's row for the decision; nil if the decision alone does not determine the row.
    var rule: String? { get }
    /// A sentence for users.
    func text(at now: Moment) -> String
}

extension ConcernReason {
    static let textKinds = kinds.map { kind in
        guard let text = kind as? any ReasonText.Type else { preconditionFailure("\(kind) is no ReasonText") }
        return text.kind
    }

    /// The decision with its text. A decision without text is a programming error.
    var words: any ReasonText {
        guard let words = decision as? any ReasonText else { preconditionFailure("\(self) is no ReasonText") }
        return words
    }
}
