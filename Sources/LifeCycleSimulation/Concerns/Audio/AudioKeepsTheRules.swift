import LifeCycleModel
import LifeCyclePolicy

/// Only sound that may continue keeps an app running in the background, and for a short time after it has ended. Of the
/// sessions that do not mix with others, at most one is active. A player ends once, after it has played to its end
/// . A call of an app interrupts the sound of all other apps, and lets its own app play in the
/// background.
struct AudioKeepsTheRules: Invariant {
    static let name = "audio keeps the rules"

    // The tables are for look-up only, or all their entries are treated alike, so the order does not matter.
    private var sessions: [LaunchID: AudioSession] = [:]
    private var active: Set<LaunchID> = []
    private var interrupted: Set<LaunchID> = []
    /// The players that play, each with the time of its end.
    private var ends: [LaunchID: [AudioPlayerID: Nanoseconds]] = [:]
    /// The players that have played to their end, and whose app is not called yet.
    private var finished: [LaunchID: Set<AudioPlayerID>] = [:]
    /// The last call for a finished player. It may be repeated on a new connection.
    private var lastCalls: [LaunchID: CallbackID] = [:]
    /// The time at which an app that does not play any longer is no longer kept running.
    private var releases: [LaunchID: Nanoseconds] = [:]
    private var isOtherCallOn = false
    /// The calls that apps have reported.
    private var calls: [LaunchID: Set<CallID>] = [:]
    /// The launches from before the journal or a restart of the system. They may have calls.
    private var earlier: Set<LaunchID> = []

    init() {}

    init(_ device: Device) { earlier = Set(device.snapshots.compactMap(\.launch)) }

    mutating func check(_ turn: Observation) -> String? {
        for (launch, players) in ends {
            for (player, end) in players where end <= turn.now { finish(player, of: launch) }
        }
        note(turn)
        for effect in turn.effects {
            switch effect {
            case .decided(.concern(.audio(let decision))):
                if let finding = check(decision, turn) { return finding }
            case .decided(.concern(.voip(let decision))): note(decision)
            case .launch(let launch, .send(.callback(let id, .concern(.audio(.finished(let player)))))):
                guard lastCalls.updateValue(id, forKey: launch) != id else { break }
                guard finished[launch]?.remove(player) != nil else {
                    return "\(launch) is called for the end of \(player), which has not played to its end"
                }
            case .decided(.launch(let launch, .ended(_, _))): forget(launch)
            default: break
            }
        }
        return checkSessions(turn) ?? checkHolds(turn)
    }

    mutating func systemRestarted() {
        let mayHaveCalls = earlier.union(calls.keys)
        self = AudioKeepsTheRules()
        earlier = mayHaveCalls
    }

    private mutating func finish(_ player: AudioPlayerID, of launch: LaunchID) {
        ends[launch]?[player] = nil
        finished[launch, default: []].insert(player)
    }

    private mutating func forget(_ launch: LaunchID) {
        active.remove(launch)
        interrupted.remove(launch)
        (sessions[launch], ends[launch], finished[launch]) = (nil, nil, nil)
        (lastCalls[launch], releases[launch], calls[launch]) = (nil, nil, nil)
        earlier.remove(launch)
    }

    // MARK: Events

    /// Notes a phone call, or an accepted request of an app.
    private mutating func note(_ turn: Observation) {
        switch turn.event {
        case .concern(.audio(.call(let isOn))): isOtherCallOn = isOn
        case .app(let launch, .requested(.concern(.audio(let request)))):
            let isAccepted = turn.snapshots.contains { $0.launch == launch }
            if isAccepted { note(request, launch, turn) }
        default: break
        }
    }

    private mutating func note(_ request: AudioRequest, _ launch: LaunchID, _ turn: Observation) {
        switch request {
        case .setSession(let session):
            let isIgnored = turn.effects.contains { $0 == .decided(.launch(launch, .ignoredLate)) }
            if !isIgnored { sessions[launch] = session }
        case .play(let player, let end):
            let isActivated = turn.effects.contains {
                if case .decided(.concern(.audio(.activated(launch, _)))) = $0 { true } else { false }
            }
            guard active.contains(launch) || isActivated else { return }
            ends[launch, default: [:]][player] = end ?? .distantFuture
            if let end, end <= turn.now { finish(player, of: launch) }
        case .stop(let player): ends[launch]?[player] = nil
        case .activate, .deactivate: break
        }
    }

    private mutating func note(_ decision: VoIPDecision) {
        switch decision {
        case .reported(let launch, let id, nil), .chosen(let launch, let id, .start),
            .changed(let launch, let id, .resume):
            calls[launch, default: []].insert(id)
        case .ended(let launch, let id, _), .changed(let launch, let id, .hold):
            calls[launch]?.remove(id)
            if calls[launch]?.isEmpty == true { calls[launch] = nil }
        default: break
        }
    }

    private func session(of launch: LaunchID) -> AudioSession { sessions[launch] ?? AudioSession() }

    /// Whether a phone call is on that is not the app's own.
    private func isCallOn(for app: AppID) -> Bool { isOtherCallOn || calls.contains { $0.key.app != app } }

    /// The same if it is not known.
    private func mayCallBeOn(for app: AppID) -> Bool { isCallOn(for: app) || earlier.contains { $0.app != app } }

