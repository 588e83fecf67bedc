import LifeCycleModel
import LifeCyclePolicy

/// The reason of a concern, in words.
protocol ReasonText: SendableMetatype {
    /// A word for programs, the same in every version.
    static var kind: String { get }
    /// The reason itself; nil for one of another kind.
    static func words(of reason: ConcernReason) -> (any ReasonText)?
    /// The app it is about.
    var app: AppID { get }
    /// The launch it is about; nil for an app without one.
    var launch: LaunchID? { get }
    /// The row of the rule book that it goes by; nil where it takes more to know it.
    var rule: String? { get }
    /// A sentence for people.
    func text(at now: Moment) -> String
}

extension ConcernReason {
    private static let all: [any ReasonText.Type] = [
        FetchDecision.self, NotificationDecision.self, PushDecision.self, TransferDecision.self,
    ]

    static let kinds = all.map { $0.kind }

    /// A reason of which no words are known is a fault of ours.
    var words: any ReasonText {
        for kind in Self.all { if let words = kind.words(of: self) { return words } }
        preconditionFailure("\(self) is in no words: its type is not in ConcernReason.all")
    }
}
