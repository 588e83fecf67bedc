/// The decisions of concerns, in Korean.
extension Korean {
    static let concerns = fetch + notifications + pushes

    private static let fetch: [(english: String, korean: String)] = [
        ("asks for no background fetch", "백그라운드 페치를 원하지 않음"),
        ("asks for background fetch as often as possible", "백그라운드 페치를 되도록 자주 원함"),
        ("asks for background fetch at most every %1", "백그라운드 페치를 많아도 %1마다 원함"),
        ("asks for background fetch, but may not fetch: %1", "백그라운드 페치를 원하지만 받지 못함: %1"),
        ("may fetch again", "다시 페치할 수 있음"), ("may not fetch: %1", "페치할 수 없음: %1"),
        ("there is no network", "네트워크가 없음"), ("Low Power Mode is on", "저전력 모드가 켜져 있음"),
        ("the battery is low", "배터리가 적음"), ("Low Data Mode is on", "저데이터 모드가 켜져 있음"),
        ("is due to fetch, %1 after the earliest possible time", "페치할 차례: 할 수 있게 된 뒤 %1 지남"),
        ("missed its fetch: %1", "페치할 차례를 놓침: %1"),
        ("has used up its fetch time for the day", "하루에 페치할 수 있는 시간을 다 씀"),
    ]

    private static let notifications: [(english: String, korean: String)] = [
        ("notification %1 is scheduled: it fires in %2", "알림 %1 예약됨: %2 뒤에 울림"),
        ("notification %1 is scheduled and already due", "알림 %1 예약됨: 이미 때가 됨"),
        ("notification %1 is scheduled", "알림 %1 예약됨"),
        ("notification %1 is discarded: too many are scheduled, and it fires last", "알림 %1 버림: 너무 많은 데다 가장 늦게 울릴 것임"),
        ("notification %1 is discarded: its time zone does not exist", "알림 %1 버림: 그런 이름의 시간대가 없음"),
        ("canceled %1 of its notifications", "알림 %1개 취소함"),
        ("notification %1 fires, %2 late", "알림 %1 울림: %2 늦음"), ("notification %1 fires", "알림 %1 울림"),
        ("notification %1 is shown: %2", "알림 %1 보임: %2"), ("notification %1 is not shown: %2", "알림 %1 보이지 않음: %2"),
        ("notification %1 plays the default sound: %2", "알림 %1은 기본 소리로 울림: %2"),
        ("the user taps notification %1", "사용자가 알림 %1로 앱을 엶"),
        ("the user dismisses notification %1", "사용자가 알림 %1을 치움"),
        ("the app has no notification %1, or no longer has it", "알림 %1은 이제 없음"),
        ("its badge is removed", "배지를 없앰"), ("its badge shows %1", "배지 숫자: %1"),
        (
            "may not set its badge: it has not registered for badges, or the user forbids its notifications",
            "배지를 달 수 없음: 등록하지 않았거나 사용자가 허락하지 않음"
        ),
        ("may not show notifications", "알림을 보일 수 없음"), ("may show notifications: %1", "알림을 보일 수 있음: %1"),
        ("the user allows its notifications", "사용자가 알림을 허락함"),
        ("the user forbids its notifications", "사용자가 알림을 허락하지 않음"),
        ("alert", "알림창"), ("sound", "소리"), ("badge", "배지"),
        ("the app has not registered for its types", "앱이 등록하지 않음"),
        ("the user forbids the app's notifications", "사용자가 허락하지 않음"),
        ("it has neither an alert nor a sound nor a badge", "알림창도 소리도 배지도 없음"),
        ("the app has no such file", "앱에 그런 파일이 없음"),
        ("the file cannot be read as aiff, wav or caf", "파일을 aiff, wav, caf로 읽을 수 없음"),
        (
            "the file is neither Linear PCM nor MA4, µ-Law or a-Law",
            "Linear PCM, MA4, µ-Law, a-Law 가운데 어느 것도 아님"
        ),
        ("the sound is too long", "소리가 너무 김"),
    ]

    private static let pushes: [(english: String, korean: String)] = [
        ("asks to receive remote notifications", "원격 알림을 원함"),
        ("asks not to receive remote notifications", "원격 알림을 원하지 않음"),
        ("has a device token and receives remote notifications", "기기 토큰이 있어 원격 알림을 받음"),
        (
            "receives no remote notifications: its device token could not be created",
            "기기 토큰을 만들 수 없어 원격 알림을 받지 못함"
        ),
        (
            "a remote notification is dropped: the app has not registered for remote notifications",
            "등록하지 않은 앱에 원격 알림이 와서 버림"
        ),
        ("receives a remote notification", "원격 알림을 받음"),
        ("a remote notification is held back: %1", "원격 알림을 미뤄 둠: %1"),
        (
            "a remote notification is held back and replaces the previous one: %1",
            "원격 알림을 앞의 것 대신 미뤄 둠: %1"
        ),
        ("a remote notification is dropped: %1", "원격 알림을 버림: %1"),
        (
            "a visible remote notification arrived; it does not wake the app",
            "사람에게만 보일 원격 알림이 옴: 앱은 깨우지 않음"
        ),
        (
            "a visible remote notification arrived but did not wake the app: %1",
            "사람에게 보일 원격 알림이 옴: 앱은 깨우지 않음: %1"
        ),
        ("the rate limit for silent pushes is reached", "한동안 충분히 자주 깨웠음"),
        ("the device has not been unlocked since it started", "기기를 켠 뒤 아직 잠금을 풀지 않았음"),
        ("the app is being ended", "앱이 끝나는 중"), ("the user has swiped the app away", "사용자가 앱을 쓸어 올려 끝냈음"),
        ("the app was killed", "앱이 강제로 끝났음"), ("the app is no longer registered for them", "앱이 더는 원하지 않음"),
        (
            "the app was woken for a Newsstand download less than a day ago",
            "뉴스스탠드 내려받기로 깨운 지 하루가 지나지 않았음"
        ),
    ]
}
