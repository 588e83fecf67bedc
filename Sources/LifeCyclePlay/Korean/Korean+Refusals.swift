extension Korean {
    static let refusals: [(english: String, korean: String)] = [
        ("not opened: %1", "열리지 않음: %1"), ("not woken for %1: %2", "%1 때문에 깨우지 않음: %2"),
        ("cannot go home: %1", "홈으로 갈 수 없음: %1"), ("cannot switch: %1", "전환할 수 없음: %1"),
        ("nothing to interrupt: %1", "방해할 것이 없음: %1"), ("nothing to dismiss: %1", "물리칠 것이 없음: %1"),
        ("nothing to accept: %1", "받아들일 것이 없음: %1"), ("cannot lock: %1", "잠글 수 없음: %1"),
        ("cannot unlock: %1", "잠금을 풀 수 없음: %1"), ("cannot answer a call: %1", "전화를 받을 수 없음: %1"),
        ("cannot decline a call: %1", "전화를 거절할 수 없음: %1"), ("cannot end a call: %1", "전화를 끊을 수 없음: %1"),
        ("no call rings", "울리는 전화가 없음"), ("no call is on", "하고 있는 통화가 없음"),
        ("cannot put a call on hold: %1", "통화를 보류할 수 없음: %1"),
        ("cannot resume a call: %1", "통화를 이어 갈 수 없음: %1"), ("cannot mute a call: %1", "음소거할 수 없음: %1"),
        ("cannot unmute a call: %1", "음소거를 풀 수 없음: %1"),
        ("no call is connected, or the app puts it on hold already", "연결된 통화가 없거나 앱이 이미 보류하는 중임"),
        ("no call is on hold, or the app resumes it already", "보류된 통화가 없거나 앱이 이미 이어 가는 중임"),
        ("no call is on, or it is muted already", "하고 있는 통화가 없거나 이미 음소거됨"),
        ("no call that is on is muted", "하고 있는 통화 가운데 음소거된 것이 없음"),
        ("another call is on; end it or put it on hold first", "다른 통화를 하고 있음. 먼저 끊거나 보류하세요"),
        ("the home screen is in the foreground; open an app first", "앞에 있는 것이 홈 화면임. 먼저 앱을 여세요"),
        ("nothing interrupts the foreground app", "앞에 있는 앱을 방해하는 것이 없음"),
        (
            "the foreground app is already interrupted; dismiss or accept that interruption first",
            "앞에 있는 앱이 이미 방해받고 있음. 먼저 물리치거나 받아들이세요"
        ),
        ("the screen is locked; unlock it first", "화면이 잠겨 있음. 먼저 잠금을 푸세요"),
        ("the screen is not locked", "화면이 잠겨 있지 않음"),
        (
            "the app is not in the switcher: it was not opened, or was swiped away; launch it",
            "앱 전환기에 없음: 연 적이 없거나 쓸어 올렸음. 앱을 여세요"
        ),
        ("no other app is in the switcher", "앱 전환기에 다른 앱이 없음"),
        ("the system is shutting down", "시스템을 끄는 중임"),
        ("UIBackgroundModes does not declare the mode it needs", "필요한 모드가 UIBackgroundModes에 없음"),
        (
            "BGTaskSchedulerPermittedIdentifiers in its Info.plist turns background fetch off",
            "Info.plist의 BGTaskSchedulerPermittedIdentifiers가 백그라운드 페치를 끔"
        ),
        ("the user swiped it away and has not opened it since", "사용자가 쓸어 올려 끝낸 뒤 다시 열지 않았음"),
        (
            "UIApplicationExitsOnSuspend keeps it out of the background",
            "UIApplicationExitsOnSuspend 때문에 백그라운드에 있을 수 없음"
        ),
        ("it is being ended", "끝나는 중임"),
        ("only the user can open an app", "사용자가 여는 것은 사용자만 할 수 있음"),
        ("Background App Refresh is off", "백그라운드 앱 새로 고침이 꺼져 있음"),
        (
            "the device has a passcode and has not been unlocked since it started",
            "암호가 설정되어 있고, 기기를 켠 뒤 잠금을 푼 적이 없음"
        ),
        (
            "it has no UIApplicationSceneManifest, which this iOS generation requires",
            "이 세대가 모든 앱에 요구하는 UIApplicationSceneManifest가 없음"
        ),
    ]
}
