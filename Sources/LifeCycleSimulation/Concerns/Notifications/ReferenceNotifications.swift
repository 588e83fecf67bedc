import LifeCycleModel
import LifeCyclePolicy

/// Local and remote notifications in the reference model: plain facts, by app.
struct ReferenceNotifications: Hashable, Sendable, Encodable {
    struct Client: Hashable, Sendable, Encodable {
        var record: NotificationClientRecord
        var scheduled: [ScheduledRecord] = []
        var delivered: [DeliveredRecord] = []
        /// Whether the app was suspended when it should have received news. Such an app receives the full status when
        /// it next runs.
        var isStale = false

        func allowed(_ policy: Policy) -> NotificationTypes {
            guard record.isAllowed else { return [] }
            return policy.notificationsNeedRegistration ? record.registered ?? [] : .all
        }
    }

    var clients: [Client] = []
    /// Zones that are being read.
    var awaitedZones: [String] = []
    /// Whether the system was restarted: zones must be read again, and some notifications (below) were not displayed
    /// yet.
    var isCutOff = false
    var cutOff: [NotificationID] = []
    /// The records that must be on disk.
    var kept = NotificationRecords()

    /// The pushes that are still needed, sorted by id; below, the number of the newest push.
    var came: [RemoteRecord] = []
    var lastPush: Int64 = 0
    /// Each app's registration for remote notifications and its held push.
    var pushes: [PushRecord] = []
    /// The apps that wait for a token, and whether they lift Newsstand's limit.
    var registering: [Registering] = []
    /// The apps whose new token is not on disk yet.
    var unconfirmed: [AppID] = []

    struct Registering: Hashable, Sendable, Encodable {
        let app: AppID
        var liftsThrottle = false
    }

    // The output that the event must lead to.
    var said: [NotificationDecision] = []
    var pushDecisions: [ExpectedDecision] = []
    var outputs: [NotificationOutput] = []
    var messages: [Message] = []

    struct Message: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let news: NotificationNews
    }

    /// A decision about a remote notification. If several reasons apply, any of them may be given.
    enum ExpectedDecision: Hashable, Sendable, Encodable {
        case exactly(PushDecision)
        case held(AppID, [PushHold], replacing: Bool)
        case lost(AppID, [PushLoss], isVisible: Bool)
    }

    subscript(app: AppID) -> Client? {
        get { clients.first { $0.record.app == app } }
        set {
            if let index = clients.firstIndex(where: { $0.record.app == app }) {
                if let newValue { clients[index] = newValue } else { clients.remove(at: index) }
            } else if let newValue {
                clients.append(newValue)
                clients.sort { $0.record.app < $1.record.app }
            }
        }
    }

    subscript(push app: AppID) -> PushRecord? {
        get { pushes.first { $0.app == app } }
        set {
            pushes.removeAll { $0.app == app }
            if let newValue { pushes.append(newValue) }
            pushes.sort { $0.app < $1.app }
        }
    }

    /// The push with this id. The model asks only for pushes that are still needed.
    func came(_ id: PushID) -> RemoteNotification? { came.first { $0.id == id }?.notification }

    func delivered(_ id: NotificationID) -> DeliveredRecord? { self[id.app]?.delivered.first { $0.id == id } }

    /// The app's own record must be on disk.
    mutating func keep(_ app: AppID) {
        if let record = self[app]?.record { kept.apply(.client(record)) }
    }

    mutating func forget(_ app: AppID) {
        self[app] = nil
        self[push: app] = nil
        registering.removeAll { $0.app == app }
        unconfirmed.removeAll { $0 == app }
        came.removeAll { $0.id.app == app }
        kept.forget(app)
    }

    /// Counts an act of a launch; false if the act was counted before. Number 0 is an action of the user or a provider.
    mutating func acceptRequest(_ number: Int64, from launch: LaunchID) -> Bool {
        var client = self[launch.app] ?? Client(record: NotificationClientRecord(app: launch.app))
        if client.record.launch != launch.number { (client.record.launch, client.record.received) = (launch.number, 0) }
        let isNew = number > client.record.received
        if isNew { client.record.received = number }
        self[launch.app] = client
        return isNew
    }
}

