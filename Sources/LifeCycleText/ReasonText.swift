import LifeCycleModel
import LifeCyclePolicy

/// The reason of a concern, in words.
protocol ReasonText {
    /// A word for programs, the same in every version.
    static var kind: String { get }
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
    static let kinds = [FetchDecision.kind, NotificationDecision.kind, PushDecision.kind, TransferDecision.kind]

    var words: any ReasonText {
        switch self {
        case .fetch(let decision): decision
        case .notification(let decision): decision
        case .push(let decision): decision
        case .transfer(let decision): decision
        }
    }
}
