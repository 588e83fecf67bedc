import LifeCycleModel
import LifeCyclePolicy

/// The purpose of a deadline, in words.
enum DeadlineText {
    /// Other deadlines of concerns are shown by their names.
    private static let ofConcerns = [
        "backgroundFetch": Phrase("apps are due to fetch", "앱들이 페치할 때"),
        "notification": Phrase("a notification is due", "알림이 예정된 때"),
        "remoteNotification": Phrase("a push that was held back may wake its app", "미뤄 둔 푸시가 앱을 깨울 수 있는 때"),
    ]

    static func text(_ reason: DeadlineReason) -> Phrase {
        switch reason {
        case .callback(_, let callback):
            Phrase("it must have returned from \(callback.name)", "\(callback.name)에서 돌아와야 하는 때")
        case .slowLaunch: Phrase("its launch counts as slow", "실행이 느리다고 보는 때")
        case .taskExpiry: Phrase("expiration handlers are due", "만료 핸들러를 부를 때")
        case .backgroundTime: Phrase("its background time is up", "백그라운드 시간이 다하는 때")
        case .wake: Phrase("the time to handle the event is over", "이벤트를 처리할 시간이 다하는 때")
        case .adopted: Phrase("its time in the background is over", "백그라운드에 있을 시간이 다하는 때")
        case .freeze: Phrase("the kernel must have frozen it", "커널이 얼렸어야 하는 때")
        case .thaw: Phrase("the thaw is retried", "다시 녹여 볼 때")
        case .reconnection: Phrase("it must have reconnected", "다시 연결되었어야 하는 때")
        case .containerCheck: Phrase("its container is measured", "컨테이너를 재는 때")
        case .exit: Phrase("it must have exited", "프로세스가 끝났어야 하는 때")
        case .sessionEvents: Phrase("the events of its session must have been handled", "세션 이벤트 처리가 끝났어야 하는 때")
        case .wakeEvent: Phrase("the event must have been handled", "이벤트 처리가 끝났어야 하는 때")
        case .concern(let name): ofConcerns[name] ?? Phrase("\(name) is due", "\(name) is due")
        case .transfer: Phrase("a transfer is due", "전송이 예정된 때")
        case .recovery: Phrase("the concerns resume after a restart", "다시 시작한 뒤 이어지는 때")
        case .autoLock: Phrase("the screen locks itself", "화면이 저절로 잠기는 때")
        case .shutdown: Phrase("the shutdown must be complete", "끄기가 끝나야 하는 때")
        }
    }
}
