import LifeCycleModel
import LifeCyclePolicy

/// The rules of kept sockets, keep-alive handlers and launches after an end:
/// - Only an app that declares `voip` has kept sockets, as many as the policy allows. The system closes all of them by
///   the end of their launch.
/// - Sockets are watched while their app is suspended, and at no other time. If one can be read, the app is woken, or
///   the refusal is on record. Too many wakes end the app.
/// - A keep-alive handler is called in the background only, near the end of its interval.
/// - An app that ends in the background by a fault is launched again, unless it ended too often. No app is launched
///   after an end that the user or the app itself meant.
struct SocketsKeepTheRules: Invariant {
    static let name = "sockets keep the rules"

    private struct Handler: Sendable {
        let interval: Nanoseconds
        /// The beginning of the present interval, at the earliest and at the latest; nil if it has not begun. After a
        /// restart of the system it begins when the system has started.
        var since: Nanoseconds?
        var surelySince: Nanoseconds?

        init(interval: Nanoseconds) { self.interval = interval }

        var nineTenths: Nanoseconds { Nanoseconds(interval.rawValue / 10 * 9) }
        /// The first time at which the handler may be called; nil while it may not be called.
        var earliest: Nanoseconds? { since.map { $0 + nineTenths } }
        /// The last time at which the handler is called for an interval that began then.
        func latest(_ since: Nanoseconds?, _ policy: Policy) -> Nanoseconds? {
            since.map { $0 + max(nineTenths, interval - policy.eventSlice) }
        }
    }

    /// A report that a watched socket can be read.
    private struct Report: Equatable {
        let launch: LaunchID
        let id: SocketID
        let isOver: Bool
    }

    // The collections are for look-up only, or all their entries are treated alike, so the order does not matter.
    private var kept: [LaunchID: Set<SocketID>] = [:]
    /// The sockets that the system has or is getting.
    private var taken: [LaunchID: Set<SocketID>] = [:]
    private var watched: Set<LaunchID> = []
    /// The suspended launches that are to be woken as soon as the launch rules allow it.
    private var refused: Set<LaunchID> = []
    /// The times of the wakes by sockets.
    private var wakes: [AppID: [Nanoseconds]] = [:]
    private var handlers: [LaunchID: Handler] = [:]
    /// The ends in the background that no launch has followed yet, and below them the times of such launches.
    private var ends: [AppID: TerminationReason] = [:]
    private var launches: [AppID: [Nanoseconds]] = [:]
    /// The apps that ended too often, and are not launched yet.
    private var delayed: Set<AppID> = []
    /// The foreground app before the event.
    private var foregroundApp: AppID?
    /// The launches from before the journal. They may have sockets and handlers.
    private var earlier: Set<LaunchID> = []
    /// False after a restart of the system until the first deadline. Until then it may wait for reports about launches.
    private var isStarted = true

    init() {}

    init(_ device: Device) {
        earlier = Set(device.snapshots.compactMap(\.launch))
        isStarted = earlier.isEmpty
        foregroundApp = device.foregroundApp
    }

    mutating func systemRestarted() {
        (taken, watched, refused, wakes, launches, delayed) = ([:], [], [], [:], [:], [])
        for launch in handlers.keys { beginInterval(of: launch, at: nil) }
        (isStarted, foregroundApp) = (false, nil)
    }

    mutating func check(_ turn: Observation) -> String? {
        if turn.event == .deadlineReached { isStarted = true }
        let report = report(in: turn)
        noteEvent(turn)
        for effect in turn.effects {
            switch effect {
            case .concern(.socket(let output)): note(output)
            case .decided(.concern(.socket(let decision))):
                if let finding = check(decision, report, turn) { return finding }
            case .decided(.launch(let launch, .ended(let reason, _))):
                ends[launch.app] = foregroundApp == launch.app ? nil : reason
            case .launch(let launch, .kill(.wokenTooOften)):
                if let finding = checkKill(of: launch, report, turn) { return finding }
            default: break
            }
        }
        if case .device(.appForceQuit(let app)) = turn.event { delayed.remove(app) }
        let finding =
            checkWakes(report, turn) ?? checkWatch(turn) ?? checkHandlers(turn) ?? checkEnds(turn)
            ?? checkLaunches(turn)
        delayed.subtract(turn.snapshots.filter { $0.launch != nil && !$0.isEnding }.map(\.record.app))
        foregroundApp = turn.foregroundApp
        return finding
    }

    /// The report of the event, if its socket is kept and watched.
    private func report(in turn: Observation) -> Report? {
        guard case .concern(.socket(.readable(let launch, let id, let isOver))) = turn.event,
            watched.contains(launch), kept[launch]?.contains(id) == true
        else { return nil }
        return Report(launch: launch, id: id, isOver: isOver)
    }