    private func mayHaveCall(_ launch: LaunchID?) -> Bool {
        launch.map { calls[$0] != nil || earlier.contains($0) } ?? false
    }

    // MARK: Decisions

    private mutating func check(_ decision: AudioDecision, _ turn: Observation) -> String? {
        switch decision {
        case .activated(let launch, let session):
            active.insert(launch)
            interrupted.remove(launch)
            return checkActivation(of: launch, session, turn)
        case .refused(let launch, let failure):
            active.remove(launch)
            ends[launch] = nil
            return failure == .isBusy ? "\(launch) is refused its session because it plays" : nil
        case .deactivated(let launch):
            active.remove(launch)
            interrupted.remove(launch)
            ends[launch] = nil
            return nil
        case .stopped(let launch):
            ends[launch] = nil
            return active.remove(launch) == nil ? "\(launch) is stopped, and its session is not active" : nil
        case .session(let launch, let isOn): return checkBackground(launch, isOn, turn)
        case .interrupted(let launch, let app):
            ends[launch] = nil
            interrupted.insert(launch)
            if isRefused(launch, turn) {
                return isRefusable(launch, by: app, turn) ? nil : "\(launch) is refused for \(app as Any)"
            }
            if active.remove(launch) == nil { return "\(launch) is interrupted, and its session is not active" }
            return isInterruptible(launch, by: app) ? nil : "\(launch) is interrupted by \(app as Any)"
        case .interruptionEnded(let launch, _):
            releases[launch] = max(releases[launch] ?? .zero, turn.now + turn.policy.eventSlice)
            let wasInterrupted = interrupted.remove(launch) != nil
            return wasInterrupted ? nil : "\(launch) learns of the end of an interruption, and was not interrupted"
        }
    }

    private func checkActivation(of launch: LaunchID, _ session: AudioSession, _ turn: Observation) -> String? {
        if session != self.session(of: launch) { return "\(launch) has a session that it has not set: \(session)" }
        if isCallOn(for: launch.app), session.category.records { return "\(launch) may record during a phone call" }
        guard let app = turn.snapshots.first(where: { $0.launch == launch }) else {
            return "\(launch) has a session, and does not run"
        }
        if turn.foregroundApp == launch.app || app.state.isForeground || mayContinue(app) { return nil }
        return "\(launch) may play in the background"
    }

    private func mayContinue(_ app: AppSnapshot) -> Bool {
        (app.record.manifest.backgroundModes.contains(.audio) || mayHaveCall(app.launch))
            && (app.launch.map { session(of: $0).category.continuesInBackground } ?? false)
    }

    private mutating func checkBackground(_ launch: LaunchID, _ isOn: Bool, _ turn: Observation) -> String? {
        guard isOn else {
            releases[launch] = turn.now + max(turn.policy.audioGrace, turn.policy.audioResumeWindow)
            return nil
        }
        releases[launch] = nil
        if !active.contains(launch) { return "\(launch) plays in the background, and its session is not active" }
        if ends[launch]?.isEmpty ?? true { return "\(launch) plays in the background, and no player plays" }
        if turn.foregroundApp == launch.app { return "\(launch) plays in the background, and is in the foreground" }
        return nil
    }

    /// Whether this app, or a phone call if it is nil, may interrupt the launch.
    private func isInterruptible(_ launch: LaunchID, by app: AppID?) -> Bool {
        guard let app else { return mayCallBeOn(for: launch.app) }
        if app == launch.app || session(of: launch).mixes { return false }
        return active.contains { $0.app == app && !session(of: $0).mixes }
    }

    /// Whether the app tried to activate its session in vain. It is interrupted again if it was interrupted before.
    private func isRefused(_ launch: LaunchID, _ turn: Observation) -> Bool {
        turn.effects.contains {
            if case .decided(.concern(.audio(.refused(launch, _)))) = $0 { true } else { false }
        }
    }

    /// Only the foreground app, or a phone call if it is nil, keeps an interrupted app from activating its session.
    private func isRefusable(_ launch: LaunchID, by app: AppID?, _ turn: Observation) -> Bool {
        app.map { $0 == turn.foregroundApp } ?? mayCallBeOn(for: launch.app)
    }

    // MARK: After the event

    private func checkSessions(_ turn: Observation) -> String? {
        let alone = turn.snapshots.filter { !$0.isEnding }.compactMap(\.launch)
            .filter { active.contains($0) && !session(of: $0).mixes && !mayHaveCall($0) }
        return alone.count > 1 ? "\(alone) do not mix with others, and are active" : nil
    }

    private func checkHolds(_ turn: Observation) -> String? {
        for app in turn.snapshots where app.assertions.contains(.audio) {
            let hasMode = app.record.manifest.backgroundModes.contains(.audio)
            // The assertions of an app that is being ended do not change any more.
            guard hasMode || mayHaveCall(app.launch) || app.isEnding else {
                return "\(app.record.app) is kept running by its sound, and neither declares the mode nor has a call"
            }
            if let launch = app.launch, let release = releases[launch], release + turn.slack < turn.now {
                return "\(launch) is kept running by its sound, which ended long ago"
            }
        }
        return nil
    }
}