extension ReferenceNotifications: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.notifications }
    static var comparison: any ConcernComparison { NotificationComparison() }

    var isIdle: Bool { clients.isEmpty && pushes.isEmpty && registering.isEmpty }

    mutating func begin() {
        said.removeAll(keepingCapacity: true)
        pushDecisions.removeAll(keepingCapacity: true)
        outputs.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
    }

    mutating func systemRestarted() {
        clients = kept.clients.map { record in
            Client(
                record: record, scheduled: kept.scheduled.filter { $0.id.app == record.app },
                delivered: kept.delivered.filter { $0.id.app == record.app })
        }
        cutOff = kept.delivered.filter { $0.stage != .shown }.map(\.id)
        isCutOff = !clients.isEmpty
        came = came.filter { record in kept.remotes.contains { $0.id == record.id } }
        lastPush = came.map(\.id.number).max() ?? 0
        (awaitedZones, registering, unconfirmed) = ([], [], [])
    }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) { model.handleNotificationNews(news) }
    static func settle(_ model: inout ReferenceModel) { model.settleNotifications() }
    static func end(_ model: inout ReferenceModel) { model.forgetUnneededPushes() }
    static func deadlines(in model: ReferenceModel) -> [Deadline] { model.notificationDeadlines }
    static func knows(_ reason: DeadlineReason) -> Bool { reason == .notification || reason == .remoteNotification }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { model.mayStillWait(for: deadline) }
}

extension ReferenceModel {
    fileprivate mutating func handleNotificationNews(_ news: ReferenceNews) {
        switch news {
        case .reported(.notification(let input)): receive(input)
        case .requested(let launch, .notification(.act(let numbered))): act(numbered, launch)
        case .requested(let launch, .notification(.setRemoteNotifications(let isWanted, let liftsThrottle))):
            setRemoteNotifications(isWanted, liftsThrottle: liftsThrottle, launch)
        case .removed(let app):
            guard let client = notifications[app] else { return notifications.forget(app) }
            let shown = client.delivered.filter { $0.stage == .shown }.map(\.id)
            if !shown.isEmpty { notifications.outputs.append(.withdraw(app, shown)) }
            if client.record.badge != 0 { notifications.outputs.append(.setBadge(app, 0)) }
            notifications.forget(app)
        case .replaced(let app):
            if let index = index(of: app), apps[index].manifest.isAdopted { unregister(app) }
        case .forceQuit(let app): dropHeld(app, [.forceQuit])
        case .killed(let app, let reason): if reason.isFaultOfApp { dropHeld(app, [.killed]) }
        case .ending(let app), .enteredBackground(let app): showDelivering(app)
        case .attached(let launch, let attachment): attached(launch, attachment)
        case .resumed(let launch): if notifications[launch.app]?.isStale == true { tellAll(launch) }
        case .called(let launch, let call, _):
            let delivering = notifications[launch.app]?.delivered.first { $0.stage == .delivering && $0.call == call }
            if let delivering { takeAway(launch.app) { $0.id == delivering.id } }
        default: break
        }
    }

