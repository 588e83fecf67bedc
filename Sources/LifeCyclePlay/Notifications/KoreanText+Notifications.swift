import LifeCycleModel
import LifeCyclePolicy

/// Decisions about local notifications in Korean: what `NotificationText` says in English.
extension KoreanText {
    static func text(_ decision: NotificationDecision, at now: Moment) -> String {
        switch decision {
        case .scheduled(let id, nil): "알림 \(id) 예약됨"
        case .scheduled(let id, let due?) where due <= now.wall: "알림 \(id) 예약됨: 이미 때가 됨"
        case .scheduled(let id, let due?): "알림 \(id) 예약됨: \(span(due - now.wall)) 뒤에 울림"
        case .discarded(let id): "알림 \(id) 버림: 너무 많은 데다 가장 늦게 울릴 것임"
        case .zoneUnknown(let id): "알림 \(id) 버림: 그런 이름의 시간대가 없음"
        case .canceled(_, let count): "알림 \(count)개 취소함"
        case .fired(let id, .zero): "알림 \(id) 울림"
        case .fired(let id, let late): "알림 \(id) 울림: \(span(late)) 늦음"
        case .shown(let id, let types): "알림 \(id) 보임: \(text(types))"
        case .notShown(let id, let reason): "알림 \(id) 보이지 않음: \(text(reason))"
        case .soundReplaced(let id, let fault): "알림 \(id)은 기본 소리로 울림: \(text(fault))"
        case .answered(let id, .tapped): "사용자가 알림 \(id)로 앱을 엶"
        case .answered(let id, .dismissed): "사용자가 알림 \(id)을 치움"
        case .answered(let id, .gone): "알림 \(id)은 이제 없음"
        case .badge(_, 0): "배지를 없앰"
        case .badge(_, let number): "배지 숫자: \(number)"
        case .badgeRefused: "배지를 달 수 없음: 등록하지 않았거나 사용자가 허락하지 않음"
        case .registered(_, []): "알림을 보일 수 없음"
        case .registered(_, let types): "알림을 보일 수 있음: \(text(types))"
        case .allowed(_, let isAllowed): "사용자가 알림을 \(isAllowed ? "허락함" : "허락하지 않음")"
        }
    }

    private static func text(_ types: NotificationTypes) -> String {
        let names: [(NotificationTypes, String)] = [(.alert, "알림창"), (.sound, "소리"), (.badge, "배지")]
        return names.filter { types.contains($0.0) }.map(\.1).joined(separator: ", ")
    }

    private static func text(_ reason: NotShownReason) -> String {
        switch reason {
        case .notRegistered: "앱이 등록하지 않음"
        case .notAllowed: "사용자가 허락하지 않음"
        case .nothingToShow: "알림창도 소리도 배지도 없음"
        }
    }

    private static func text(_ fault: SoundFault) -> String {
        switch fault {
        case .missing: "앱에 그런 파일이 없음"
        case .unreadable: "파일을 aiff, wav, caf로 읽을 수 없음"
        case .format: "Linear PCM, MA4, µ-Law, a-Law 가운데 어느 것도 아님"
        case .length: "소리가 너무 김"
        }
    }
}
