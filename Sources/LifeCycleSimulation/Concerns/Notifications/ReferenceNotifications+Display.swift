import LifeCycleModel
import LifeCyclePolicy

/// Displaying fired notifications, or calling the foreground app with them, and the user's answers to them (R-102,
///
extension ReferenceModel {
    var notificationDeadlines: [Deadline] {
        var found: [Deadline] = []
        if shutdown == .none {
            for client in notifications.clients {
                for record in client.scheduled {
                    if let due = due(record) {
                        found.append(Deadline(at: due - clocks.wallAhead, reason: .notification))
                    }
                }
            }
        }
        for record in notifications.pushes {
            if let held = record.held.flatMap(notifications.came), let index = index(of: record.app),
                !isInForeground(index), case .held([.throttled]) = admission(of: held, index),
                let time = throttled(until: record)
            {
                found.append(Deadline(at: time - clocks.wallAhead, reason: .remoteNotification))
            }
        }
        return found
    }

    /// Whether the deadline may belong to a held push whose app is being ended.
    func mayStillWait(for deadline: Deadline) -> Bool {
        deadline.reason == .remoteNotification
            && notifications.pushes.contains { record in
                guard record.held != nil, let index = index(of: record.app), apps[index].launch?.ending != nil else {
                    return false
                }
                return throttled(until: record).map { $0 - clocks.wallAhead } == deadline.at
            }
    }

    mutating func settleNotifications() {
        if notifications.isIdle { return }
        // Notifications that the system's restart interrupted are displayed now.
        if notifications.isCutOff {
            notifications.isCutOff = false
            for record in notifications.clients.flatMap(\.scheduled) where record.start == nil {
                if let zone = record.notification.timeZone { read(zone) }
            }
            let cutOff = notifications.cutOff.compactMap { notifications.delivered($0) }
            for record in cutOff where record.stage != .shown { show(record) }
            notifications.cutOff = []
        }
        while shutdown == .none, let (due, record) = nextDue, due <= wallNow { fire(record, due) }
        releaseHeldPushes()
    }

    /// The notification that fires next, and its time; nil if no notification is scheduled.
    private var nextDue: (Nanoseconds, ScheduledRecord)? {
        let all = notifications.clients.flatMap(\.scheduled).compactMap { record in due(record).map { ($0, record) } }
        return all.min { ($0.0, $0.1.id) < ($1.0, $1.1.id) }
    }

    private mutating func fire(_ record: ScheduledRecord, _ due: Nanoseconds) {
        let app = record.id.app
        notifications.said.append(.fired(record.id, late: wallNow - due))
        if record.notification.repeats == nil {
            unschedule(record)
            tell(app, .unscheduled(record.notification))
        } else {
            var record = record
            record.last = wallNow
            reschedule(record)
        }
        fire(record.notification, at: due, app)
    }

    mutating func fire(_ notification: LocalNotification, at due: Nanoseconds, _ app: AppID) {
        guard let index = place(of: app), let id = nextID(app), let client = notifications[app] else { return }
        notifications.keep(app)
        let types = notification.kinds(allowed: client.allowed(policy))
        var record = DeliveredRecord(id: id, notification: notification, types: types, fired: due, stage: .shown)
        guard isInForeground(index), hasRoomForDelivering(app) else { return show(record) }
        record.stage = .delivering
        put(record)
        requests.append(.call(app, .notification(.received(notification)), .foreground(wakesElsewhere: false)))
    }

    private func hasRoomForDelivering(_ app: AppID) -> Bool {
        let delivering = notifications[app]?.delivered.count { $0.stage == .delivering } ?? 0
        return delivering < policy.notificationsPerApp
    }

    /// Makes a record of the visible part of a remote notification; nil for a silent push.
    private mutating func record(
        _ push: PushID, _ notification: RemoteNotification, _ stage: DeliveredRecord.Stage, _ index: Int
    ) -> DeliveredRecord? {
        guard let presentation = notification.presentation else { return nil }
        let app = apps[index].id
        _ = notifications.acceptRequest(0, from: lastLaunch(index))
        guard let id = nextID(app), let client = notifications[app] else { return nil }
        notifications.keep(app)
        return DeliveredRecord(
            id: id, notification: presentation.notification,
            types: presentation.kinds(allowed: client.allowed(policy)), fired: wallNow, stage: stage, push: push)
    }

