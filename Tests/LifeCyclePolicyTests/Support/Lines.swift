import LifeCycleModel
import LifeCyclePolicy

/// Effects and events as text, one a line, so that a test shows a whole conversation. `>` marks an event and `·` a
/// decision; a line without a mark is an action.
enum Lines {
    /// Whether the effect is part of the lines. Effects of every launch have their own tests, and would clutter the
    /// others.
    static func isShown(_ effect: Effect) -> Bool {
        switch effect {
        case .launch(_, .prioritize), .launch(_, .measureContainer), .device(.keepAwake), .launch(_, .send(.device)),
            .decided(.launch(_, .scenesAdvised)):
            false
        default: true
        }
    }

    static func of(_ effect: Effect) -> String {
        switch effect {
        case .launch(let launch, .send(.device)): "\(launch) is sent the device"
        case .launch(let launch, .send(.input(.text(let text)))): "\(launch) gets \(text)"
        case .launch(let launch, .send(.input(.touch(let x, let y)))): "\(launch) gets a touch at \(x), \(y)"
        case .launch(let launch, .prioritize(let priority)): "\(launch) has the share of the \(priority)"
        case .launch(let launch, .measureContainer): "measure the container of \(launch)"
        case .device(.keepAwake(let isKept)): isKept ? "keep awake" : "let sleep"

        case .launch(let launch, .prewarm): "prewarm \(launch)"
        case .launch(let launch, .start(let reason)): "start \(launch) for \(reason)"
        case .launch(let launch, .send(.callback(let id, let callback))): "\(launch) \(id) \(name(callback))"
        case .launch(let launch, .send(.backgroundTime(let until?))): "\(launch) has time until \(time(until))"
        case .launch(let launch, .send(.backgroundTime(until: nil))): "\(launch) has no clock"
        case .launch(let launch, .send(.concern(.transfer(let session, let news)))): "\(launch) \(session): \(news)"
        case .concern(.transfer(.begin(let id, let attempt))): "begin transfer \(id) (\(attempt))"
        case .concern(.transfer(.stop(let id))): "stop transfer \(id)"
        case .concern(.transfer(.move(let id))): "move transfer \(id)"
        case .concern(.transfer(.discard(let id))): "discard transfer \(id)"
        case .launch(let launch, .send(.restoreIdentifiers(let identifiers))): "\(launch) restores \(identifiers)"
        case .launch(let launch, .send(.taskRefused(let task))): "\(launch) is refused \(task)"
        case .launch(let launch, .freeze(let attempt)): "freeze \(launch) (\(attempt))"
        case .launch(let launch, .thaw): "thaw \(launch)"
        case .launch(let launch, .requestExit): "SIGTERM \(launch)"
        case .launch(let launch, .kill(let reason)): "kill \(launch): \(of(reason)), \(reason.code)"
        case .launch(let launch, .send(.concern(.notification(let news)))): "\(launch) \(NotificationLines.of(news))"
        case .launch(let launch, .send(.concern(let message))): "\(launch) \(plain(message))"
        case .concern(.notification(let output)): NotificationLines.of(output)
        case .concern(let output): plain(output)
        case .store(let record): "store " + of(record)
        case .device(.removeFiles(let app)): "remove files of \(app)"
        case .device(.finishShutdown): "finish shutdown"
        case .decided(let decision): "· " + of(decision)
        }
    }