    private mutating func noteEvent(_ turn: Observation) {
        switch turn.event {
        case .concern(.socket(.taken(let launch, let id, .some))): taken[launch]?.remove(id)
        case .app(let launch, .requested(.concern(.socket(.setKeepAlive(let interval?))))):
            // The same request again begins another interval.
            let isIgnored = turn.effects.contains(.decided(.launch(launch, .ignoredLate)))
            if handlers[launch]?.interval == interval, !isIgnored { beginInterval(of: launch, at: nil) }
        default: break
        }
    }

    private mutating func note(_ output: SocketOutput) {
        switch output {
        case .take(let launch, let socket): taken[launch, default: []].insert(socket.id)
        case .close(let launch, let id):
            kept[launch]?.remove(id)
            taken[launch]?.remove(id)
        case .watch(let launch): watched.insert(launch)
        case .unwatch(let launch): watched.remove(launch)
        }
    }

    // MARK: Decisions

    private mutating func check(_ decision: SocketDecision, _ report: Report?, _ turn: Observation) -> String? {
        switch decision {
        case .kept(let launch, let id): return checkKept(id, launch, turn)
        case .notKept(let launch, let id, let failure):
            kept[launch]?.remove(id)
            return checkNotKept(id, launch, failure, turn)
        case .dropped(let launch, let id):
            return turn.isRequest(.drop(id), by: launch) ? nil : "\(launch) needs socket \(id), and it is dropped"
        case .readable(let launch, let id, let isOver):
            if report == Report(launch: launch, id: id, isOver: isOver) || earlier.contains(launch) { return nil }
            return "socket \(id) of \(launch) counts as readable, and is not watched"
        case .keepAliveSet(let launch, let interval):
            handlers[launch] = interval.map { Handler(interval: $0) }
            guard turn.isRequest(.setKeepAlive(interval), by: launch) else {
                return "\(launch) has another keep-alive handler by itself"
            }
            guard let interval else { return nil }
            let isRight = turn.declaresVoIP(launch.app) && interval >= turn.policy.keepAliveFloor
            return isRight ? nil : "\(launch) may not have a keep-alive handler every \(interval)"
        case .keepAliveDue(let launch): return checkDue(launch, turn)
        case .launchedAgain(let app): return checkLaunch(of: app, turn)
        case .endedTooOften(let app):
            let isRight = Int64(recent(launches[app], turn).count) >= turn.policy.voipRelaunches
            ends[app] = nil
            if turn.policy.voipRelaunches > 0 { delayed.insert(app) }
            return isRight ? nil : "\(app) is not launched again, and has not ended too often"
        }
    }

    private mutating func checkKept(_ id: SocketID, _ launch: LaunchID, _ turn: Observation) -> String? {
        kept[launch, default: []].insert(id)
        guard turn.event == .concern(.socket(.taken(launch, id, nil))) else {
            return "socket \(id) of \(launch) is kept, and the system does not have it"
        }
        if !turn.declaresVoIP(launch.app) { return "\(launch) keeps a socket, and does not declare the mode" }
        let (own, all) = (kept[launch]?.count ?? 0, kept.values.reduce(0) { $0 + $1.count })
        let isRight = Int64(own) <= turn.policy.voipSockets && Int64(all) <= turn.policy.voipSocketsInAll
        return isRight ? nil : "\(launch) keeps \(own) sockets, all apps together \(all)"
    }

    private func checkNotKept(
        _ id: SocketID, _ launch: LaunchID, _ failure: SocketFailure, _ turn: Observation
    ) -> String? {
        guard earlier.isEmpty else { return nil }
        let isRight: Bool
        switch failure {
        case .modeNotDeclared: isRight = !turn.declaresVoIP(launch.app)
        case .tooMany:
            let own = (kept[launch] ?? []).union(taken[launch] ?? []).count
            let all = Set(kept.keys).union(taken.keys).reduce(0) { sum, launch in
                sum + (kept[launch] ?? []).union(taken[launch] ?? []).count
            }
            isRight = Int64(own) >= turn.policy.voipSockets || Int64(all) >= turn.policy.voipSocketsInAll
        case .notOpen, .notTCP, .notConnected, .unavailable:
            isRight = turn.event == .concern(.socket(.taken(launch, id, failure)))
        }
        return isRight ? nil : "\(launch) may not keep socket \(id): \(failure)"
    }

    // MARK: Wakes

    /// The times that count for a limit.
    private func recent(_ times: [Nanoseconds]?, _ turn: Observation) -> [Nanoseconds] {
        (times ?? []).filter { turn.now < $0 + turn.policy.voipPeriod }
    }