    mutating func show(_ push: PushID, _ notification: RemoteNotification, _ index: Int) {
        if let record = record(push, notification, .shown, index) { show(record) }
    }

    /// Stores the visible part for a foreground app until the app is called; false for a silent push.
    mutating func hand(_ push: PushID, _ notification: RemoteNotification, _ index: Int) -> Bool {
        guard hasRoomForDelivering(apps[index].id), let record = record(push, notification, .delivering, index) else {
            return false
        }
        put(record)
        return true
    }

    /// Displays the parts that the user allows. The app's own sound is examined first.
    private mutating func show(_ fired: DeliveredRecord) {
        guard let client = notifications[fired.id.app] else { return }
        var record = fired
        record.types = fired.types.intersection(client.allowed(policy))
        if record.types.isEmpty {
            let presentation = fired.push.flatMap(notifications.came)?.presentation
            let kinds = presentation?.kinds(allowed: .all) ?? fired.notification.kinds(allowed: .all)
            let reason: NotShownReason =
                kinds.isEmpty ? .nothingToShow : client.record.isAllowed ? .notRegistered : .notAllowed
            notifications.said.append(.notShown(fired.id, reason))
            takeAway(fired.id.app) { $0.id == fired.id }
        } else if record.types.contains(.sound), case .named(let name) = record.notification.sound {
            record.stage = .sounding
            put(record)
            notifications.outputs.append(.examineSound(record.id, name: name))
        } else {
            display(record, sound: record.types.contains(.sound) ? .standard : .none)
        }
    }

    mutating func display(_ fired: DeliveredRecord, sound: NotificationSound) {
        let app = fired.id.app
        var record = fired
        record.stage = .shown
        // Without an alert there is nothing to tap later.
        if record.types.contains(.alert) { put(record) } else { takeAway(app) { $0.id == record.id } }
        if record.types.contains(.badge) { showBadge(max(0, record.notification.badge), app) }
        notifications.said.append(.shown(record.id, record.types))
        notifications.outputs.append(
            .show(
                ShownNotification(id: record.id, notification: record.notification, types: record.types, sound: sound)))
    }

    private mutating func put(_ record: DeliveredRecord) {
        let app = record.id.app
        notifications.kept.apply(.delivered(record))
        notifications[app]?.delivered.removeAll { $0.id == record.id }
        notifications[app]?.delivered.append(record)
        while let all = notifications[app]?.delivered, isTooMuch(all),
            let oldest = all.first(where: { $0.stage == .shown && $0.id != record.id })
        {
            takeAway(app) { $0.id == oldest.id }
        }
    }

    private func isTooMuch(_ all: [DeliveredRecord]) -> Bool {
        let bytes = all.map { record in
            record.notification.weight + Int64(record.push.flatMap(notifications.came)?.payload.utf8.count ?? 0)
        }
        return all.count > policy.deliveredPerApp || bytes.reduce(0, +) > policy.notificationBytesPerApp
    }

    @discardableResult
    mutating func takeAway(_ app: AppID, where isMeant: (DeliveredRecord) -> Bool) -> Int {
        let gone = notifications[app]?.delivered.filter(isMeant) ?? []
        if gone.isEmpty { return 0 }
        notifications[app]?.delivered.removeAll { record in gone.contains { $0.id == record.id } }
        for record in gone { notifications.kept.apply(.removed(record.id)) }
        let shown = gone.filter { $0.stage == .shown }.map(\.id)
        if !shown.isEmpty { notifications.outputs.append(.withdraw(app, shown)) }
        return gone.count
    }

    /// The app has left the foreground or ended before it was called with these: displays them.
    mutating func showDelivering(_ app: AppID) {
        if place(of: app) == nil {
            takeAway(app) { $0.stage == .delivering }
        } else {
            for record in notifications[app]?.delivered ?? [] where record.stage == .delivering { show(record) }
        }
    }

    // MARK: The user

