import LifeCycleModel
import LifeCyclePolicy

/// What is said of remote notifications, in Korean.
enum KoreanPushText {
    static func text(_ decision: PushDecision) -> String {
        switch decision {
        case .asked(_, true): "원격 알림을 원함"
        case .asked(_, false): "원격 알림을 원하지 않음"
        case .registered(_, true): "기기 토큰이 있어 원격 알림을 받음"
        case .registered(_, false): "기기 토큰을 만들 수 없어 원격 알림을 받지 못함"
        case .notRegistered: "등록하지 않은 앱에 원격 알림이 와서 버림"
        case .delivered: "원격 알림을 받음"
        case .held(_, let hold, false): "원격 알림을 미뤄 둠: \(text(hold))"
        case .held(_, let hold, true): "원격 알림을 앞의 것 대신 미뤄 둠: \(text(hold))"
        case .dropped(_, let loss): "원격 알림을 버림: \(text(loss))"
        case .forPeople(_, nil): "사람에게만 보일 원격 알림이 옴: 앱은 깨우지 않음"
        case .forPeople(_, let loss?): "사람에게 보일 원격 알림이 옴: 앱은 깨우지 않음: \(text(loss))"
        }
    }

    private static func text(_ hold: PushHold) -> String {
        switch hold {
        case .throttled: "한동안 충분히 자주 깨웠음"
        case .lowPowerMode: "저전력 모드가 켜져 있음"
        case .battery: "배터리가 적음"
        case .notUnlockedSinceStart: "기기를 켠 뒤 아직 잠금을 풀지 않았음"
        case .ending: "앱이 끝나는 중"
        case .shuttingDown: "시스템이 꺼지는 중"
        }
    }

    private static func text(_ loss: PushLoss) -> String {
        switch loss {
        case .refused(let refusal): KoreanText.text(refusal)
        case .forceQuit: "사용자가 앱을 쓸어 올려 끝냈음"
        case .killed: "앱이 강제로 끝났음"
        case .unregistered: "앱이 더는 원하지 않음"
        case .newsstandThrottled: "뉴스스탠드 내려받기로 깨운 지 하루가 지나지 않았음"
        }
    }
}