    private mutating func checkKill(of launch: LaunchID, _ report: Report?, _ turn: Observation) -> String? {
        // A kill before the system's restart is repeated when the launch is found.
        if case .process(_, .found) = turn.event { return nil }
        if earlier.contains(launch) { return nil }
        let isReadable = report?.launch == launch || turn.lostSocket == launch || refused.contains(launch)
        let count = recent(wakes.removeValue(forKey: launch.app), turn).count
        return isReadable && Int64(count) >= turn.policy.voipWakes
            ? nil : "\(launch) is killed after \(count) wakes by its sockets"
    }

    private mutating func checkWakes(_ report: Report?, _ turn: Observation) -> String? {
        if let report, !turn.isAnswered(to: report.launch), !refused.contains(report.launch) {
            return "socket \(report.id) of \(report.launch) can be read, and the app is neither woken nor refused"
        }
        if let lost = turn.lostSocket, turn.isSuspended(lost), !turn.isAnswered(to: lost), !refused.contains(lost),
            isStarted, !earlier.contains(lost)
        {
            return "\(lost) is suspended and has lost a socket, and is neither woken nor refused"
        }
        for launch in turn.snapshots.compactMap(\.launch) {
            let isReported = report?.launch == launch || turn.lostSocket == launch
            let isRefused = turn.isRefused(launch.app) && isReported
            let count = turn.socketWakes(of: launch)
            if count > 0, !isReported, !refused.contains(launch), !earlier.contains(launch) {
                return "\(launch) is woken for its sockets, and none of them can be read"
            }
            if count > 0 { refused.remove(launch) } else if isRefused { refused.insert(launch) }
            wakes[launch.app, default: []] += Array(repeating: turn.now, count: max(0, count))
            let recent = recent(wakes[launch.app], turn)
            wakes[launch.app] = recent
            if Int64(recent.count) > turn.policy.voipWakes {
                return "\(launch) is woken \(recent.count) times by its sockets, and lives"
            }
        }
        return nil
    }

    private mutating func checkWatch(_ turn: Observation) -> String? {
        for app in turn.snapshots where !app.isEnding {
            guard let launch = app.launch else { continue }
            let (isWatched, hasSockets) = (watched.contains(launch), kept[launch]?.isEmpty == false)
            guard app.state == .suspended else {
                refused.remove(launch)
                if isWatched { return "the sockets of \(launch) are watched while it runs" }
                continue
            }
            if hasSockets, !isWatched, isStarted {
                return "\(launch) is suspended, and its sockets are not watched"
            }
        }
        return nil
    }

    // MARK: Keep-alive

    private mutating func beginInterval(of launch: LaunchID, at time: Nanoseconds?) {
        handlers[launch]?.since = time
        handlers[launch]?.surelySince = time
    }

    private mutating func checkDue(_ launch: LaunchID, _ turn: Observation) -> String? {
        guard let handler = handlers[launch] else {
            return earlier.contains(launch) ? nil : "\(launch) has no keep-alive handler, and it is due"
        }
        beginInterval(of: launch, at: turn.now)
        if turn.isInForeground(launch) { return "the keep-alive handler of \(launch) is called in the foreground" }
        let isRight = handler.earliest.map { $0 <= turn.now } ?? false
        return isRight ? nil : "the keep-alive handler of \(launch) is called too early"
    }

    /// The interval of each handler passes in the background, and its end is not missed.
    private mutating func checkHandlers(_ turn: Observation) -> String? {
        for launch in handlers.keys.sorted() {
            guard let app = turn.snapshots.first(where: { $0.launch == launch }), var handler = handlers[launch] else {
                handlers[launch] = nil
                continue
            }
            if app.isEnding { continue }
            let isCounted = !turn.isInForeground(launch)
            handler.since = isCounted ? handler.since ?? turn.now : nil
            handler.surelySince = isCounted && isStarted ? handler.surelySince ?? turn.now : nil
            // A call that the launch rules forbid is skipped.
            if turn.isRefused(launch.app), let earliest = handler.earliest, earliest <= turn.now {
                let isDue = handler.latest(handler.since, turn.policy).map { $0 <= turn.now } ?? false
                if isDue { handler.since = turn.now }
                handler.surelySince = turn.now
            }
            handlers[launch] = handler
            if let latest = handler.latest(handler.surelySince, turn.policy), latest <= turn.now {
                return "the keep-alive handler of \(launch) was due at \(latest)"
            }
        }
        return nil
    }

    // MARK: Ends