    /// A tap opens the app. The app is launched with the notification, or called with it on its way to the foreground.
    mutating func tapped(_ id: NotificationID) {
        guard let record = notifications.delivered(id), record.stage == .shown, let index = place(of: id.app) else {
            return notifications.said.append(.answered(id, .gone))
        }
        if shutdown != .none { tapObstacles.append(.shuttingDown) }
        if device.isLocked { tapObstacles.append(.locked) }
        if lacksScenes(index) { tapObstacles.append(.noScenes) }
        if !tapObstacles.isEmpty { return }
        notifications.said.append(.answered(id, .tapped))
        takeAway(id.app) { $0.id == id }
        if !isOpenable(index) {
            let isWaiting = apps[index].launch?.isEarly == true && apps[index].launch?.isGoing == false
            apps[index].opening = ReferenceApp.Opening(
                launch: apps[index].launchCount + (isWaiting ? 0 : 1), notification: record)
        }
        if let push = record.push, notifications[push: id.app]?.held == push { _ = takeHeld(id.app) }
        requests.append(.open(id.app, record.call))
    }

    /// Whether the user can return to the launch of the app at `index`.
    func isOpenable(_ index: Int) -> Bool {
        guard let launch = apps[index].launch else { return false }
        return !launch.isGoing && launch.ending == nil && !launch.isEarly
    }

    // MARK: Messages to apps

    /// Sends news to an app. A suspended app receives the full status when it runs again.
    mutating func tell(_ app: AppID, _ news: NotificationNews) {
        guard let index = index(of: app), let launch = apps[index].launch, !launch.isGoing else { return }
        if launch.isSuspendedOrAboutToBe {
            notifications[app]?.isStale = true
        } else {
            notifications.messages.append(ReferenceNotifications.Message(launch: launch.id, news: news))
        }
    }

    mutating func tellAll(_ launch: LaunchID) {
        guard let index = index(of: launch.app), apps[index].launch?.isSuspendedOrAboutToBe != true else { return }
        var status = NotificationStatus()
        if let client = notifications[launch.app] {
            let received = client.record.launch == launch.number ? client.record.received : 0
            status = NotificationStatus(received: received, badge: client.record.badge, types: client.allowed(policy))
        }
        notifications[launch.app]?.isStale = false
        say(.begins(status), launch)
        for record in notifications[launch.app]?.scheduled ?? [] { say(.scheduled(record.notification), launch) }
    }

    private mutating func say(_ news: NotificationNews, _ launch: LaunchID) {
        notifications.messages.append(ReferenceNotifications.Message(launch: launch, news: news))
    }

    /// The app has connected. An app with scenes has no launch options.
    mutating func attached(_ launch: LaunchID, _ attachment: Attachment) {
        guard let index = index(of: launch.app) else { return }
        let hasOptions = !apps[index].isToBeRemoved && !apps[index].manifest.usesScenes
        if attachment.phase == .starting, hasOptions, let push = pushLaunchedFor(index, launch) {
            say(.launchedByRemote(.of(push)), launch)
        }
        guard notifications[launch.app] != nil || attachment.notificationActs > 0 else { return }
        if apps[index].launch?.isSuspendedOrAboutToBe == true {
            _ = notifications.acceptRequest(0, from: launch)
            notifications[launch.app]?.isStale = true
        } else {
            tellAll(launch)
        }
        guard let opening = apps[index].opening, opening.launch == launch.number else { return }
        if attachment.phase != .starting {
            apps[index].opening = nil
        } else if !apps[index].isToBeRemoved, apps[index].manifest.usesScenes {
            apps[index].opening = nil
            requests.append(.call(launch.app, opening.notification.call, .tap))
        } else if let push = opening.notification.push {
            say(.launchedByRemote(.of(push)), launch)
            if opening.isCallPending { return }
            apps[index].opening?.isCallPending = true
            requests.append(.call(launch.app, opening.notification.call, .tap))
        } else {
            say(.launchedBy(opening.notification.notification), launch)
        }
    }

    /// The remote notification that caused the launch, until the app was called with it; nil if there is none.
    private func pushLaunchedFor(_ index: Int, _ id: LaunchID) -> PushID? {
        guard let launch = apps[index].launch, launch.id == id, launch.stage == .alive,
            launch.reason == .remoteNotification || launch.reason == .newsstand
        else { return nil }
        for pending in launch.pendingCalls where pending.place == .anywhere {
            if case .notification(.receivedRemote(.of(let push))) = pending.call { return push }
        }
        return nil
    }
}
