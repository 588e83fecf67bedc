import LifeCycleModel

/// The audio sessions of the apps: who plays, who is interrupted, and who keeps running for it.
///
/// The system does not listen to players: it knows the time at which a player ends, and calls the app then. In the
/// background an app is kept running while it plays, and for a short time after that.
struct AudioSessions: Hashable, Sendable, Codable {
    var clients = SortedMap<AppID, AudioClient>()
    /// Whether a phone call is on that no app has reported.
    private(set) var isOtherCallOn = false
    /// The apps with calls that are not on hold.
    private(set) var appsWithCalls: [AppID] = []
    /// Whether something has changed since the apps were last looked at.
    private var isStale = true
    /// The next time at which a player ends, or an app is no longer held, on the awake clock.
    private var next: Nanoseconds?
    /// The foreground app when the apps were last looked at.
    private var foregroundApp: AppID?

    /// An app with the mode may have played before a restart of the system. It is held until it has connected again, and
    /// for `audioGrace` after that.
    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for app in device.ids where isEntitled(app, on: device) && !device.isSuspended(app) {
            guard !device.isPrewarmed(app), device.manifest(of: app)?.isAdopted == false,
                let launch = device.liveLaunch(of: app)
            else { continue }
            var client = AudioClient(launch: launch)
            (client.state, client.hold) = (.resumable, .reconnecting)
            clients.set(client, for: app)
        }
    }

    /// An app that was found frozen after a restart of the system does not connect by itself, and did not play.
    mutating func foundFrozen(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        if device.isSuspended(app), clients[app]?.hold == .reconnecting { hold(app, nil, into: &actions) }
    }

    func nextDeadline(on device: DeviceState) -> Deadline? { next.map { Deadline(at: $0, reason: .audio) } }

    /// Whether the apps have to be looked at now.
    func isDue(on device: DeviceState) -> Bool {
        isStale || foregroundApp != device.foreground.app || next.map { $0 <= device.awakeNow } ?? false
    }

    mutating func becomeStale() { isStale = true }

    /// Whether an app may play in the background: it declares the mode, or has a call.
    func isEntitled(_ app: AppID, on device: DeviceState) -> Bool {
        device.manifest(of: app)?.backgroundModes.contains(.audio) == true || appsWithCalls.contains(app)
    }

    /// Whether a phone call is on that is not the app's own.
    private func isCallOn(for app: AppID) -> Bool { isOtherCallOn || appsWithCalls.contains { $0 != app } }

    mutating func change(_ app: AppID, _ change: (inout AudioClient) -> Void) {
        clients.update(app, change)
        isStale = true
    }

    // MARK: Sessions

    /// An app activates its session, which interrupts other sessions unless it mixes with them.
    mutating func activate(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.state != .active else { return }
        if let failure = failure(of: client, on: device) {
            return refuse(app, failure, on: device, into: &actions)
        }
        actions.explain(.activated(client.launch, client.session))
        change(app) { $0.state = .active }
        interruptOthers(for: app, on: device, into: &actions)
    }

    /// The settings of a session have changed. If it is active, it may have to end, or may interrupt other sessions.
    mutating func settingsChanged(
        of app: AppID, from old: AudioSession, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let client = clients[app], client.state == .active else { return }
        if let failure = failure(of: client, on: device), failure != .cannotInterruptOthers || old.mixes {
            refuse(app, failure, on: device, into: &actions)
        } else if old.mixes {
            interruptOthers(for: app, on: device, into: &actions)
        }
    }

    /// Why an app may not have an active session now; nil if it may.
    private func failure(of client: AudioClient, on device: DeviceState) -> AudioFailure? {
        let app = client.launch.app
        let activation = AudioActivation(
            session: client.session, isInForeground: device.isForeground(app),
            mayPlayInBackground: isEntitled(app, on: device),
            // The call has interrupted the others already.
            wasInterrupted: client.wasInterrupted || appsWithCalls.contains(app), isCallOn: isCallOn(for: app))
        if let failure = activation.failure { return failure }
        // The foreground app comes first, after calls.
        guard !client.session.mixes, !appsWithCalls.contains(app), !device.isForeground(app),
            let front = device.foreground.app,
            let other = clients[front], other.state == .active, !other.session.mixes
        else { return nil }
        return .cannotInterruptOthers
    }

    /// The app may assume that its session is active. An app that was interrupted is told so again.
    private mutating func refuse(
        _ app: AppID, _ failure: AudioFailure, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let client = clients[app] else { return }
        actions.explain(.refused(client.launch, failure))
        guard client.wasInterrupted, failure != .cannotStartPlaying else {
            becomeInactive(app, isToldTo: true, on: device)
            return endInterruptions(by: app)
        }
        if !client.isInterrupted {
            let other = failure == .cannotInterruptOthers ? device.foreground.app : nil
            actions.explain(.interrupted(client.launch, by: other))
            change(app) { $0.state = .interrupted(by: other, wasPlaying: true) }
        }
        actions.call(app, .audio(.interrupted(at: device.awakeNow)), .whenItRuns)
    }

    /// The app deactivates its session.
    mutating func deactivate(
        _ app: AppID, notifiesOthers: Bool, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        clients.update(app) { $0.deactivatedAt = nil }
        guard let client = clients[app], client.state != .inactive else { return }
        actions.explain(.deactivated(client.launch))
        if notifiesOthers { passInterruptionsOn(from: app) } else { abandonInterruptions(by: app) }
        becomeInactive(app, isToldTo: false, on: device)
    }

    /// The system deactivates the active session of an app that may not continue it in the background, or that is
    /// suspended.
    mutating func stop(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.state == .active else { return }
        actions.explain(.stopped(client.launch))
        becomeInactive(app, isToldTo: true, on: device)
        endInterruptions(by: app)
    }

    private mutating func becomeInactive(_ app: AppID, isToldTo: Bool, on device: DeviceState) {
        change(app) { client in
            (client.state, client.players) = (.inactive, SortedMap())
            client.deactivatedAt = isToldTo ? device.awakeNow : nil
        }
    }

    /// The launch is over, and its session with it.
    mutating func ended(_ launch: LaunchID) {
        guard clients[launch.app]?.launch == launch else { return }
        passInterruptionsOn(from: launch.app)
        clients.remove(launch.app)
        // An idle concern does not settle, which would find the next time.
        (isStale, next) = (true, nil)
    }

    // MARK: Interruptions

    /// A phone call begins or ends. It interrupts every session.
    mutating func call(isOn: Bool, on device: DeviceState, into actions: inout Actions<Self>) {
        guard isOn != isOtherCallOn else { return }
        isOtherCallOn = isOn
        callsChanged(on: device, into: &actions)
    }

    /// These apps have calls now. A call interrupts the sessions of all other apps.
    mutating func callsChanged(of apps: [AppID], on device: DeviceState, into actions: inout Actions<Self>) {
        let former = appsWithCalls
        appsWithCalls = apps
        callsChanged(on: device, into: &actions)
        for app in former where !apps.contains(app) {
            stopInBackground(app, on: device, into: &actions)
            losePrecedence(app, on: device, into: &actions)
        }
    }

    /// Sessions that were activated during an app's call did not interrupt the app. Now the foreground app comes first
    ///
    private mutating func losePrecedence(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.state == .active, !client.session.mixes else { return }
        if device.isForeground(app) { return interruptOthers(for: app, on: device, into: &actions) }
        let rival = clients.first { other in
            other.key != app && other.value.state == .active && !other.value.session.mixes
        }
        if let rival { interrupt(app, by: rival.key, on: device, into: &actions) }
    }

    private mutating func callsChanged(on device: DeviceState, into actions: inout Actions<Self>) {
        isStale = true
        for app in clients.keys {
            if isCallOn(for: app) {
                interrupt(app, by: nil, on: device, into: &actions)
            } else {
                endInterruption(of: app, by: nil)
            }
        }
    }

    /// In the background an app without the right to play there has no active session.
    mutating func stopInBackground(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], !device.isInForeground(app) else { return }
        if client.session.category.continuesInBackground, isEntitled(app, on: device) { return }
        stop(app, on: device, into: &actions)
        passInterruptionsOn(from: app)
    }

    private mutating func interruptOthers(
        for app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard clients[app]?.session.mixes == false else { return }
        // A call outranks all.
        for other in clients.keys
        where other != app && clients[other]?.session.mixes == false && !appsWithCalls.contains(other) {
            interrupt(other, by: app, on: device, into: &actions)
        }
    }

    private mutating func interrupt(
        _ app: AppID, by other: AppID?, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let client = clients[app], client.state == .active else { return }
        actions.explain(.interrupted(client.launch, by: other))
        change(app) { client in
            client.state = .interrupted(by: other, wasPlaying: !client.players.isEmpty)
            client.players = SortedMap()
        }
        actions.call(app, .audio(.interrupted(at: device.awakeNow)), .whenItRuns)
    }

    /// The interruptions by an app end, or those by a phone call if it is nil.
    private mutating func endInterruptions(by other: AppID?) {
        for app in clients.keys { endInterruption(of: app, by: other) }
    }

    private mutating func endInterruption(of app: AppID, by other: AppID?) {
        if case .interrupted(other, let wasPlaying) = clients[app]?.state {
            change(app) { $0.state = .ended(shouldResume: wasPlaying) }
        }
    }

    /// The interruptions by an app end. If it is interrupted itself, they are by its own interrupter from now on.
    mutating func passInterruptionsOn(from app: AppID) {
        guard case .interrupted(let other, _)? = clients[app]?.state else { return endInterruptions(by: app) }
        for victim in clients.keys {
            guard case .interrupted(app, let wasPlaying) = clients[victim]?.state else { continue }
            // An app's own call does not interrupt it.
            let isOver = other == nil && !isCallOn(for: victim)
            change(victim) { client in
                client.state =
                    isOver ? .ended(shouldResume: wasPlaying) : .interrupted(by: other, wasPlaying: wasPlaying)
            }
        }
    }

    /// The same for the apps that are suspended. Returns whether there were any.
    private mutating func passInterruptionsOn(on device: DeviceState) -> Bool {
        let others = clients.keys.compactMap { app -> AppID? in
            guard case .interrupted(let other?, _) = clients[app]?.state else { return nil }
            return device.isSuspended(other) ? other : nil
        }
        for other in others { passInterruptionsOn(from: other) }
        return !others.isEmpty
    }

    /// The interruptions by an app have no end that their apps are called about.
    private mutating func abandonInterruptions(by other: AppID) {
        for app in clients.keys {
            guard case .interrupted(other, _) = clients[app]?.state else { continue }
            change(app) { $0.state = .abandoned }
        }
    }

    /// Calls an app about the end of its interruption. If it played and may play in the background, it gets time for
    /// that, also if it is suspended.
    private mutating func tellEnd(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        // One event does not freeze and thaw an app. Its freeze is the next change.
        guard let client = clients[app], case .ended(let shouldResume) = client.state, !device.isBeingFrozen(app),
            !isCallOn(for: app)
        else { return }
        let mayContinue = client.session.category.continuesInBackground && isEntitled(app, on: device)
        // Otherwise it could not play yet.
        guard mayContinue || device.isInForeground(app) else { return }
        let isResumed = shouldResume && device.isOpenable(app) && !device.isShuttingDown
        if isResumed, !device.isInForeground(app) {
            hold(app, .until(device.awakeNow + device.policy.eventSlice), into: &actions)
        }
        // It is told once it runs, after the news.
        if device.isSuspended(app) { return }
        actions.explain(.interruptionEnded(client.launch, shouldResume: shouldResume))
        change(app) { $0.state = .resumable }
        actions.call(app, .audio(.interruptionEnded(shouldResume: shouldResume)), .whenItRuns)
    }

    // MARK: Settling

    /// Looks at each app again.
    mutating func settleAll(on device: DeviceState, into actions: inout Actions<Self>) {
        for app in clients.keys where device.isSuspended(app) { becomeSuspended(app, on: device, into: &actions) }
        while passInterruptionsOn(on: device) {}
        for app in clients.keys {
            finishPlayers(of: app, on: device, into: &actions)
            // The end of the hold may suspend the app.
            tellNews(to: app, on: device, into: &actions)
            settleHold(of: app, on: device, into: &actions)
            // This may hold a suspended app, whose hold the line before would end.
            tellEnd(of: app, on: device, into: &actions)
        }
        (isStale, foregroundApp) = (false, device.foreground.app)
        next = clients.compactMap(\.value.next).min()
    }

    /// A suspended app has no active session, and the time in which it might have activated its session is over.
    private mutating func becomeSuspended(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        stop(app, on: device, into: &actions)
        clients.update(app) { if $0.state == .resumable { $0.state = .inactive } }
    }

    private mutating func finishPlayers(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        for (player, entry) in clients[app]?.players ?? SortedMap() {
            guard let until = entry.until, until <= device.awakeNow else { continue }
            clients.update(app) { client in
                client.players.remove(player)
                client.finished.insert(player)
            }
            actions.call(app, .audio(.finished(player)), .whenItRuns)
        }
    }

    /// Tells a running app that its session is inactive, and whether a phone call is on.
    mutating func tellNews(to app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.hold != .reconnecting, !device.isSuspended(app),
            client.launch == device.liveLaunch(of: app)
        else { return }
        if let time = client.deactivatedAt { actions.send(.deactivated(at: time), to: client.launch) }
        let isCallOn = isCallOn(for: app)
        if client.knowsCall != isCallOn { actions.send(.call(isOn: isCallOn), to: client.launch) }
        clients.update(app) { ($0.deactivatedAt, $0.knowsCall) = (nil, isCallOn) }
    }

    // MARK: The hold

    /// An app in the background is held while it plays, and a short time after that. If the app is
    /// being ended, no new hold begins, and a time still ends.
    private mutating func settleHold(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        if device.isOpenable(app) {
            guard isEntitled(app, on: device), !device.isSuspended(app),
                client.hold == .reconnecting || !device.isInForeground(app)
            else { return hold(app, nil, into: &actions) }
            if client.state == .active, !client.players.isEmpty, client.session.category.continuesInBackground {
                return hold(app, .playing, into: &actions)
            }
        }
        switch client.hold {
        case nil, .reconnecting: break
        case .playing where device.isOpenable(app):
            let span = client.wasInterrupted ? device.policy.audioResumeWindow : device.policy.audioGrace
            hold(app, .until(device.awakeNow + span), into: &actions)
        case .playing: break
        case .until(let time): if time <= device.awakeNow { hold(app, nil, into: &actions) }
        }
    }

    private mutating func hold(_ app: AppID, _ hold: AudioClient.Hold?, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.hold != hold else { return }
        clients.update(app) { $0.hold = hold }
        if (client.hold == .playing) != (hold == .playing) {
            actions.explain(.session(client.launch, hold == .playing))
        }
        if client.hold == nil { actions.hold(app, .audio) }
        if hold == nil { actions.release(app, .audio) }
    }
}