    private mutating func receive(_ input: NotificationInput) {
        switch input {
        case .pushArrived(let app, let notification): pushArrived(notification, app)
        case .tokenMade(let app, let token): tokenMade(token, app)
        case .tokenPersisted(let app):
            guard notifications.unconfirmed.contains(app) else { return }
            notifications.unconfirmed.removeAll { $0 == app }
            guard let token = notifications[push: app]?.token else { return }
            notifications.pushDecisions.append(.exactly(.registered(app, true)))
            requests.append(.call(app, .notification(.registeredForRemote(token)), .whereItRuns))
        case .zoneRead(let name, let rules): zoneRead(name, rules)
        case .soundExamined(let id, let file):
            guard let record = notifications.delivered(id), record.stage == .sounding else {
                return notifications.said.append(.answered(id, .gone))
            }
            let fault = file.fault(limit: policy.notificationSound)
            if let fault { notifications.said.append(.soundReplaced(id, fault)) }
            display(record, sound: fault == nil ? record.notification.sound : .standard)
        case .tapped(let id): tapped(id)
        case .dismissed(let id):
            let isThere = takeAway(id.app) { $0.id == id && $0.stage == .shown } > 0
            notifications.said.append(.answered(id, isThere ? .dismissed : .gone))
        case .allowed(let app, let isAllowed):
            guard let index = index(of: app) else { return said.append(.app(app, .unknown)) }
            _ = notifications.acceptRequest(0, from: lastLaunch(index))
            notifications[app]?.record.isAllowed = isAllowed
            notifications.keep(app)
            notifications.said.append(.allowed(app, isAllowed))
            if isAllowed { return }
            takeAway(app) { $0.stage == .shown }
            showBadge(0, app)
        }
    }

    func lastLaunch(_ index: Int) -> LaunchID { LaunchID(app: apps[index].id, number: apps[index].launchCount) }

    /// Whether the app at `index` is in the foreground, or on its way there, and stays there.
    func isInForeground(_ index: Int) -> Bool { isWanted(index) && apps[index].launch?.isGoing == false }

    /// The index of the app; nil if the app is about to be removed.
    func place(of app: AppID) -> Int? { index(of: app).flatMap { apps[$0].isToBeRemoved ? nil : $0 } }

    // MARK: Acts of apps

    private mutating func act(_ numbered: NumberedNotificationAct, _ launch: LaunchID) {
        let app = launch.app
        let isEarly =
            index(of: app).map { apps[$0].launch?.isEarly == true && apps[$0].launch?.isGoing == false } ?? false
        guard !isEarly, notifications.acceptRequest(numbered.number, from: launch) else {
            return said.append(.launch(launch, .ignoredLate))
        }
        tell(app, .received(numbered.number))
        switch numbered.act {
        case .schedule(let notification):
            if let date = notification.fireDate {
                schedule(notification, date, app)
            } else {
                fire(notification, at: wallNow, app)
            }
        case .present(let notification): fire(notification, at: wallNow, app)
        case .cancel(let notification): cancel(app) { $0 == notification }
        case .cancelAll: cancel(app) { _ in true }
        case .setBadge(let number): setBadge(max(0, number), app)
        case .register(let types):
            notifications[app]?.record.registered = types.known
            let allowed = notifications[app]?.allowed(policy) ?? []
            notifications.said.append(.registered(app, allowed))
            requests.append(.call(app, .notification(.registered(allowed)), .whereItRuns))
        }
        notifications.keep(app)
    }

    private mutating func setBadge(_ number: Int32, _ app: AppID) {
        if number == 0 { takeAway(app) { $0.stage == .shown } }
        guard number == 0 || notifications[app]?.allowed(policy).contains(.badge) == true else {
            notifications.said.append(.badgeRefused(app))
            return tell(app, .badge(notifications[app]?.record.badge ?? 0))
        }
        showBadge(number, app)
    }

    mutating func showBadge(_ number: Int32, _ app: AppID) {
        guard let client = notifications[app], client.record.badge != number else { return }
        notifications[app]?.record.badge = number
        notifications.keep(app)
        notifications.said.append(.badge(app, number))
        notifications.outputs.append(.setBadge(app, number))
        tell(app, .badge(number))
    }

    private mutating func cancel(_ app: AppID, where isMeant: (LocalNotification) -> Bool) {
        let scheduled = notifications[app]?.scheduled.filter { isMeant($0.notification) } ?? []
        for record in scheduled { unschedule(record) }
        let shown = takeAway(app) { $0.push == nil && isMeant($0.notification) }
        notifications.said.append(.canceled(app, scheduled.count + shown))
    }

    // MARK: Scheduled notifications