    /// The system has closed the sockets of each launch that has ended.
    private mutating func checkEnds(_ turn: Observation) -> String? {
        for launch in turn.ended {
            let left = taken[launch] ?? []
            (kept[launch], taken[launch], handlers[launch]) = (nil, nil, nil)
            watched.remove(launch)
            refused.remove(launch)
            earlier.remove(launch)
            if let socket = left.min() { return "\(launch) has ended, and its socket \(socket) is not closed" }
        }
        return nil
    }

    private mutating func checkLaunch(of app: AppID, _ turn: Observation) -> String? {
        let reason = ends.removeValue(forKey: app)
        let isLate = delayed.remove(app) != nil
        guard isLate || reason?.isMeant == false else { return "\(app) is launched again after \(reason as Any)" }
        if !turn.declaresVoIP(app) { return "\(app) is launched again, and does not declare the mode" }
        let recent = recent(launches[app], turn) + [turn.now]
        launches[app] = recent
        return Int64(recent.count) <= turn.policy.voipRelaunches
            ? nil : "\(app) is launched again \(recent.count) times in \(turn.policy.voipPeriod)"
    }

    /// An app that has crashed in the background is launched again, unless the rules forbid that.
    private func checkLaunches(_ turn: Observation) -> String? {
        guard isStarted, turn.policy.launchesVoIPAtStart else { return nil }
        let crashed = turn.snapshots.first { app in
            guard case .exited? = ends[app.record.app], ends[app.record.app]?.isMeant == false else { return false }
            let hasEnded = turn.ended.contains { $0.app == app.record.app } && app.launch == nil
            return hasEnded && !app.record.isForceQuit && app.record.manifest.backgroundModes.contains(.voip)
                && !turn.isRefused(app.record.app)
        }
        return crashed.map { "\($0.record.app) has ended in the background, and is not launched again" }
    }
}

extension Observation {
    /// Whether the event is this request of the launch.
    fileprivate func isRequest(_ request: SocketRequest, by launch: LaunchID) -> Bool {
        event == .app(launch, .requested(.concern(.socket(request))))
    }

    fileprivate func declaresVoIP(_ app: AppID) -> Bool {
        snapshots.contains { $0.record.app == app && $0.record.manifest.backgroundModes.contains(.voip) }
    }

    fileprivate func isInForeground(_ launch: LaunchID) -> Bool {
        foregroundApp == launch.app || snapshots.contains { $0.launch == launch && $0.state.isForeground }
    }

    /// The launch whose socket the system could not take, or has lost.
    fileprivate var lostSocket: LaunchID? {
        if case .concern(.socket(.taken(let launch, _, .some))) = event { launch } else { nil }
    }

    fileprivate func isSuspended(_ launch: LaunchID) -> Bool {
        snapshots.contains { $0.launch == launch && $0.state == .suspended && !$0.isEnding }
    }

    /// Whether a wake of the app for VoIP is refused.
    fileprivate func isRefused(_ app: AppID) -> Bool {
        effects.contains { if case .decided(.app(app, .wakeRefused(.voip, _))) = $0 { true } else { false } }
    }

    /// Whether the app is woken for its sockets, refused, or killed for too many such wakes.
    fileprivate func isAnswered(to launch: LaunchID) -> Bool {
        socketWakes(of: launch) > 0 || isRefused(launch.app)
            || effects.contains(.launch(launch, .kill(.wokenTooOften)))
    }

    /// The number of wakes of a launch by its sockets in this event: those that have no other cause. An app that ended
    /// may have been launched for another reason just before it is launched again, and is then woken.
    fileprivate func socketWakes(of launch: LaunchID) -> Int {
        func count(_ decision: Decision) -> Int { effects.count { $0 == .decided(decision) } }
        let calls = count(.concern(.socket(.keepAliveDue(launch))))
        let again = count(.concern(.socket(.launchedAgain(launch.app)))) - count(.launch(launch, .launched(.voip)))
        let reported = event == .device(.wakeOccurred(launch.app, .voip)) ? 1 : 0
        return count(.launch(launch, .woken(.voip))) - calls - max(0, again) - reported
    }

    fileprivate var ended: [LaunchID] {
        effects.compactMap { if case .decided(.launch(let launch, .ended(_, _))) = $0 { launch } else { nil } }
    }
}

extension TerminationReason {
    /// Whether the user, the system or the app itself meant the end. After any other end, an app may be launched again.
    fileprivate var isMeant: Bool {
        switch self {
        case .exited(let status): status == .exited(code: 0)
        case .forceQuit, .exitsOnSuspend, .updated, .didNotExit, .uninstalled, .shutdown, .deviceShutdown: true
        case .wokenTooOften, .noCallReported, .tooManyRequests, .tooMuchDisk: true
        default: false
        }
    }
}
