/// The reasons for a launch's end and durations, in Korean.
extension Korean {
    static let ends: [(english: String, korean: String)] = [
        ("it exited by itself", "스스로 끝남"), ("a signal ended it", "시그널로 끝남"),
        ("its process is gone, and the cause is unknown", "사라졌으나 까닭을 본 이가 없음"),
        ("its process could not be started (errno %1)", "프로세스를 시작할 수 없었음 (errno %1)"),
        ("the system was killed while it was starting the app", "시작하던 중에 시스템이 죽었음"),
        ("it did not return from %1 in time", "%1에서 제때 돌아오지 않았음"),
        ("it did not exit in time after SIGTERM", "SIGTERM을 받고 제때 끝나지 않았음"),
        ("it did not reconnect after the system's restart", "시스템이 다시 시작된 뒤 돌아오지 않았음"),
        ("it did not end its background tasks in time", "백그라운드 작업을 제때 끝내지 않았음"),
        (
            "it did not call the completion handler of its background session's events in time",
            "백그라운드 세션 이벤트의 완료 핸들러를 제때 호출하지 않음"
        ),
        ("it did not call the completion handler of %1 in time", "%1의 완료 핸들러를 제때 호출하지 않음"),
        ("it reported no call for a VoIP push", "VoIP 푸시를 받고 전화가 왔다고 알리지 않음"),
        ("traffic on its sockets woke it too often", "소켓으로 온 데이터가 앱을 너무 자주 깨웠음"),
        ("it has too many background tasks open", "열린 백그라운드 작업이 너무 많음"),
        ("the user swiped it away", "사용자가 쓸어 올려 끝냈음"), ("the system needed memory", "메모리가 필요했음"),
        ("it exits when it leaves the foreground", "포그라운드를 떠나면 끝나는 앱임"),
        ("the device is shutting down", "기기를 끄는 중임"),
        ("it was suspended when the system was lost", "일시 정지된 동안 시스템이 사라졌음"),
        ("it made too many requests", "요청이 너무 많았음"),
        ("its container is larger than allowed", "컨테이너가 허용된 것보다 큼"),
        ("it is being uninstalled", "앱을 지우는 중임"), ("it was updated", "새로 설치되었음"),
        ("the kernel did not freeze it", "커널이 얼리지 못했음"),
        (
            "the system had an internal error, %1: please report it with the journal",
            "시스템 자신의 오류를 찾았음(%1): 저널과 함께 알려 주십시오"
        ),
        ("jetsam: %1", "jetsam: %1"), ("exit code %1", "종료 코드 %1"), ("signal %1", "시그널 %1"),
        ("exit status unknown", "까닭을 모름"),
    ]
}
