import LifeCycleModel
import LifeCyclePolicy

/// The reason of a concern, in words.
protocol ReasonText: ConcernDecision {
    /// A word for programs, the same in every version.
    static var kind: String { get }
    /// The launch it is about; nil for an app without one.
    var launch: LaunchID? { get }
    /// The row of the rule book that it goes by; nil where it takes more to know it.
    var rule: String? { get }
    /// A sentence for people.
    func text(at now: Moment) -> String
}

extension ConcernReason {
    static let textKinds = kinds.map { kind in
        guard let text = kind as? any ReasonText.Type else { preconditionFailure("\(kind) is no ReasonText") }
        return text.kind
    }

    /// The reason in words. A reason without words is a fault of the system.
    var words: any ReasonText {
        guard let words = decision as? any ReasonText else { preconditionFailure("\(self) is no ReasonText") }
        return words
    }
}
