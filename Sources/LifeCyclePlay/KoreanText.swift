import LifeCycleModel
import LifeCyclePolicy
import LifeCycleText

/// Decisions as sentences in Korean: what `DecisionText` says in English.
enum KoreanText {
    static func text(_ decision: Decision, at now: Moment) -> String {
        switch decision {
        case .launch(_, .stateChanged(let from, let to)): "\(name(from)) → \(name(to))"
        case .launch(_, .prewarmed): "미리 시작됨: 실행되기를 기다림"
        case .launch(_, .launched(.user)): "실행됨: 사용자가 열었음"
        case .launch(_, .launched(let reason)): "백그라운드로 실행됨: \(name(reason))"
        case .launch(_, .launchIsSlow): "아직 실행을 마치지 못함: 지금쯤은 마쳤어야 함"
        case .launch(_, .woken(let reason)): "깨어남: \(name(reason))"
        case .app(_, .wakeRefused(.user, let refusal)): "열리지 않음: \(text(refusal))"
        case .app(_, .wakeRefused(let reason, let refusal)): "\(name(reason)) 때문에 깨우지 않음: \(text(refusal))"
        case .launch(_, .suspending(let last)): "일시 중단 예정: 마지막까지 붙잡고 있던 것은 \(text(last))"
        case .launch(_, .resumed(let because)): "계속 실행됨: \(text(because)) 때문"
        case .launch(_, .taskGranted(let task)): "백그라운드 작업 \(task.id.rawValue) \"\(task.name)\" 열림"
        case .launch(_, .taskRefused(let task)): "백그라운드 작업 \(task.id.rawValue) \"\(task.name)\" 거절됨: 시간이 다했음"
        case .launch(_, .taskEnded(let id, let open)): "백그라운드 작업 \(id.rawValue) 끝남; 열린 작업 \(open)개"
        case .launch(_, .unknownTaskEnded(let id)): "열려 있지 않은 백그라운드 작업 \(id.rawValue)을 끝냄"
        case .launch(_, .backgroundTimeGranted(let until)): "백그라운드 시간 \(span(until - now.awake)) 주어짐"
        case .launch(_, .tasksExpiring(let tasks)): "백그라운드 시간이 거의 다함: \(names(tasks))의 만료 핸들러를 부름"
        case .launch(_, .terminating(let reason, let open)):
            "끝낼 예정: \(text(reason))" + (open.isEmpty ? "" : "; 열린 작업: \(names(open))")
        case .launch(_, .ended(let reason, let status)):
            "끝남: \(text(reason))" + (status.map { " (\(text($0)))" } ?? "")
        case .launch(_, .scenesAdvised): "UIApplicationSceneManifest가 없음: 다음 세대부터는 실행되지 않음"
        case .app(_, .inputDropped(let state)): "전달되지 않음: 활성 앱만 이벤트를 받는데, 지금은 \(name(state))"
        case .launch(_, .interrupted(let kind)): "\(text(kind)) 때문에 방해받음"
        case .launch(_, .interruptionEnded(let kind, let isAccepted)): "\(text(kind)): \(isAccepted ? "받아들임" : "끝남")"
        case .launch(_, .thawedFromOutside): "시스템이 아닌 것이 녹였음: 일시 정지 중이므로 다시 얼림"
        case .launch(_, .thawFailed(let errno)): "녹일 수 없었음 (errno \(errno)): 다시 시도함"
        case .launch(_, .memoryWarning): "메모리가 적음: 경고함"
        case .launch(_, .sceneReclaimed): "메모리가 적음: 씬을 거두어들임"
        case .device(.locked), .device(.unlocked), .device(.settingChanged), .device(.zoneChanged),
            .app(_, .backgroundRefreshChanged),
            .device(.actRefused):
            deviceText(decision)
        case .launch(_, .ignoredLate): "늦었거나 되풀이된 것이라 무시함"
        case .app(let app, .unknown): "\(app)은 설치되어 있지 않음"
        case .launch(_, .eventHandled(let kind, let result, let time)):
            "\(kind.name): \(result.rawValue), \(span(time)) 걸림"
        case .concern(let reason): text(reason, at: now) ?? DecisionText.kindAndText(decision, at: now).text
        case .launch(_, .foundAgain(let isFrozen)): "시스템이 다시 시작된 뒤 찾음: \(isFrozen ? "얼어 있음" : "실행 중")"
        }
    }

