import LifeCycleModel
import LifeCyclePolicy

/// Remote notifications: registration, wakes and held pushes.
extension ReferenceModel {
    // MARK: Registration

    mutating func setRemoteNotifications(_ isWanted: Bool, liftsThrottle: Bool, _ launch: LaunchID) {
        let app = launch.app
        guard let index = index(of: app), apps[index].launch?.id == launch, apps[index].launch?.isGoing == false else {
            return said.append(.launch(launch, .ignoredLate))
        }
        notifications.pushDecisions.append(.exactly(.asked(launch, isWanted)))
        guard isWanted else { return unregister(app) }
        let token = notifications[push: app]?.token
        let isRegistering = notifications.registering.contains { $0.app == app }
        if token != nil, !notifications.unconfirmed.contains(app) {
            // Apps register at each launch, and receive an answer each time.
            requests.append(.call(app, .notification(.registeredForRemote(token)), .whereItRuns))
        } else if token == nil, !isRegistering {
            notifications.registering.append(ReferenceNotifications.Registering(app: app))
            notifications.outputs.append(.makeDeviceToken(app))
        }
        if token != nil {
            guard notifications[push: app]?.liftsNewsstandThrottle ?? false != liftsThrottle else { return }
            change(app) { $0.liftsNewsstandThrottle = liftsThrottle ? true : nil }
        } else if let place = notifications.registering.firstIndex(where: { $0.app == app }) {
            notifications.registering[place].liftsThrottle = liftsThrottle
        }
    }

    mutating func unregister(_ app: AppID) {
        notifications.registering.removeAll { $0.app == app }
        notifications.unconfirmed.removeAll { $0 == app }
        guard let record = notifications[push: app], record.token != nil else { return }
        change(app) { ($0.token, $0.held) = (nil, nil) }
        if record.held != nil { notifications.pushDecisions.append(.exactly(.dropped(app, .unregistered))) }
    }

    mutating func tokenMade(_ token: DeviceToken?, _ app: AppID) {
        guard let asked = notifications.registering.first(where: { $0.app == app }) else { return }
        notifications.registering.removeAll { $0.app == app }
        guard let token else {
            notifications.pushDecisions.append(.exactly(.registered(app, false)))
            return requests.append(.call(app, .notification(.registeredForRemote(nil)), .whereItRuns))
        }
        change(app) { ($0.token, $0.liftsNewsstandThrottle) = (token, asked.liftsThrottle ? true : nil) }
        notifications.unconfirmed.append(app)
        notifications.outputs.append(.confirmToken(app))
    }

    /// Changes the record that must be on disk.
    private mutating func change(_ app: AppID, _ change: (inout PushRecord) -> Void) {
        var record = notifications[push: app] ?? PushRecord(app: app, token: nil)
        change(&record)
        notifications[push: app] = record
    }

    private func isRegistered(_ app: AppID) -> Bool {
        notifications[push: app]?.token != nil && !notifications.unconfirmed.contains(app)
    }

    // MARK: Arrivals

    mutating func pushArrived(_ notification: RemoteNotification, _ app: AppID) {
        guard let index = place(of: app) else { return said.append(.app(app, .unknown)) }
        guard isRegistered(app) else { return notifications.pushDecisions.append(.exactly(.notRegistered(app))) }
        notifications.lastPush += 1
        let push = PushID(app: app, number: notifications.lastPush)
        notifications.came.append(RemoteRecord(id: push, notification: notification))
        notifications.came.sort { $0.id < $1.id }
        if isInForeground(index) {
            if let held = takeHeld(app) { deliver(held, index) }
            return deliver(push, isNew: true, index)
        }
        show(push, notification, index)
        if notification.isContentAvailable {
            wake(push, index)
        } else {
            notifications.pushDecisions.append(.exactly(.visible(app, nil)))
        }
    }

    private mutating func deliver(_ push: PushID, isNew: Bool = false, _ index: Int) {
        guard let notification = notifications.came(push) else { return }
        let app = apps[index].id
        notifications.pushDecisions.append(.exactly(.delivered(push)))
        let call = ConcernCall.notification(.receivedRemote(.of(push)))
        guard isInForeground(index) else { return requests.append(.wake(app, pushReason(index), call)) }
        // A new visible push is displayed if the app leaves before it is called.
        guard isNew, hand(push, notification, index) else { return requests.append(.call(app, call, .anywhere)) }
        let modes = apps[index].manifest.backgroundModes
        let isWoken = modes.contains(.remoteNotification) || modes.contains(.newsstandContent)
        let place = ReferenceLaunch.PendingCall.Place.foreground(
            wakesElsewhere: notification.isContentAvailable && isWoken)
        requests.append(.call(app, call, place))
    }

    /// The reason of a wake. Newsstand's reason is for apps that do not declare remote notifications.
    private func pushReason(_ index: Int) -> LaunchReason {
        let modes = apps[index].manifest.backgroundModes
        return modes.contains(.newsstandContent) && !modes.contains(.remoteNotification)
            ? .newsstand : .remoteNotification
    }

    private mutating func wake(_ push: PushID, _ index: Int) {
        guard let notification = notifications.came(push) else { return }
        let (app, wall, most) = (apps[index].id, wallNow, Int(policy.silentPushes))
        switch admission(of: notification, index) {
        case .held(let holds):
            let isOther = notifications[push: app]?.held != nil
            change(app) { $0.held = push }
            notifications.pushDecisions.append(.held(app, holds, replacing: isOther))
        case .lost(let losses):
            notifications.pushDecisions.append(.lost(app, losses, isVisible: notification.isVisible))
        case .admitted:
            _ = takeHeld(app)
            if pushReason(index) == .newsstand {
                change(app) { $0.newsstandWake = wall }
            } else if !isNoticed(notification, app) {
                change(app) { $0.wakes = ($0.wakes + [wall]).suffix(most) }
            }
            deliver(push, index)
        }
    }