    static func of(_ event: Event) -> String {
        switch event {
        case .device(.appInstalled(let app, _)): "> \(app) installed"
        case .device(.appUninstalled(let app)): "> \(app) uninstalled"
        case .device(.appOpened(let app)): "> \(app) opened"
        case .device(.homePressed): "> home"
        case .device(.appForceQuit(let app)): "> \(app) swiped away"
        case .device(.wakeOccurred(let app, let reason, _)): "> \(app) wake: \(reason)"
        case .device(.memoryRanShort): "> memory ran short"
        case .device(.memoryRanLow): "> memory ran low"
        case .device(.appSwitched(let app)): "> switched to \(app.map { "\($0)" } ?? "the last app")"
        case .device(.interruptionBegan(let kind)): "> \(kind) interrupts"
        case .device(.interruptionDismissed): "> dismissed"
        case .device(.interruptionAccepted(let app)): "> accepted\(app.map { ", to \($0)" } ?? "")"
        case .device(.deviceLocked): "> locked"
        case .device(.deviceUnlocked): "> unlocked"
        case .device(.settingChanged(let setting)): "> \(setting.name) set"
        case .device(.backgroundRefreshChanged(let app, let isOn)): "> refresh of \(app) \(isOn ? "on" : "off")"
        case .device(.inputOccurred(let app, _)): "> input for \(app)"
        case .device(.clockWasSet): "> clock set"
        case .device(.clockStepped(let step)): "> clock stepped by \(step.rawValue) ns"
        case .device(.zoneChanged(let name, _)): "> in \(name)"
        case .device(.networkChanged(let isConnected)): "> \(isConnected ? "" : "not ")connected"
        case .device(.deviceShutdownBegan): "> device shuts down"
        case .concern(.fetch(.opportunityOffered(let app))): "> \(app) may fetch"
        case .process(let launch, .footprintMeasured(let size)): "> \(launch) holds \(size) bytes"
        case .process(let launch, .containerMeasured(let size)): "> \(launch) has \(size) bytes"
        case .app(let launch, .requested(.setIdleTimerDisabled(let isDisabled))):
            "> \(launch) idle timer \(isDisabled ? "disabled" : "enabled")"
        case .device(.deviceStarted): "> device started"
        case .device(.shutdownBegan): "> shutdown began"
        case .process(let launch, .started): "> \(launch) started"
        case .process(let launch, .startFailed(let errno)): "> \(launch) start failed, \(errno)"
        case .process(let launch, .cutOff): "> \(launch) cut off"
        case .process(let launch, .exited(let status)): "> \(launch) exited, \(of(status))"
        case .process(let launch, .froze(let attempt, _)): "> \(launch) froze (\(attempt))"
        case .process(let launch, .thawed): "> \(launch) thawed"
        case .process(let launch, .thawFailed(let errno)): "> \(launch) thaw failed: \(errno)"
        case .process(let launch, .freezeFailed(let attempt, _)): "> \(launch) freeze failed (\(attempt))"
        case .process(let launch, .found(let isFrozen)): "> \(launch) found \(isFrozen ? "frozen" : "running")"
        case .app(let launch, .attached(let attachment)):
            "> \(launch) attached \(attachment.phase) \(attachment.lastCallback)\(of(attachment.open))"
        case .app(let launch, .requested(.acknowledge(let id, let open))): "> \(launch) acknowledged \(id)\(of(open))"
        case .app(let launch, .requested(.beginTask(let task))): "> \(launch) begins \(task.id)"
        case .app(let launch, .requested(.concern(.transfer(let session, let act)))): "> \(launch) \(session): \(act)"
        case .app(let launch, .requested(.endTask(let task))): "> \(launch) ends \(task)"
        case .app(let launch, .requested(.eventHandled(let callback, let result))):
            "> \(launch) handled \(callback): \(result)"
        case .app(let launch, .requested(.concern(.fetch(.setMinimumInterval(let interval))))):
            "> \(launch) fetch interval \(interval.map { "\($0)" } ?? "never")"
        case .app(let launch, .requested(.concern(.notification(.act(let act))))):
            "> \(launch) \(act.number): \(NotificationLines.of(act.act))"
        case .concern(.notification(let input)): "> \(NotificationLines.of(input))"
        case .concern(.transfer(.reported(let report))): "> transfer \(report)"
        case .concern(.transfer(.userAction(let id, let action))): "> \(action) transfer \(id)"
        case .concern(let input): "> \(plain(input))"
        case .app(let launch, .requested(.concern(.notification(.setRemoteNotifications(let isWanted, _))))):
            "> \(launch) wants \(isWanted ? "pushes" : "no pushes")"
        case .app(let launch, .requested(.concern(let request))): "> \(launch) \(plain(request))"
        case .deadlineReached: "> deadline"
        }
    }

