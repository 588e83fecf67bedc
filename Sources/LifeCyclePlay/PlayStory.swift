import AppCore
import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// Makes lines from the chronicle of one act.
struct PlayStory {
    private(set) var lines: [PlayLine] = []
    /// The row of the current transition, for lines without their own row.
    private var row: String?
    private var state: AppState
    /// The row of the last completion handler that the app was given.
    private var handlerRow: String?

    /// Begins with the row of the table that applies to `act`.
    init(_ act: PlayAct, state: AppState, isInForeground: Bool) {
        self.state = state
        row = act.row(state, isInForeground)
    }

    mutating func add(_ line: PlayLine) { lines.append(line) }

    mutating func add(_ chronicle: [Chronicled]) {
        for entry in chronicle {
            switch entry.what {
            case .turn(_, let effects):
                for case .decided(let decision) in effects { add(decision, at: entry.time) }
            case .note(let launch, let note):
                if launch.app == PlayWorld.app { add(note) }
            }
        }
    }

    private mutating func add(_ decision: Decision, at time: Moment) {
        let decision = Self.renumbered(decision)
        let text = Phrase(DecisionText.kindAndText(decision, at: time).text)
        if decision.app == PlayWorld.other {
            if case .launch(_, .stateChanged) = decision { add(PlayLine(kind: .other, text: text)) }
            return
        }
        let rule = rule(of: decision)
        if case .launch(_, .ended) = decision {} else if let rule, rule.hasPrefix("T") { row = rule }
        switch decision {
        case .launch(_, .stateChanged(_, let to)):
            state = to
            add(PlayLine(kind: .state, text: text, rule: rule ?? row, state: to))
        case .device(.actRefused), .app(_, .wakeRefused): add(PlayLine(kind: .no, text: text, rule: rule))
        // The passcode is set before the page's first state.
        case .device(.settingChanged): break
        default: add(PlayLine(kind: .why, text: text, rule: rule))
        }
    }

    /// The row of the rule book. Some rows depend on the app's state, too.
    private func rule(of decision: Decision) -> String? {
        switch decision {
        case .launch(_, .terminating(.memory, _)): state == .suspended ? "T15" : "T16"
        case .launch(_, .terminating(.forceQuit, _)): state == .suspended ? "T17" : "T18"
        case .launch(_, .ended(.memory, _)), .launch(_, .ended(.forceQuit, _)): row
        default: DecisionText.rule(of: decision)
        }
    }

    private mutating func add(_ note: AppNote) {
        switch note {
        case .called(let call):
            let rule = call == .didReceiveMemoryWarning ? "T14" : row
            handlerRow = call.event?.kind.rule ?? handlerRow
            add(PlayLine(kind: .call, text: Phrase(name: AppleNames.name(of: call)), rule: rule))
        case .posted(let notification):
            add(PlayLine(kind: .post, text: Phrase(name: AppleNames.name(of: notification))))
        case .expirationHandler: add(PlayLine(kind: .call, text: Phrase(name: "expirationHandler"), rule: "R-42"))
        case .began(_, true): say("beginBackgroundTask(withName:expirationHandler:)")
        case .began(_, false): say("beginBackgroundTask(withName:expirationHandler:) → .invalid", rule: "R-35")
        case .ended: say("endBackgroundTask(_:)")
        case .misused(.taskWithoutHandler):
            say("its log: the task has no expiration handler", "앱의 로그: 작업에 만료 핸들러가 없음", rule: "K077")
        case .misused(.noExpirationHandler):
            say("its log: time is up, but there is no handler to call", "앱의 로그: 시간이 다했으나 부를 핸들러가 없음", rule: "K077")
        case .misused(.unknownTask), .misused(.tooManyTasks), .misused(.handlerCalledTwice):
            say("its log: an API misuse", "앱의 로그: 잘못된 사용")
        case .hung: say("its main thread hangs", "메인 스레드가 멈춤")
        case .crashed(let signal): say("crashes with signal \(signal)", "시그널 \(signal)로 죽음", rule: "T26")
        case .exited(let code): say("exit(\(code))")
        // No app of the page downloads anything.
        case .downloads, .sessionCalled, .sessionCallReturned, .calledHandler: break
        case .fetched: say("completionHandler(_:)", rule: handlerRow)
        case .sdk(let call): say(call.signature, rule: call.rule)
        case .returned, .handlerReturned, .received, .busy, .keptScreenOn, .flooded: break
        }
    }

    private mutating func say(_ english: String, _ korean: String? = nil, rule: String? = nil) {
        add(PlayLine(kind: .app, text: Phrase(english, korean ?? english), rule: rule))
    }

    /// The page's only task and only notification have the number 1, however many there were before.
    private static func renumbered(_ decision: Decision) -> Decision {
        let id = TaskID(1)
        func task(_ task: BackgroundTask) -> BackgroundTask { BackgroundTask(id: id, name: task.name) }
        func assertion(_ assertion: Assertion) -> Assertion {
            if case .task = assertion { .task(id) } else { assertion }
        }
        return switch decision {
        case .launch(let launch, .taskGranted(let granted)): .launch(launch, .taskGranted(task(granted)))
        case .launch(let launch, .taskRefused(let refused)): .launch(launch, .taskRefused(task(refused)))
        case .launch(let launch, .taskEnded(_, let open)): .launch(launch, .taskEnded(id, open: open))
        case .launch(let launch, .unknownTaskEnded(_)): .launch(launch, .unknownTaskEnded(id))
        case .launch(let launch, .suspending(let last)): .launch(launch, .suspending(last: assertion(last)))
        case .launch(let launch, .resumed(let because)): .launch(launch, .resumed(because: assertion(because)))
        case .concern(.notification(let decision)): .concern(.notification(renumbered(decision)))
        default: decision
        }
    }

    private static func renumbered(_ decision: NotificationDecision) -> NotificationDecision {
        let id = NotificationID(app: PlayWorld.app, number: 1)
        return switch decision {
        case .scheduled(_, let due): .scheduled(id, at: due)
        case .fired(_, let late): .fired(id, late: late)
        case .shown(_, let types): .shown(id, types)
        case .notShown(_, let reason): .notShown(id, reason)
        case .answered(_, let answer): .answered(id, answer)
        default: decision
        }
    }
}