    /// Removes pushes that are no longer needed. A push is needed while it is held, displayed, being delivered, or
    /// waiting for a call. Its contents are on disk only while a record refers to the push.
    mutating func forgetUnneededPushes() {
        let recorded = notifications.came.map(\.id).filter { id in
            notifications[push: id.app]?.held == id
                || notifications[id.app]?.delivered.contains { $0.push == id } == true
        }
        for id in recorded { notifications.kept.apply(.remote(RemoteRecord(id: id))) }
        // After the system's restart the model must first know which launches still exist.
        guard areConcernsStarted else { return }
        notifications.kept.remotes.removeAll { !recorded.contains($0.id) }
        notifications.came = notifications.came.filter { recorded.contains($0.id) || isToBeCalled(for: $0.id) }
    }

    private func isToBeCalled(for push: PushID) -> Bool {
        guard let index = index(of: push.app) else { return false }
        let call = ConcernCall.notification(.receivedRemote(.of(push)))
        if let opening = apps[index].opening, opening.notification.push == push, !opening.isCallPending,
            mayStillOpen(index)
        {
            return true
        }
        guard let launch = apps[index].launch, !launch.isGoing else { return false }
        return launch.outstanding?.callback == .concern(call) || launch.pendingCalls.contains { $0.call == call }
    }

    /// Whether the launch for which the user tapped a notification is alive, or has not begun yet.
    private func mayStillOpen(_ index: Int) -> Bool {
        guard let wanted = apps[index].opening?.launch else { return false }
        if let launch = apps[index].launch, launch.id.number == wanted { return !launch.isGoing }
        return apps[index].launchCount < wanted
    }

    // MARK: Whether it may wake its app

    enum Admission: Hashable {
        case admitted
        case held([PushHold])
        case lost([PushLoss])
    }

    func admission(of notification: RemoteNotification, _ index: Int) -> Admission {
        let (app, reason) = (apps[index].id, pushReason(index))
        let refusals = obstacles(index, reason)
        // Nothing is decided about an app that is about to be removed.
        if apps[index].isToBeRemoved { return .held([.ending]) }
        // The order of the reasons: a shutdown is temporary and comes first. Refusals by the manifest or the user are
        // permanent. An app's end and the time before the first unlock are temporary.
        if refusals.contains(.shuttingDown) { return .held([.shuttingDown]) }
        let isForbidden = [.modeNotDeclared, .exitsOnSuspend, .forceQuit].contains { refusals.contains($0) }
        if !isForbidden, refusals.contains(.notUnlockedSinceStart) { return .held([.notUnlockedSinceStart]) }
        if !isForbidden, !refusals.contains(.backgroundRefresh), refusals.contains(.ending) { return .held([.ending]) }
        if !refusals.isEmpty { return .lost(refusals.map { .refused($0) }) }
        let record = notifications[push: app]
        if reason == .newsstand, let last = record?.newsstandWake, last <= wallNow,
            wallNow < last + policy.newsstandPeriod,
            !policy.liftsNewsstandThrottle || record?.liftsNewsstandThrottle != true
        {
            return .lost([.newsstandThrottled])
        }
        // There is no limit for pushes that the user notices.
        if isNoticed(notification, app) { return .admitted }
        var holds: [PushHold] = []
        if device.settings.lowPowerMode { holds.append(.lowPowerMode) }
        if isBatteryLow { holds.append(.battery) }
        if holds.isEmpty, reason != .newsstand, let record, throttled(until: record) != nil { holds = [.throttled] }
        return holds.isEmpty ? .admitted : .held(holds)
    }

    /// Whether any part of the push is displayed.
    private func isNoticed(_ notification: RemoteNotification, _ app: AppID) -> Bool {
        let client = notifications[app] ?? .init(record: NotificationClientRecord(app: app))
        return notification.presentation.map { !$0.kinds(allowed: client.allowed(policy)).isEmpty } ?? false
    }

    /// The end of the app's rate limit for silent pushes; nil if the limit is not reached.
    func throttled(until record: PushRecord) -> Nanoseconds? {
        let recent = record.wakes.filter { $0 <= wallNow && wallNow < $0 + policy.silentPushPeriod }
        guard recent.count >= Int(policy.silentPushes) else { return nil }
        return recent.suffix(Int(policy.silentPushes)).first.map { $0 + policy.silentPushPeriod }
    }

    // MARK: Held pushes

    /// Delivers held pushes as soon as that is allowed.
    mutating func releaseHeldPushes() {
        for app in notifications.pushes.filter({ $0.held != nil }).map(\.app) {
            guard let held = notifications[push: app]?.held, let index = index(of: app) else { continue }
            if isInForeground(index) {
                _ = takeHeld(app)
                deliver(held, index)
                continue
            }
            guard let notification = notifications.came(held) else { continue }
            switch admission(of: notification, index) {
            case .admitted where isBeingFrozen(app): break
            case .admitted: wake(held, index)
            case .lost(let losses): dropHeld(app, losses)
            case .held: break
            }
        }
    }

    mutating func takeHeld(_ app: AppID) -> PushID? {
        guard let held = notifications[push: app]?.held else { return nil }
        change(app) { $0.held = nil }
        return held
    }

    mutating func dropHeld(_ app: AppID, _ losses: [PushLoss]) {
        if takeHeld(app) != nil {
            notifications.pushDecisions.append(.lost(app, losses, isVisible: false))
        }
    }
}
