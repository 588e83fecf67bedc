import AppCore
import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText

/// The virtual device of the page, with two apps whose code takes no time. The brain makes all decisions.
struct PlayWorld: Sendable {
    static let app = AppID(1)
    static let other = AppID(2)
    static let task = "work"

    private(set) var world: World
    /// The launch that has the task `open`.
    private var launch: LaunchID?
    /// The open task of the app's code; at most one here.
    private(set) var open: String?
    /// Whether the last act was impossible and changed nothing.
    private(set) var isAsBefore = false

    init(policy: Policy, app: PlayApp) {
        var policy = policy
        // Neither limit affects one app in short moments, and both would make every instant a different state.
        policy.requestRate = nil
        policy.containerSize = nil
        // The age of the last wake by a silent push would also make every instant a different state.
        policy.silentPushPeriod = .zero
        var script = AppScript()
        // The app is larger than the other app, so that it is ended first if memory is short.
        script.footprint = 100 << 20
        var smaller = AppScript()
        smaller.footprint = 10 << 20
        world = World(policy: policy, scripts: [script, smaller])
        world.advance(by: World.leastTimeToCompare)
        world.handle(.device(.appInstalled(Self.app, app.manifest(in: policy))))
        world.handle(.device(.appInstalled(Self.other, PlayApp.other(in: policy))))
        // With a passcode, so that the lock makes protected data unavailable (R-125).
        world.handle(.device(.settingChanged(.passcode(true))))
        world.advance(by: .zero)
        register(policy)
        _ = world.takeChronicle()
    }

    /// Opens the app, registers it for notifications, and ends it. The app then need not register at each launch.
    private mutating func register(_ policy: Policy) {
        world.handle(.device(.appOpened(Self.app)))
        world.advance(by: .zero)
        let pushes: [AppScript.Act] = PlayApp.knowsFetch(policy) ? [.registers(true)] : []
        // In this generation the app may have ended already, and has nothing to register.
        guard snapshot.launch != nil else { return }
        for act in pushes + [.registersNotifications, .exit(0)] {
            do throws(World.Impossibility) { try world.act(act, of: Self.app) } catch {
                preconditionFailure("\(act): \(error)")
            }
            world.advance(by: .zero)
        }
    }

    /// The violation by the brain; nil if there is none.
    var violation: String? { world.violation.map { "\($0)" } }

    /// Performs an act with all its immediate consequences; returns the lines to show.
    mutating func perform(_ act: PlayAct) -> [PlayLine] {
        let before = snapshot.state
        var story = PlayStory(act, state: before, isInForeground: world.device.foregroundApp == Self.app)
        isAsBefore = false
        if let obstacle = act.perform(&self, &story) {
            isAsBefore = true
            story.add(PlayLine(kind: .no, text: obstacle))
            return story.lines
        }
        world.advance(by: .zero)
        let chronicle = world.takeChronicle()
        for entry in chronicle { note(entry) }
        become(snapshot.launch)
        story.add(chronicle)
        return story.lines
    }

    // MARK: Acts

    /// Always nil: if a rule forbids the event, the decision says so.
    mutating func handle(_ event: Event) -> Phrase? {
        world.handle(event)
        return nil
    }

    mutating func reboot() -> Phrase? {
        world.reboot()
        return nil
    }

    mutating func letTimePass(into story: inout PlayStory) -> Phrase? {
        guard let deadline = world.device.nextDeadline else {
            return Phrase("nothing is waited for: nothing would change", "기다리는 것이 없음: 시간이 지나도 달라지지 않음")
        }
        let span = max(.zero, deadline.at - world.now.awake)
        let text = Phrase("\(span) go by", "\(Korean.text("\(span)"))가 지남")
        story.add(PlayLine(kind: .time, text: text))
        world.advance(by: span)
        return nil
    }

