/// The page's own words.
enum PlayWords {
    static let all: [(key: String, text: Phrase)] = [
        ("title", Phrase("Roost: the life of an app", "Roost: 앱의 일생")),
        (
            "about",
            Phrase(
                "Play with the iOS application life cycle. Roost’s brain made every decision you see: this page was generated "
                    + "from it and only looks decisions up.",
                "iOS 앱의 생애 주기를 만져 보세요. 여기 보이는 것은 모두 Roost의 뇌가 내린 결정입니다. 이 페이지는 그것을 찾아볼 뿐입니다."
            )
        ),
        ("generation", Phrase("Generation", "iOS 세대")),
        ("app", Phrase("App", "앱")),
        ("scenarios", Phrase("Scenarios", "시나리오")),
        ("again", Phrase("Start over", "처음부터")),
        ("log", Phrase("Callbacks, with their reasons", "앱이 듣는 것, 그 까닭")),
        ("notifications", Phrase("notifications", "알림(notification)")),
        (
            "empty",
            Phrase(
                "Nothing has happened yet. Tap the app’s icon, or choose a scenario.",
                "아직 아무 일도 없습니다. 앱 아이콘을 누르거나 시나리오를 고르세요.")
        ),
        ("nothing", Phrase("the app receives no callback, and nothing is decided", "앱이 듣는 것도, 정해지는 것도 없음")),
        ("front0", Phrase("home screen", "홈 화면")), ("front1", Phrase("the app", "이 앱")),
        ("front2", Phrase("another app", "다른 앱")),
        ("isLocked", Phrase("locked", "잠김")), ("isInterrupted", Phrase("incoming call", "전화가 옴")),
        ("isForceQuit", Phrase("swiped away", "쓸어 올려 끝냄")),
        ("isPrewarmed", Phrase("started early, waiting", "미리 시작되어 기다림")),
        ("task1", Phrase("background task open", "백그라운드 작업 열림")),
        ("task2", Phrase("task without a handler open", "핸들러 없는 작업 열림")),
        ("isPushHeld", Phrase("a push held back", "미뤄 둔 푸시")),
        ("notification1", Phrase("notification scheduled", "알림 예약됨")),
        ("notification2", Phrase("notification shown", "알림 보임")),
        ("timeLeft", Phrase("background time left:", "남은 백그라운드 시간:")),
        ("next", Phrase("Next:", "다음:")),
        ("nextNone", Phrase("No deadline is running.", "기다리는 것이 없음.")),
        ("screen", Phrase("On the screen:", "화면에는:")),
        (
            "note",
            Phrase(
                "Numbers such as T03 and R-42 are sections of docs/rules.md. A gray button would be refused: press it to read "
                    + "why. The device has a passcode. The app was opened once before, and has registered for notifications; "
                    + "it declares the modes location, fetch and remote-notification, and its code takes no time. Each silent "
                    + "push wakes it, and only the button starts a fetch.",
                "T03, R-42 같은 번호는 docs/rules.md의 절입니다. 흐린 버튼은 거절됩니다. 눌러서 까닭을 읽어 보세요. 기기에는 암호가 설정되어 "
                    + "있습니다. 앱은 전에 한 번 열려 알림을 받겠다고 등록했고, location, fetch, remote-notification 모드를 선언했으며, 앱의 "
                    + "코드는 시간이 걸리지 않습니다. 조용한 푸시는 올 때마다 앱을 깨우고, 페치할 차례는 버튼을 눌러야만 옵니다.")
        ),
        ("color", Phrase("light or dark", "밝게 또는 어둡게")),
    ]
}