    private static func of(_ decision: Decision) -> String {
        switch decision {
        case .launch(let launch, .stateChanged(let from, let to)): "\(launch) \(from.name) → \(to.name)"
        case .launch(let launch, .prewarmed): "\(launch) prewarmed"
        case .launch(let launch, .launched(let reason)): "\(launch) launched for \(reason)"
        case .launch(let launch, .scenesAdvised): "\(launch) has no scenes"
        case .device(.actRefused(let act, let why)): "\(act) refused: \(why)"
        case .app(let app, .inputDropped(let state)): "input for \(app) dropped: \(state.name)"
        case .launch(let launch, .interrupted(let kind)): "\(launch) interrupted by \(kind)"
        case .launch(let launch, .interruptionEnded(let kind, let isAccepted)):
            "\(launch) \(kind) \(isAccepted ? "accepted" : "over")"
        case .device(.locked(let isAutomatic)): isAutomatic ? "locked by itself" : "locked"
        case .device(.unlocked): "unlocked"
        case .device(.settingChanged(let setting)): "\(setting.name) set"
        case .device(.zoneChanged(let name)): "the device's time zone is now \(name)"
        case .app(let app, .backgroundRefreshChanged(let isOn)): "refresh of \(app) \(isOn ? "on" : "off")"
        case .launch(let launch, .memoryWarning): "\(launch) memory warning"
        case .launch(let launch, .sceneReclaimed): "\(launch) scene reclaimed"
        case .launch(let launch, .launchIsSlow): "\(launch) launches slowly"
        case .launch(let launch, .woken(let reason)): "\(launch) woken for \(reason)"
        case .app(let app, .wakeRefused(let reason, let why)): "\(app) not woken for \(reason): \(why)"
        case .launch(let launch, .suspending(let last)): "\(launch) suspending after \(of(last))"
        case .launch(let launch, .resumed(let because)): "\(launch) resumed for \(of(because))"
        case .launch(let launch, .thawedFromOutside): "\(launch) thawed from outside"
        case .launch(let launch, .thawFailed(let errno)): "\(launch) not thawed: \(errno)"
        case .launch(let launch, .taskGranted(let task)): "\(launch) \(task.id) granted"
        case .launch(let launch, .taskRefused(let task)): "\(launch) \(task.id) refused"
        case .launch(let launch, .taskEnded(let task, let open)): "\(launch) \(task) ended, \(open) open"
        case .launch(let launch, .unknownTaskEnded(let task)): "\(launch) \(task) unknown"
        case .launch(let launch, .backgroundTimeGranted(let until)): "\(launch) clock until \(time(until))"
        case .launch(let launch, .tasksExpiring(let tasks)): "\(launch) expiring\(of(tasks))"
        case .launch(let launch, .terminating(let reason, let open)): "\(launch) terminating: \(of(reason))\(of(open))"
        case .launch(let launch, .ended(let reason, let status)):
            "\(launch) ended: \(of(reason))\(status.map { ", \(of($0))" } ?? "")"
        case .launch(let launch, .ignoredLate): "\(launch) ignored, late"
        case .app(let app, .unknown): "\(app) unknown"
        case .concern(.notification(let decision)): NotificationLines.of(decision)
        case .launch(let launch, .eventHandled(let kind, let result, let time)):
            "\(launch) \(kind) handled: \(result), \(time)"
        case .concern(.push(let decision)): "\(decision.app) \(name(decision))"
        case .concern(.fetch(.asked(let launch, let interval))):
            "\(launch) wants fetches: \(interval.map { "\($0)" } ?? "never")"
        case .concern(.fetch(.declined(let launch, let refusal))): "\(launch) may not want fetches: \(refusal)"
        case .concern(.fetch(.barred(let app, let obstacle))):
            obstacle.map { "\(app) may not fetch: \($0)" } ?? "\(app) may fetch again"
        case .concern(.fetch(.offered(let app, let late))): "\(app) is to fetch, \(late) late"
        case .concern(.fetch(.missed(let app, let refusal))): "\(app) may not fetch: \(refusal)"
        case .concern(.fetch(.spent(let app, _))): "\(app) has fetched enough for a day"
        case .concern(let reason): plain(reason)
        case .launch(let launch, .foundAgain(let isFrozen)): "\(launch) found again \(isFrozen ? "frozen" : "running")"
        }
    }

