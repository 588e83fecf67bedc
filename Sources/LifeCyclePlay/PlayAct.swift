/// One thing that a reader of the page can do.
enum PlayAct: String, Hashable, Sendable, CaseIterable {
    // The user.
    case launch, home, other, lock, unlock, swipe, tap
    // What comes from outside.
    case call, decline, accept, location, push
    // The app's own code.
    case begin, beginWithoutHandler, end, schedule, crash
    // The device.
    case time, fetch, memoryLow, memoryShort, restart

    /// Whose doing it is.
    enum Doer: String, Hashable, Sendable, CaseIterable {
        case user, outside, app, device

        var name: Phrase {
            switch self {
            case .user: Phrase("The user", "사용자")
            case .outside: Phrase("From outside", "바깥에서 오는 일")
            case .app: Phrase("The app’s code", "앱의 코드")
            case .device: Phrase("The device", "기기")
            }
        }
    }

    var doer: Doer {
        switch self {
        case .launch, .home, .other, .lock, .unlock, .swipe, .tap: .user
        case .call, .decline, .accept, .location, .push: .outside
        case .begin, .beginWithoutHandler, .end, .schedule, .crash: .app
        case .time, .fetch, .memoryLow, .memoryShort, .restart: .device
        }
    }

    /// What its button says.
    var name: Phrase {
        switch self {
        case .launch: Phrase("Tap its icon", "아이콘 누르기")
        case .home: Phrase("Home", "홈으로")
        case .other: Phrase("Open another app", "다른 앱 열기")
        case .lock: Phrase("Lock", "화면 잠그기")
        case .unlock: Phrase("Unlock", "잠금 풀기")
        case .swipe: Phrase("Swipe it away", "쓸어 올려 끝내기")
        case .tap: Phrase("Tap the notification", "알림 누르기")
        case .call: Phrase("A call comes", "전화가 걸려 옴")
        case .decline: Phrase("Decline the call", "전화 거절")
        case .accept: Phrase("Take the call", "전화 받기")
        case .location: Phrase("A location event", "위치 이벤트")
        case .push: Phrase("A silent push", "조용한 푸시")
        case .begin: Phrase("Begin a background task", "백그라운드 작업 시작")
        case .beginWithoutHandler: Phrase("…without a handler", "…만료 핸들러 없이 시작")
        case .end: Phrase("End the task", "작업 끝내기")
        case .schedule: Phrase("Schedule a notification", "알림 예약하기")
        case .crash: Phrase("Crash", "비정상 종료")
        case .time: Phrase("Let time pass", "시간 보내기")
        case .fetch: Phrase("A fetch is due", "페치할 차례")
        case .memoryLow: Phrase("Memory is low", "메모리가 적음")
        case .memoryShort: Phrase("Memory is short", "메모리가 모자람")
        case .restart: Phrase("Power off and on", "전원이 꺼졌다 켜짐")
        }
    }
}

/// A few acts in a row that show something.
struct PlayScenario: Sendable {
    let word: String
    let name: Phrase
    let about: Phrase
    let acts: [PlayAct]

    /// The four changes of state that a life cycle is made of (K013–K016), and what brings an app back to life.
    static let all = [
        PlayScenario(
            word: "1", name: Phrase("Launch", "실행"), about: Phrase("not running → active", "실행 전 → 활성"),
            acts: [.launch]),
        PlayScenario(
            word: "2", name: Phrase("Home, with work to finish", "할 일을 남기고 홈으로"),
            about: Phrase("active → background", "활성 → 백그라운드"), acts: [.launch, .begin, .home]),
        PlayScenario(
            word: "3", name: Phrase("Open it again", "다시 열기"),
            about: Phrase("background → active", "백그라운드 → 활성"), acts: [.launch, .begin, .home, .launch]),
        PlayScenario(
            word: "4", name: Phrase("Off to sleep", "잠들기"),
            about: Phrase("active → suspended", "활성 → 일시 중단"), acts: [.launch, .home]),
        PlayScenario(
            word: "5", name: Phrase("A push wakes it", "푸시가 깨우기"),
            about: Phrase("suspended → background → suspended", "일시 중단 → 백그라운드 → 일시 중단"),
            acts: [.launch, .home, .push]),
        PlayScenario(
            word: "6", name: Phrase("Launched to fetch", "페치하러 실행되기"),
            about: Phrase("not running → background → suspended", "실행 전 → 백그라운드 → 일시 중단"),
            acts: [.launch, .home, .memoryShort, .fetch]),
        PlayScenario(
            word: "7", name: Phrase("A notification", "알림"),
            about: Phrase("shown while it is suspended; a tap: → active", "일시 중단된 동안 보임, 누르면 → 활성"),
            acts: [.launch, .schedule, .home, .time, .tap]),
        PlayScenario(
            word: "8", name: Phrase("Swiped away", "쓸어 올려 끝낸 뒤"),
            about: Phrase("nothing wakes it until it is opened", "다시 열 때까지 아무것도 깨우지 못함"),
            acts: [.launch, .home, .swipe, .push, .fetch, .launch, .home, .push]),
    ]
}
