import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// An act that a reader of the page can do.
struct PlayAct: Sendable {
    /// The person or program that acts.
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

    /// The row of the transition that the act begins, by the app's state and by whether the app is in the foreground.
    typealias Row = @Sendable (AppState, Bool) -> String?
    /// Performs the act. Returns why the act is impossible; nil if it is possible.
    typealias Deed = @Sendable (inout PlayWorld, inout PlayStory) -> Phrase?

    let word: String
    let doer: Doer
    /// The label of the act's button.
    let name: Phrase
    let row: Row
    let perform: Deed

    init(
        _ word: String, _ doer: Doer, _ name: Phrase, row: @escaping Row = { _, _ in nil }, perform: @escaping Deed
    ) {
        self.word = word
        self.doer = doer
        self.name = name
        self.row = row
        self.perform = perform
    }

    private init(
        _ word: String, _ doer: Doer, _ name: Phrase, row: @escaping Row = { _, _ in nil }, _ event: DeviceEvent
    ) {
        self.init(word, doer, name, row: row) { world, _ in world.handle(.device(event)) }
    }

    /// All acts, in the order of the page.
    static let all: [PlayAct] = [
        launch, home, other, lock, unlock, swipe, .tap,
        call, decline, accept, location, .push,
        begin, beginWithoutHandler, end, .schedule, crash,
        time, .fetch, memoryLow, memoryShort, restart,
    ]

    /// The row of an act with which the user opens the app.
    static let opening: Row = { state, _ in state == .notRunning ? "T01" : "T05" }

    static let launch = PlayAct(
        "launch", .user, Phrase("Tap its icon", "아이콘 누르기"), row: opening, .appOpened(PlayWorld.app))
    static let home = PlayAct(
        "home", .user, Phrase("Home", "홈으로"), row: { _, isInForeground in isInForeground ? "T03" : nil }, .homePressed)
    static let other = PlayAct(
        "other", .user, Phrase("Open another app", "다른 앱 열기"),
        row: { _, isInForeground in isInForeground ? "T03" : nil }, .appOpened(PlayWorld.other))
    static let lock = PlayAct("lock", .user, Phrase("Lock", "화면 잠그기"), .deviceLocked)
    static let unlock = PlayAct("unlock", .user, Phrase("Unlock", "잠금 풀기"), .deviceUnlocked)
    static let swipe = PlayAct(
        "swipe", .user, Phrase("Swipe it away", "쓸어 올려 끝내기"),
        row: { state, _ in state == .suspended || state == .notRunning ? "T17" : "T18" }, .appForceQuit(PlayWorld.app))
    static let call = PlayAct("call", .outside, Phrase("A call comes", "전화가 걸려 옴"), .interruptionBegan(.call))
    static let decline = PlayAct("decline", .outside, Phrase("Decline the call", "전화 거절"), .interruptionDismissed)
    static let accept = PlayAct("accept", .outside, Phrase("Take the call", "전화 받기"), .interruptionAccepted(nil))
    static let location = PlayAct("location", .outside, Phrase("A location event", "위치 이벤트")) { world, _ in
        // The event also grants time.
        if let obstacle = world.obstacle(isNotificationThere: world.notification == .scheduled) { return obstacle }
        return world.handle(.device(.wakeOccurred(PlayWorld.app, .locationMonitoring)))
    }
    static let begin = PlayAct("begin", .app, Phrase("Begin a background task", "백그라운드 작업 시작")) { world, _ in
        world.run(.begin(PlayWorld.task, ends: nil, hasHandler: true), bringsTime: true)
    }
    static let beginWithoutHandler = PlayAct("beginWithoutHandler", .app, Phrase("…without a handler", "…만료 핸들러 없이 시작"))
    { world, _ in
        world.run(.begin("work without a handler", ends: nil, hasHandler: false), bringsTime: true)
    }
    static let end = PlayAct("end", .app, Phrase("End the task", "작업 끝내기"), row: { _, _ in "T12" }) { world, _ in
        if world.open == nil, world.snapshot.launch != nil { return Phrase("no task is open", "열린 작업이 없음") }
        return world.run(.end(world.open))
    }
    static let crash = PlayAct("crash", .app, Phrase("Crash", "비정상 종료"), row: { _, _ in "T26" }) { world, _ in
        world.run(.crash(11))
    }
    static let time = PlayAct("time", .device, Phrase("Let time pass", "시간 보내기")) { $0.letTimePass(into: &$1) }
    static let memoryLow = PlayAct("memoryLow", .device, Phrase("Memory is low", "메모리가 적음"), .memoryRanLow)
    static let memoryShort = PlayAct("memoryShort", .device, Phrase("Memory is short", "메모리가 모자람"), .memoryRanShort)
    static let restart = PlayAct("restart", .device, Phrase("Power off and on", "전원이 꺼졌다 켜짐"), row: { _, _ in "T19" }) {
        world, _ in
        world.reboot()
    }
}

/// A sequence of a few acts, as a demonstration.
struct PlayScenario: Sendable {
    let word: String
    let name: Phrase
    let about: Phrase
    let acts: [PlayAct]

    /// The four state changes of a life cycle (K013–K016), and the ways in which an app comes to life again.
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
