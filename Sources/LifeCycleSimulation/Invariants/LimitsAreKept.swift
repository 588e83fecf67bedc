import LifeCycleModel
import LifeCyclePolicy

/// No app is in a callback longer than its limit. No app is killed for a callback before the limit is over (R-06, R-17,
///
struct LimitsAreKept: Sendable {
    private struct Held: Sendable {
        var callback: Callback
        /// nil for a launch callback that has not been sent: its time begins with its process.
        var id: CallbackID?
        var since: Nanoseconds
        let limit: Nanoseconds
        /// Whether the limit ends when the app connects: the process was prewarmed, and is not launched yet.
        var isPrewarming = false
        /// Whether the limit ends when the process runs: an adopted app has no callbacks.
        var isAdopted = false

        var until: Nanoseconds { since + limit }
    }

    /// The tolerated lateness of a limit.
    var slack: Nanoseconds
    /// The order does not matter: the table is for look-up, and of the late launches the first is reported.
    private var held: [LaunchID: Held] = [:]
    /// The time that `willEnterForeground` left of the limit that both callbacks of a rise share. For look-up only.
    private var left: [LaunchID: Nanoseconds] = [:]

    init(slack: Nanoseconds = .zero) { self.slack = slack }

    mutating func check(
        _ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot], policy: Policy, now: Nanoseconds
    ) -> String? {
        note(event, now)
        for effect in effects {
            switch effect {
            case .launch(let launch, .start(let reason)):
                begin(.launch(reason), nil, of: launch, policy, now)
                held[launch]?.isAdopted = snapshots.contains {
                    $0.launch == launch && $0.record.manifest.isAdopted
                }
            case .launch(let launch, .prewarm):
                begin(.launch(.user), nil, of: launch, policy, now)
                held[launch]?.isPrewarming = true
            case .decided(.launch(let launch, .launched(let reason))) where held[launch]?.isPrewarming == true:
                begin(.launch(reason), nil, of: launch, policy, now)
            case .launch(let launch, .send(.callback(let id, let callback))):
                if case .launch = callback, held[launch] != nil {
                    held[launch]?.id = id
                } else if held[launch]?.id != id {
                    begin(callback, id, of: launch, policy, now)
                } else {
                    // A repeated callback has the current device facts.
                    held[launch]?.callback = callback
                }
            case .launch(let launch, .requestExit):
                left[launch] = nil
                held[launch] = Held(callback: .willTerminate, since: now, limit: policy.adoptedExit)
            case .launch(let launch, .kill(_))
            where event == .process(launch, .found(isFrozen: false))
                || event == .process(launch, .found(isFrozen: true)):
                // The kill was decided before the system's restart, and had not happened yet.
                held[launch] = nil
            case .launch(let launch, .kill(.watchdog(let callback))):
                guard let held = held.removeValue(forKey: launch), held.callback == callback else {
                    return "\(launch) is killed for \(callback.name), in which it is not"
                }
                if now < held.until { return "\(launch) is killed for \(callback.name) before \(held.until)" }
            case .launch(let launch, .kill(.didNotExit)):
                guard let held = held.removeValue(forKey: launch), held.callback == .willTerminate else {
                    return "\(launch) is killed for not exiting, and was not asked to"
                }
                if now < held.until { return "\(launch) is killed for not exiting before \(held.until)" }
            case .launch(let launch, .kill(_)):
                held[launch] = nil
            default: break
            }
        }
        let late = held.filter {
            $0.value.until + slack < now || ($0.value.until + slack == now && event == .deadlineReached)
        }
        guard let launch = late.keys.min(), let first = late[launch] else { return nil }
        return "\(launch) is in \(first.callback.name) since \(first.since), for more than \(first.limit)"
    }

    /// The loop stalled, so it could not receive acknowledgments: every app has the full time again.
    mutating func loopStalled(at now: Nanoseconds) {
        for launch in held.keys { held[launch]?.since = now }
    }

    private mutating func note(_ event: Event, _ now: Nanoseconds) {
        switch event {
        case .app(let launch, .attached(_)) where held[launch]?.isPrewarming == true:
            held[launch] = nil
        case .process(let launch, .started) where held[launch]?.isAdopted == true:
            held[launch] = nil
        case .app(let launch, .attached(let attachment)):
            if let id = held[launch]?.id, attachment.lastCallback >= id { returned(launch, now) }
        case .app(let launch, .requested(.acknowledge(let id, _))):
            if let known = held[launch], known.id == id || (known.id == nil && id == CallbackID(1)) {
                returned(launch, now)
            }
        case .process(let launch, .exited(_)), .process(let launch, .startFailed(_)), .process(let launch, .cutOff):
            held[launch] = nil
            left[launch] = nil
        default: break
        }
    }

    private mutating func returned(_ launch: LaunchID, _ now: Nanoseconds) {
        guard let known = held[launch] else { return }
        left[launch] = known.callback == .willEnterForeground ? known.until - now : nil
        // The exit also falls under the limit of willTerminate.
        if known.callback != .willTerminate { held[launch] = nil }
    }

    private mutating func begin(
        _ callback: Callback, _ id: CallbackID?, of launch: LaunchID, _ policy: Policy, _ now: Nanoseconds
    ) {
        let limit =
            switch callback {
            case .launch: policy.launch
            case .willResignActive: policy.resignActive
            case .didEnterBackground: policy.enterBackground
            case .willEnterForeground: policy.enterForeground
            case .didBecomeActive: left[launch].map { max($0, .milliseconds(1)) } ?? policy.otherCallback
            case .expireTasks: policy.expirationHandlers
            case .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern:
                policy.otherCallback
            case .willTerminate: policy.terminate
            }
        left[launch] = nil
        held[launch] = Held(callback: callback, id: id, since: now, limit: limit)
    }
}
