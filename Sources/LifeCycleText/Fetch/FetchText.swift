import LifeCycleModel
import LifeCyclePolicy

/// Decisions about background fetch as sentences.
extension FetchDecision: ReasonText {
    static var kind: String { "fetch" }

    var launch: LaunchID? {
        switch self {
        case .asked(let launch, _), .declined(let launch, _): launch
        case .barred, .offered, .missed, .spent: nil
        }
    }

    var rule: String? {
        switch self {
        case .asked, .offered: "R-89"
        case .barred(_, .held?), .spent: "R-98"
        case .declined(_, let refusal), .missed(_, let refusal), .barred(_, .refused(let refusal)?):
            DecisionText.rule(refusal)
        case .barred(_, nil): nil
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .asked(_, nil): "asks for no background fetch"
        case .asked(_, .zero?): "asks for background fetch as often as possible"
        case .asked(_, let interval?): "asks for background fetch at most every \(interval)"
        case .declined(_, let refusal): "asks for background fetch, but may not fetch: \(DecisionText.text(refusal))"
        case .barred(_, nil): "may fetch again"
        case .barred(_, .refused(let refusal)?): "may not fetch: \(DecisionText.text(refusal))"
        case .barred(_, .held(let hold)?): "may not fetch: \(Self.text(hold))"
        case .offered(_, let late): "is due to fetch, \(late) after the earliest possible time"
        case .missed(_, let refusal): "missed its fetch: \(DecisionText.text(refusal))"
        case .spent: "has used up its fetch time for the day"
        }
    }

    private static func text(_ hold: FetchHold) -> String {
        switch hold {
        case .network: "there is no network"
        case .lowPowerMode: "Low Power Mode is on"
        case .battery: "the battery is low"
        case .lowDataMode: "Low Data Mode is on"
        }
    }
}