    private static func of(_ record: Record) -> String {
        switch record {
        case .app(let app): "\(app.app): \(app.lastLaunch) launched\(app.isForceQuit ? ", force-quit" : "")"
        case .device: "device"
        case .appRemoved(let app): "removal of \(app)"
        case .concern(.push(let push)): "pushes of \(push.app)"
        case .concern(.fetch(.client(let fetch))): "fetches of \(fetch.app)"
        case .concern(.fetch(.removed(let app))): "no fetches of \(app)"
        case .launch(let launch):
            "\(launch.launch)\(launch.isInForeground ? " foreground" : launch.mayBeActive ? " active" : "")"
                + (launch.isSuspended ? " suspended" : "")
                + (launch.ending.map { " ending: \(of($0))" } ?? "")
        case .concern(.notification(let record)): NotificationLines.of(record)
        case .launchEnded(let launch): "end of \(launch)"
        case .concern(.transfer(.session(let session))): "session \(session.id)"
        case .concern(.transfer(.sessionRemoved(let id))): "removal of session \(id)"
        case .concern(.transfer(.task(let transfer))): "transfer \(transfer.id)"
        case .concern(.transfer(.taskRemoved(let id))): "removal of transfer \(id)"
        case .concern(let record): plain(record)
        }
    }

    /// The value of a concern's case, as Swift prints it.
    private static func plain(_ word: some Any) -> String {
        Mirror(reflecting: word).children.first.map { "\($0.value)" } ?? "\(word)"
    }

    private static func of(_ assertion: Assertion) -> String {
        switch assertion {
        case .foreground: "foreground"
        case .callback: "callback"
        case .termination: "termination"
        case .wake: "wake"
        case .adopted: "adopted"
        case .reconnection: "reconnection"
        case .sessionEvents: "session events"
        case .wakeEvent: "wake event"
        case .location: "location"
        case .locationWithIndicator: "location with indicator"
        case .audio: "audio"
        case .call: "call"
        case .voipPush: "VoIP push"
        case .task(let id): "\(id)"
        }
    }

    private static func of(_ reason: TerminationReason) -> String {
        switch reason {
        case .exited(let status): "by itself, \(of(status))"
        case .launchFailed(let errno): "launch failed, \(errno)"
        case .cutOff: "cut off"
        case .watchdog(let callback): "watchdog \(name(callback))"
        case .didNotExit: "did not exit"
        case .lostContact: "lost contact"
        case .tasksNotEnded: "tasks not ended"
        case .sessionEventsNotHandled: "session events not handled"
        case .eventNotHandled(let kind): "\(kind) not handled"
        case .noCallReported: "no call reported"
        case .wokenTooOften: "woken too often"
        case .tooManyTasks: "too many tasks"
        case .systemGone: "system gone"
        case .forceQuit: "force-quit"
        case .memory: "memory"
        case .exitsOnSuspend: "exits on suspend"
        case .shutdown: "shutdown"
        case .deviceShutdown: "device shutdown"
        case .tooManyRequests: "too many requests"
        case .tooMuchDisk: "too much disk"
        case .uninstalled: "uninstalled"
        case .updated: "updated"
        case .notFreezable: "not freezable"
        case .fault(let fault): "fault \(fault.rawValue)"
        }
    }

    private static func of(_ status: ExitStatus) -> String {
        switch status {
        case .exited(let code): "code \(code)"
        case .signaled(let number): "signal \(number)"
        case .unknown: "unknown"
        }
    }

    private static func of(_ tasks: [BackgroundTask]) -> String {
        tasks.isEmpty ? "" : " [" + tasks.map { "\($0.id.rawValue)" }.joined(separator: " ") + "]"
    }

    private static func name(_ callback: Callback) -> String {
        if case .launch(let reason) = callback { "launch for \(reason)" } else { callback.name }
    }

    private static func time(_ reading: Nanoseconds) -> String { "+\(reading - start)" }

    private static func name(_ decision: PushDecision) -> String {
        switch decision {
        case .asked(_, let isWanted): isWanted ? "wants pushes" : "wants no pushes"
        case .registered(_, let isDone): isDone ? "is registered" : "is not registered"
        case .notRegistered: "has not registered"
        case .delivered: "gets a push"
        case .held(_, let hold, let isOther): "push held: \(hold)\(isOther ? ", instead of another" : "")"
        case .dropped(_, let loss): "push dropped: \(loss)"
        case .visible: "visible push"
        }
    }
}
