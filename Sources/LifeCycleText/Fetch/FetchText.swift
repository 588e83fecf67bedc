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
        case .asked(_, nil): "wants no background fetch"
        case .asked(_, .zero?): "wants background fetch as often as may be"
        case .asked(_, let interval?): "wants background fetch every \(interval) at most"
        case .declined(_, let refusal): "wants background fetch, and gets none: \(DecisionText.text(refusal))"
        case .barred(_, nil): "may fetch again"
        case .barred(_, .refused(let refusal)?): "may not fetch: \(DecisionText.text(refusal))"
        case .barred(_, .held(let hold)?): "may not fetch: \(Self.text(hold))"
        case .offered(_, let late): "its turn to fetch, \(late) after it might have been"
        case .missed(_, let refusal): "had no turn to fetch: \(DecisionText.text(refusal))"
        case .spent: "its fetches have taken as long as they may in a day"
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