    /// Nil for a concern that is not translated: its words are shown in English.
    private static func text(_ reason: ConcernReason, at now: Moment) -> String? {
        switch reason {
        case .fetch(let decision): text(decision)
        case .notification(let decision): text(decision, at: now)
        case .push(let decision): KoreanPushText.text(decision)
        default: nil
        }
    }

    private static func deviceText(_ decision: Decision) -> String {
        switch decision {
        case .device(.locked(let isAutomatic)): isAutomatic ? "화면이 잠김: 오랫동안 만지지 않았음" : "화면이 잠김"
        case .device(.unlocked): "잠금이 풀림"
        case .device(.zoneChanged(let name)): "기기의 시계가 \(name) 시간을 보임"
        case .device(.settingChanged(let setting)): "설정 \(setting.name) 바뀜"
        case .app(_, .backgroundRefreshChanged(let isOn)): "백그라운드 앱 새로 고침 \(isOn ? "켜짐" : "꺼짐")"
        case .device(.actRefused(let act, let refusal)): "\(text(act)): \(text(refusal))"
        default: "\(decision)"
        }
    }

    static func name(_ state: AppState) -> String {
        switch state {
        case .notRunning: "실행 전"
        case .inactive: "비활성"
        case .active: "활성"
        case .background: "백그라운드"
        case .suspended: "일시 중단"
        }
    }

    /// A length of time.
    static func span(_ span: Nanoseconds) -> String {
        let text = "\(span)"
        return text.hasSuffix(" s") ? text.dropLast(2) + "초" : text
    }

    private static func name(_ reason: LaunchReason) -> String {
        switch reason {
        case .user: "사용자"
        case .locationUpdate: "위치 업데이트"
        case .locationMonitoring: "위치 모니터링 이벤트"
        case .remoteNotification: "원격 알림"
        case .backgroundFetch: "백그라운드 페치"
        case .voip: "VoIP"
        case .externalAccessory: "외부 액세서리"
        case .bluetoothCentral: "블루투스 센트럴"
        case .bluetoothPeripheral: "블루투스 주변 기기"
        case .newsstand: "뉴스스탠드"
        case .urlSession: "백그라운드 세션"
        }
    }

    private static func text(_ interruption: Interruption) -> String {
        switch interruption {
        case .call: "걸려 온 전화"
        case .message: "문자 메시지"
        case .alert: "경고창"
        case .notificationCenter: "알림 센터"
        case .appSwitcher: "앱 전환기"
        }
    }

    private static func text(_ act: UserAct) -> String {
        switch act {
        case .home: "홈으로 갈 수 없음"
        case .switchApp: "전환할 수 없음"
        case .interrupt: "방해할 것이 없음"
        case .dismiss: "물리칠 것이 없음"
        case .accept: "받아들일 것이 없음"
        case .lock: "잠글 수 없음"
        case .unlock: "잠금을 풀 수 없음"
        }
    }

    private static func text(_ refusal: ActRefusal) -> String {
        switch refusal {
        case .nothingInFront: "앞에 있는 것이 홈 화면임. 먼저 앱을 여세요"
        case .nothingInterrupts: "앞에 있는 앱을 방해하는 것이 없음"
        case .interruptedAlready: "앞에 있는 앱이 이미 방해받고 있음. 먼저 물리치거나 받아들이세요"
        case .locked: "화면이 잠겨 있음. 먼저 잠금을 푸세요"
        case .notLocked: "화면이 잠겨 있지 않음"
        case .notInSwitcher: "앱 전환기에 없음: 연 적이 없거나 쓸어 올렸음. 앱을 여세요"
        case .noOtherApp: "앱 전환기에 다른 앱이 없음"
        case .shuttingDown: "시스템을 끄는 중임"
        }
    }