    /// Runs an act of the app's code. `bringsTime` means that a time limit begins.
    mutating func run(_ code: AppScript.Act, bringsTime: Bool = false) -> Phrase? {
        if bringsTime, snapshot.launch != nil, let obstacle = obstacle(isNotificationThere: notification != .none) {
            return obstacle
        }
        do throws(World.Impossibility) {
            try world.act(code, of: Self.app)
        } catch {
            return Self.text(error)
        }
        return nil
    }

    /// The obstacle if something with a time is already pending. The page allows one timed thing at a time: with two,
    /// each difference between their times would be a new state.
    func obstacle(isNotificationThere: Bool) -> Phrase? {
        if open != nil {
            return Phrase(
                "a task is open: one thing at a time, on this page", "열린 작업이 있음: 이 페이지에서는 한 번에 하나만 할 수 있음")
        }
        guard isNotificationThere else { return nil }
        return Phrase(
            "there is a notification: one thing at a time, on this page", "알림이 이미 있음: 이 페이지에서는 한 번에 하나만 할 수 있음")
    }

    private static func text(_ impossibility: World.Impossibility) -> Phrase {
        switch impossibility {
        case .notRunning: Phrase("it is not running: there is no code to do that", "실행 중이 아님: 그렇게 할 코드가 없음")
        case .suspended: Phrase("it is suspended: none of its code runs", "일시 중단됨: 코드가 전혀 돌지 않음")
        case .prewarmed:
            Phrase("it was only started early: its own code does not run yet", "미리 시작되었을 뿐임: 앱의 코드는 아직 돌지 않음")
        case .hangs: Phrase("its main thread hangs already", "메인 스레드가 이미 멈춰 있음")
        case .unknownTask: Phrase("no task is open", "열린 작업이 없음")
        case .noHandler: Phrase("it has no completion handler to call", "부를 완료 핸들러가 없음")
        }
    }

    // MARK: Open tasks

    private mutating func note(_ entry: Chronicled) {
        guard case .note(let launch, let note) = entry.what, launch.app == Self.app else { return }
        become(launch)
        switch note {
        case .began(let name, true): open = name
        case .ended: open = nil
        default: break
        }
    }

    private mutating func become(_ newest: LaunchID?) {
        guard newest != launch else { return }
        launch = newest
        open = nil
    }

    // MARK: Visible facts

    var snapshot: AppSnapshot { snapshot(of: Self.app) }

    private func snapshot(of app: AppID) -> AppSnapshot {
        guard let snapshot = world.device.snapshot(of: app) else { preconditionFailure("it is never uninstalled") }
        return snapshot
    }

    var notification: PlayFacts.Notification {
        if !world.shownNotifications(of: Self.app).isEmpty { return .shown }
        return world.device.notificationRecords.scheduled.isEmpty ? .none : .scheduled
    }

    var facts: PlayFacts {
        let snapshot = snapshot
        let record = world.device.record
        let now = world.now.awake
        let next = world.device.nextDeadline.map { deadline in
            let reason = DeadlineText.text(deadline.reason)
            let span = max(.zero, deadline.at - now)
            return Phrase("\(span): \(reason.english)", "\(Korean.text("\(span)")): \(reason.korean)")
        }
        let task: PlayFacts.Task = open == nil ? .none : open == Self.task ? .withHandler : .withoutHandler
        return PlayFacts(
            state: snapshot.state, front: Int(world.device.foregroundApp?.rawValue ?? 0), isLocked: record.isLocked,
            isInterrupted: record.interruption != nil, task: task, notification: notification,
            isForceQuit: snapshot.record.isForceQuit, isPrewarmed: snapshot.isPrewarmed,
            isPushHeld: world.heldPush(of: Self.app) != nil,
            timeLeft: snapshot.backgroundTimeUntil.map { max(.zero, $0 - now) }, next: next)
    }

    /// The key of the state. States with the same key behave alike.
    var key: Key { Key(fingerprint: world.fingerprint, open: open) }

    struct Key: Hashable, Sendable {
        let fingerprint: UInt64
        /// The system knows of a task only in the background.
        let open: String?
    }
}
