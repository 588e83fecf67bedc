import LifeCycleModel
import LifeCyclePolicy

/// Decisions about background fetch in Korean.
extension KoreanText {
    static func text(_ decision: FetchDecision) -> String {
        switch decision {
        case .asked(_, nil): "백그라운드 페치를 원하지 않음"
        case .asked(_, .zero?): "백그라운드 페치를 되도록 자주 원함"
        case .asked(_, let interval?): "백그라운드 페치를 많아도 \(span(interval))마다 원함"
        case .declined(_, let refusal): "백그라운드 페치를 원하지만 받지 못함: \(text(refusal))"
        case .barred(_, nil): "다시 페치할 수 있음"
        case .barred(_, .refused(let refusal)?): "페치할 수 없음: \(text(refusal))"
        case .barred(_, .held(.network)?): "페치할 수 없음: 네트워크가 없음"
        case .barred(_, .held(.lowPowerMode)?): "페치할 수 없음: 저전력 모드가 켜져 있음"
        case .barred(_, .held(.battery)?): "페치할 수 없음: 배터리가 적음"
        case .barred(_, .held(.lowDataMode)?): "페치할 수 없음: 저데이터 모드가 켜져 있음"
        case .offered(_, let late): "페치할 차례: 할 수 있게 된 뒤 \(span(late)) 지남"
        case .missed(_, let refusal): "페치할 차례를 놓침: \(text(refusal))"
        case .spent: "하루에 페치할 수 있는 시간을 다 씀"
        }
    }
}