    private static func text(_ assertion: Assertion) -> String {
        switch assertion {
        case .foreground: "포그라운드"
        case .callback: "콜백"
        case .termination: "종료 절차"
        case .wake: "깨어난 일"
        case .adopted: "받아들인 앱의 백그라운드 시간"
        case .reconnection: "다시 연결하기"
        case .sessionEvents: "백그라운드 세션의 이벤트"
        case .wakeEvent: "처리해야 할 이벤트"
        case .task(let id): "백그라운드 작업 \(id.rawValue)"
        }
    }

    static func text(_ refusal: WakeRefusal) -> String {
        switch refusal {
        case .modeNotDeclared: "필요한 모드가 UIBackgroundModes에 없음"
        case .fetchDisabled: "Info.plist의 BGTaskSchedulerPermittedIdentifiers가 백그라운드 페치를 끔"
        case .forceQuit: "사용자가 쓸어 올려 끝낸 뒤 다시 열지 않았음"
        case .exitsOnSuspend: "UIApplicationExitsOnSuspend 때문에 백그라운드에 있을 수 없음"
        case .ending: "끝나는 중임"
        case .shuttingDown: "시스템을 끄는 중임"
        case .notAWake: "사용자가 여는 것은 사용자만 할 수 있음"
        case .backgroundRefresh: "백그라운드 앱 새로 고침이 꺼져 있음"
        case .notUnlockedSinceStart: "암호가 설정되어 있고, 기기를 켠 뒤 잠금을 푼 적이 없음"
        case .locked: "화면이 잠겨 있음. 먼저 잠금을 푸세요"
        case .noScenes: "이 세대가 모든 앱에 요구하는 UIApplicationSceneManifest가 없음"
        }
    }

    private static func text(_ reason: TerminationReason) -> String {
        let cause =
            switch reason {
            case .exited(.exited): "스스로 끝남"
            case .exited(.signaled): "시그널로 끝남"
            case .exited(.unknown): "사라졌으나 까닭을 본 이가 없음"
            case .launchFailed(let errno): "프로세스를 시작할 수 없었음 (errno \(errno))"
            case .cutOff: "시작하던 중에 시스템이 죽었음"
            case .watchdog(let callback): "\(callback.name)에서 제때 돌아오지 않았음"
            case .didNotExit: "SIGTERM을 받고 제때 끝나지 않았음"
            case .lostContact: "시스템이 다시 시작된 뒤 돌아오지 않았음"
            case .tasksNotEnded: "백그라운드 작업을 제때 끝내지 않았음"
            case .sessionEventsNotHandled: "백그라운드 세션 이벤트의 완료 핸들러를 제때 호출하지 않음"
            case .eventNotHandled(let kind): "\(kind.name)의 완료 핸들러를 제때 호출하지 않음"
            case .tooManyTasks: "열린 백그라운드 작업이 너무 많음"
            case .forceQuit: "사용자가 쓸어 올려 끝냈음"
            case .memory: "메모리가 필요했음"
            case .exitsOnSuspend: "포그라운드를 떠나면 끝나는 앱임"
            case .shutdown: "시스템을 끄는 중임"
            case .deviceShutdown: "기기를 끄는 중임"
            case .systemGone: "일시 정지된 동안 시스템이 사라졌음"
            case .tooManyRequests: "요청이 너무 많았음"
            case .tooMuchDisk: "컨테이너가 허용된 것보다 큼"
            case .uninstalled: "앱을 지우는 중임"
            case .updated: "새로 설치되었음"
            case .notFreezable: "커널이 얼리지 못했음"
            case .fault(let fault): "시스템 자신의 오류를 찾았음(\(fault.rawValue)): 저널과 함께 알려 주십시오"
            }
        switch reason.code {
        case .exception, .jetsam: return "\(cause), \(reason.code)"
        case .signal: return cause
        }
    }

    private static func text(_ status: ExitStatus) -> String {
        switch status {
        case .exited(let code): "종료 코드 \(code)"
        case .signaled(let number): "시그널 \(number)"
        case .unknown: "까닭을 모름"
        }
    }

    private static func names(_ tasks: [BackgroundTask]) -> String {
        tasks.map { "\"\($0.name)\"" }.joined(separator: ", ")
    }
}