    /// The next firing of a notification, on the wall clock. Nil while its zone or the device's zone is unknown, and if
    /// it never fires.
    func due(_ record: ScheduledRecord) -> Nanoseconds? {
        guard let start = record.start, let zone = record.notification.timeZone == nil ? .utc : zone?.rules else {
            return nil
        }
        let next = Recurrence(start: start, interval: record.notification.repeats).next(after: record.last, in: zone)
        // A time after the year 2200 counts as never.
        return next.flatMap { $0 < .seconds(7_258_118_400) ? $0 : nil }
    }

    private mutating func schedule(_ notification: LocalNotification, _ date: Nanoseconds, _ app: AppID) {
        guard let id = nextID(app) else { return }
        var record = ScheduledRecord(id: id, notification: notification, start: nil)
        if notification.timeZone == nil {
            record.start = CivilTime(utc: date)
        } else if let name = notification.timeZone {
            if name == zone?.name { record.start = zone?.rules.civil(at: date) } else { read(name) }
        }
        notifications[app]?.scheduled.append(record)
        notifications.kept.apply(.scheduled(record))
        notifications.said.append(.scheduled(id, at: due(record)))
        // If an app has too many notifications, the last to fire are discarded; of two with the same time, the newer
        // notification.
        var gone: [ScheduledRecord] = []
        while let all = notifications[app]?.scheduled, isTooMuch(all), let last = all.max(by: { isSooner($0, $1) }) {
            unschedule(last)
            gone.append(last)
        }
        for record in gone {
            notifications.said.append(.discarded(record.id))
            tell(app, .unscheduled(record.notification))
        }
    }

    private func isTooMuch(_ all: [ScheduledRecord]) -> Bool {
        all.count > policy.notificationsPerApp
            || all.map(\.notification.weight).reduce(0, +) > policy.notificationBytesPerApp
    }

    private func isSooner(_ one: ScheduledRecord, _ other: ScheduledRecord) -> Bool {
        let rank = { (record: ScheduledRecord) in
            due(record) ?? (record.start == nil ? record.notification.fireDate : nil) ?? .distantFuture
        }
        return (rank(one), one.id) < (rank(other), other.id)
    }

    mutating func unschedule(_ record: ScheduledRecord) {
        notifications[record.id.app]?.scheduled.removeAll { $0.id == record.id }
        notifications.kept.apply(.unscheduled(record.id))
    }

    mutating func reschedule(_ record: ScheduledRecord) {
        let place = notifications[record.id.app]?.scheduled.firstIndex { $0.id == record.id }
        if let place { notifications[record.id.app]?.scheduled[place] = record }
        notifications.kept.apply(.scheduled(record))
    }

    mutating func read(_ zone: String) {
        if notifications.awaitedZones.contains(zone) { return }
        notifications.awaitedZones.append(zone)
        notifications.outputs.append(.readZone(zone))
    }

    private mutating func zoneRead(_ name: String, _ rules: ZoneRules?) {
        notifications.awaitedZones.removeAll { $0 == name }
        for record in notifications.clients.flatMap(\.scheduled)
        where record.start == nil && record.notification.timeZone == name {
            if let rules, let date = record.notification.fireDate {
                var record = record
                record.start = rules.civil(at: date)
                reschedule(record)
            } else {
                unschedule(record)
                notifications.said.append(.zoneUnknown(record.id))
                tell(record.id.app, .unscheduled(record.notification))
            }
        }
    }

    mutating func nextID(_ app: AppID) -> NotificationID? {
        notifications[app]?.record.lastNumber += 1
        return notifications[app].map { NotificationID(app: app, number: $0.record.lastNumber) }
    }
}

extension TerminationReason {
    /// Whether the app has broken a rule.
    fileprivate var isFaultOfApp: Bool {
        switch self {
        case .watchdog, .lostContact, .tasksNotEnded, .sessionEventsNotHandled, .eventNotHandled, .noCallReported,
            .wokenTooOften, .tooManyTasks, .tooManyRequests, .tooMuchDisk:
            true
        default: false
        }
    }
}
