import LifeCycleModel
import LifeCyclePolicy

/// Locations in the reference model: plain facts, by app.
struct ReferenceLocations: Hashable, Sendable, Encodable {
    /// The standard updates that a launch has asked for.
    struct Updates: Hashable, Sendable, Encodable {
        let launch: LaunchID
        var options: StandardUpdates
        var passed: [LocationFix] = []
        /// The number of positions of `passed` that the app was called with, or is about to be.
        var received = 0
        var isCallPending = false
        /// Whether the app has been in the foreground meanwhile.
        var wasInForeground = false
        var isPaused = false
        /// The place where the device has stayed while the updates continued in the background.
        var stay: Stay?
    }

    struct Stay: Hashable, Sendable, Encodable {
        let place: LocationFix
        var since: Nanoseconds
    }

    struct Waiting: Hashable, Sendable, Encodable {
        let launch: LaunchID
        /// When the app was first able to receive the position; nil if it is not able to.
        var since: Nanoseconds?
        var isCallPending = false
    }

    struct Message: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let permission: LocationPermission
    }

    /// Sorted by app.
    var records: [LocationRecord] = []
    /// The records that must be on disk.
    var kept: [LocationRecord] = []
    var newest: LocationFix?
    /// Whether the receiver was off after it had found the newest position.
    var isOutOfSight = false
    /// The launches that wait for one position, and those that are about to be called with it.
    var waiting: [Waiting] = []
    var updates: [Updates] = []
    /// The launches that have connected, and those that have to be told the permission.
    var connected: [LaunchID] = []
    var uninformed: [AppID] = []
    /// The apps of these that also have to be told their regions.
    var unlisted: [AppID] = []
    /// The apps whose present change is known to be held up, each with the possible reasons.
    var heldUp: [HeldUp] = []

    struct HeldUp: Hashable, Sendable, Encodable {
        let app: AppID
        let reasons: [WakeRefusal]
    }

    /// The crossings of regions that the apps are not told yet, the positions for their speeds, and the apps that ask for
    /// the states of their regions.
    var strays: [Stray] = []
    var sightings: [Sighting] = []
    var questions: [Question] = []
    /// The apps whose crossings are known to be held up.
    var regionsHeldUp: [HeldUp] = []
    /// The apps that no position launches again before this time, although their activity was interrupted.
    var pauses: [ReferenceReceiver.Rest] = []
    /// The position that was known when these apps ended.
    var lastPlaces: [AppID: LocationFix] = [:]  // ordered: looked up only
    /// The apps that are about to be called with the position that launches them again.
    var continued: [AppID] = []
    var receiver = ReferenceReceiver()

    var said: [LocationDecision] = []
    var messages: [Message] = []
    var regionLists: [RegionList] = []
    /// The receiver is switched on or off.
    var switches: [Bool] = []

    subscript(app: AppID) -> LocationRecord? { records.first { $0.app == app } }

    /// Changes the record of an app, or makes one.
    mutating func change(_ app: AppID, _ change: (inout LocationRecord) -> Void) {
        var record = self[app] ?? LocationRecord(app: app)
        change(&record)
        records.removeAll { $0.app == app }
        records.append(record)
        records.sort { $0.app < $1.app }
    }

    /// The same, and the record must be on disk.
    mutating func keep(_ app: AppID, _ change: (inout LocationRecord) -> Void) {
        self.change(app, change)
        kept.removeAll { $0.app == app }
        kept += records.filter { $0.app == app }
        kept.sort { $0.app < $1.app }
    }

    mutating func forget(_ app: AppID) {
        records.removeAll { $0.app == app }
        kept.removeAll { $0.app == app }
        updates.removeAll { $0.launch.app == app }
        waiting.removeAll { $0.launch.app == app }
        connected.removeAll { $0.app == app }
        uninformed.removeAll { $0 == app }
        unlisted.removeAll { $0 == app }
        heldUp.removeAll { $0.app == app }
        receiver.rests.removeAll { $0.app == app }
        pauses.removeAll { $0.app == app }
        receiver.launchRests.removeAll { $0.app == app }
        lastPlaces[app] = nil
        continued.removeAll { $0 == app }
        forgetRegions(of: app)
    }

    /// The position is an update for an app, unless its filter says that it is too near.
    mutating func pass(_ fix: LocationFix, to app: AppID, most: Int64) {
        guard let place = updates.firstIndex(where: { $0.launch.app == app }), !updates[place].isPaused else { return }
        if let last = updates[place].passed.last, last.distance(to: fix) < updates[place].options.distanceFilter {
            return
        }
        updates[place].passed.append(fix)
        updates[place].received = max(updates[place].received, updates[place].passed.count - Int(most))
    }
}

extension ReferenceLocations: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.locations }
    static var comparison: any ConcernComparison { LocationComparison() }

    var isIdle: Bool { records.isEmpty && receiver.user == nil }
    mutating func begin() {
        said.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
        regionLists.removeAll(keepingCapacity: true)
        switches.removeAll(keepingCapacity: true)
    }
    mutating func systemRestarted() {
        self = ReferenceLocations(records: kept, kept: kept)
        for session in kept.compactMap(\.session) {
            // Those of a background activity may have begun in the background.
            let isActive = kept.contains { $0.activity?.launch == session.launch }
            updates.append(
                Updates(launch: session.launch, options: session.updates, wasInForeground: !isActive))
        }
    }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) { model.handleLocationNews(news) }
    static func settle(_ model: inout ReferenceModel) {
        for record in model.locations.records { model.settleLocations(of: record.app) }
        model.settleReceiver()
    }
    static func end(_ model: inout ReferenceModel) {}
    static func deadlines(in model: ReferenceModel) -> [Deadline] {
        let changes = model.locations.records.compactMap { model.changeDue($0.app) }.filter { $0 > model.wallNow }
        return
            (changes + model.receiverTimes + model.pauseTimes + model.crossingTimes + model.requestTimes
            + model.activityTimes).map {
                Deadline(at: $0 - model.clocks.wallAhead, reason: .location)
            }
    }
    static func knows(_ reason: DeadlineReason) -> Bool { reason == .location }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { false }
}

extension ReferenceModel {
    // MARK: News

    fileprivate mutating func handleLocationNews(_ news: ReferenceNews) {
        switch news {
        case .removed(let app): locations.forget(app)
        case .replaced(let app):
            let isAdopted = index(of: app).map { apps[$0].manifest.isAdopted } ?? false
            if isAdopted { endActivity(app) }
            if isAdopted, let record = locations[app], record.monitorsChanges || !record.regions.isEmpty {
                locations.keep(app) { record in
                    record.forgetChange()
                    (record.monitorsChanges, record.regions) = (false, [])
                }
            }
        case .attached(let launch, let attachment):
            guard let record = locations[launch.app] else { return }
            locations.connected.removeAll { $0.app == launch.app }
            locations.connected.append(launch)
            locations.uninformed.removeAll { $0 == launch.app }
            locations.unlisted.removeAll { $0 == launch.app }
            if attachment.phase != .starting || !record.regions.isEmpty { locations.unlisted.append(launch.app) }
            if record.permission != .ask || locations.unlisted.contains(launch.app) {
                locations.uninformed.append(launch.app)
            }
            // The permission does not wait until all launches are known after a restart.
            informOfPermission(launch.app)
        case .called(let launch, .location(.updated(_, by: .updates)), _):
            if locations.continued.contains(launch.app) {
                locations.continued.removeAll { $0 == launch.app }
                break
            }
            for place in locations.updates.indices where locations.updates[place].launch.app == launch.app {
                locations.updates[place].isCallPending = false
            }
        case .called(let launch, .location(.located), _): locations.waiting.removeAll { $0.launch.app == launch.app }
        case .ending(let app):
            locations.continued.removeAll { $0 == app }
            locations.waiting.removeAll { $0.launch.app == app }
            locations.updates.removeAll { $0.launch.app == app }
            locations.questions.removeAll { $0.app == app }
        case .forceQuit(let app): endActivity(app)
        case .clocksWereRead:
            // No recorded time may be in the future.
            let now = wallNow
            for record in locations.records {
                locations.change(record.app) { $0.toldAt = $0.toldAt.map { min($0, now) } }
            }
            for place in locations.updates.indices { locations.updates[place].stay?.since = now }
            for place in locations.waiting.indices { locations.waiting[place].since = nil }
            locations.clocksWereRead(at: now)
            locations.pauses = []
        case .reported(.location(.moved(let fix))):
            (locations.newest, locations.isOutOfSight) = (fix, false)
            for record in locations.records where record.permission.allowsUse {
                locations.pass(fix, to: record.app, most: policy.locationQueue)
            }
            for place in locations.updates.indices {
                guard let stay = locations.updates[place].stay else { continue }
                let isFar = stay.place.distance(to: fix) > policy.locationPauseDistance
                if isFar { locations.updates[place].stay = ReferenceLocations.Stay(place: fix, since: wallNow) }
            }
            moved(to: fix)
        case .reported(.location(.receiverEnded(let reason))): receiverEnded(reason)
        case .reported(.location(.permitted(let app, let permission))): permit(app, permission)
        case .requested(let launch, .location(let request)): requested(request, launch)
        default: break
        }
    }

    private mutating func permit(_ app: AppID, _ permission: LocationPermission) {
        guard let index = index(of: app), !apps[index].isToBeRemoved else { return said.append(.app(app, .unknown)) }
        locations.said.append(.permitted(app, permission))
        let before = locations[app]?.permission ?? .ask
        guard before != permission else { return }
        if permission == .deny { endActivity(app) }
        if permission == .deny, locations[app]?.regions.isEmpty == false, !locations.unlisted.contains(app) {
            locations.unlisted.append(app)
        }
        locations.keep(app) { record in
            record.permission = permission
            if !permission.allowsUse { record.forgetChange() }
            if permission == .deny { (record.monitorsChanges, record.regions) = (false, []) }
            if !permission.allowsUse { record.regions = record.regions.map { MonitoredRegion($0.region) } }
        }
        locations.receiver.rests.removeAll { $0.app == app }
        locations.receiver.regionRests.removeAll { $0.app == app }
        locations.uninformed.removeAll { $0 == app }
        locations.uninformed.append(app)
        let hadUpdates = locations.updates.contains { $0.launch.app == app } || waits(app)
        if !permission.allowsUse {
            locations.continued.removeAll { $0 == app }
            locations.waiting = locations.waiting.compactMap { old in
                guard old.launch.app == app else { return old }
                return permission == .deny ? nil : ReferenceLocations.Waiting(launch: old.launch)
            }
        }
        if !permission.allowsUse {
            for place in locations.updates.indices where locations.updates[place].launch.app == app {
                let old = locations.updates[place]
                locations.updates[place] = ReferenceLocations.Updates(launch: old.launch, options: old.options)
            }
        }
        if permission == .deny { locations.updates.removeAll { $0.launch.app == app } }
        guard let launch = apps[index].launch, !launch.isGoing else { return }
        requests.append(.call(app, .location(.permissionChanged(permission)), .whereItRuns))
        // A position that waits for the app is not told any longer, and neither is a denial that is over.
        apps[index].launch?.pendingCalls.removeAll { pending in
            switch pending.call {
            case .location(.updated), .location(.located(.some)), .location(.crossed), .location(.regionStates):
                !permission.allowsUse
            case .location(.failed(.denied)): permission.allowsUse
            default: false
            }
        }
        if permission == .deny, hadUpdates { return deny(launch.id) }
        if !before.allowsUse { beginUpdates(of: app) }
    }

    /// An app with updates that may use the location gets the known position, or is told that there is none.
    mutating func beginUpdates(of app: AppID) {
        guard let updates = locations.updates.first(where: { $0.launch.app == app }),
            locations[app]?.permission.allowsUse == true
        else { return }
        if let newest = locations.newest {
            if updates.passed.last != newest { locations.pass(newest, to: app, most: policy.locationQueue) }
        } else {
            requests.append(.call(app, .location(.failed(.unknown)), .whereItRuns))
        }
    }

    mutating func deny(_ launch: LaunchID) {
        locations.said.append(.denied(launch))
        requests.append(.call(launch.app, .location(.failed(.denied)), .whereItRuns))
    }

    private mutating func requested(_ request: LocationRequest, _ launch: LaunchID) {
        let app = launch.app
        guard let index = index(of: app), apps[index].launch?.id == launch, apps[index].launch?.isGoing == false else {
            return said.append(.launch(launch, .ignoredLate))
        }
        let permission = locations[app]?.permission ?? .ask
        switch request {
        case .requestPermission(let always):
            let isUndecided = permission == .ask || permission == .whenInUse && always
            locations.said.append(isUndecided ? .asked(launch, always: always) : .askedInVain(launch, permission))
        case .requestLocation(let isWanted): requestLocation(isWanted, launch, permission)
        case .setChangeMonitoring(let isWanted):
            if isWanted, permission == .deny { return deny(launch) }
            guard locations[app]?.monitorsChanges ?? false != isWanted else { return }
            locations.said.append(.monitoring(launch, isWanted))
            locations.keep(app) { record in
                record.forgetChange()
                record.monitorsChanges = isWanted
            }
            locations.receiver.rests.removeAll { $0.app == app }
        case .monitorRegion(let region): monitor(region, launch)
        case .stopRegion(let identifier): stopRegion(identifier, launch)
        case .requestRegionStates:
            // From now on the app has a record in memory.
            locations.change(app) { _ in }
            if locations.questions.contains(where: { $0.app == app }) { break }
            let end = wallNow + policy.locationRequest
            locations.questions.append(ReferenceLocations.Question(app: app, end: end))
        case .setBackgroundActivity(let isWanted): setActivity(isWanted, launch, index)
        case .setUpdates(nil):
            guard locations.updates.contains(where: { $0.launch == launch }) else { return }
            locations.said.append(.updates(launch, nil))
            locations.updates.removeAll { $0.launch.app == app }
        case .setUpdates(let options?): update(launch, options, permission)
        }
    }

    private mutating func update(_ launch: LaunchID, _ options: StandardUpdates, _ permission: LocationPermission) {
        let old = locations.updates.first { $0.launch == launch }
        if old?.options == options { return unpause(launch) }
        locations.said.append(.updates(launch, options))
        locations.updates.removeAll { $0.launch.app == launch.app }
        // From now on the app has a record in memory, also if the request is refused.
        locations.change(launch.app) { _ in }
        if permission == .deny { return deny(launch) }
        var new = old ?? ReferenceLocations.Updates(launch: launch, options: options)
        new.options = options
        locations.updates.append(new)
        if new.isPaused { unpause(launch) } else { beginUpdates(of: launch.app) }
    }

    // MARK: What apps receive

    fileprivate mutating func settleLocations(of app: AppID) {
        informOfPermission(app)
        settleSession(of: app)
        settleActivity(of: app)
        receiveUpdates(app)
        receiveRequested(app)
        receiveChange(app)
        receiveCrossings(app)
    }

    private mutating func informOfPermission(_ app: AppID) {
        guard locations.uninformed.contains(app), let index = index(of: app), let launch = apps[index].launch,
            !launch.isGoing, !launch.isSuspendedOrAboutToBe, locations.connected.contains(launch.id),
            let permission = locations[app]?.permission
        else { return }
        locations.uninformed.removeAll { $0 == app }
        locations.messages.append(ReferenceLocations.Message(launch: launch.id, permission: permission))
        guard locations.unlisted.contains(app) else { return }
        locations.unlisted.removeAll { $0 == app }
        let regions = locations[app]?.regions.map(\.region) ?? []
        locations.regionLists.append(ReferenceLocations.RegionList(launch: launch.id, regions: regions))
    }

    /// Whether an app has updates, and may receive one now.
    func mayReceiveUpdates(_ app: AppID) -> Bool {
        guard let updates = locations.updates.first(where: { $0.launch.app == app }), let index = index(of: app) else {
            return false
        }
        return mayKnowPosition(updates.launch) && (isInForeground(index) || !updates.isPaused)
    }

    /// Whether a launch may be told a position now.
    func mayKnowPosition(_ id: LaunchID) -> Bool {
        guard let index = index(of: id.app), let launch = apps[index].launch, !launch.isGoing, launch.id == id else {
            return false
        }
        let permission = locations[id.app]?.permission ?? .ask
        if isInForeground(index) { return permission.allowsUse }
        if launch.isSuspendedOrAboutToBe { return false }
        if permission == .whenInUse, locations[id.app]?.activity?.launch == id { return true }
        return permission == .always || locations.updates.contains { $0.launch == id && continues($0) }
    }

    private mutating func receiveUpdates(_ app: AppID) {
        guard let place = locations.updates.firstIndex(where: { $0.launch.app == app }) else { return }
        let isWoken = wakesByUpdates(app)
        guard mayReceiveUpdates(app) || isWoken else { return }
        let updates = locations.updates[place]
        guard !updates.isCallPending, !locations.continued.contains(app), updates.received < updates.passed.count else {
            return
        }
        if isWoken {
            guard !isBeingFrozen(app), let index = index(of: app), obstacles(index, .locationUpdate).isEmpty else {
                return
            }
        }
        locations.updates[place].received = updates.passed.count
        locations.updates[place].isCallPending = true
        let fixes = Array(updates.passed[updates.received...])
        let call = ConcernCall.location(.updated(fixes, by: .updates))
        requests.append(isWoken ? .wake(app, .locationUpdate, call) : .call(app, call, .whereItRuns))
    }

    /// The time from which the app may be told of the present significant change, on the wall clock; nil if there is
    /// none that it may know.
    fileprivate func changeDue(_ app: AppID) -> Nanoseconds? {
        guard let record = locations[app], record.monitorsChanges, let newest = locations.newest,
            let index = index(of: app), !apps[index].isToBeRemoved
        else { return nil }
        if let told = record.told, told.distance(to: newest) < policy.significantDistance { return nil }
        switch record.permission {
        case .ask, .deny: return nil
        case .whenInUse: guard isInForeground(index) || record.activity != nil else { return nil }
        case .always: break
        }
        return record.toldAt.map { $0 + policy.significantPause } ?? wallNow
    }

    private mutating func receiveChange(_ app: AppID) {
        guard let due = changeDue(app), let index = index(of: app), let newest = locations.newest else {
            return locations.heldUp.removeAll { $0.app == app }
        }
        if due > wallNow { return }
        let isFirst = locations[app]?.told == nil
        let runs = isOpenable(index) && apps[index].launch?.isSuspendedOrAboutToBe == false
        // The first one is told where the app runs, and gives it no time.
        let isCalled = isInForeground(index) || isFirst && runs
        if !isCalled {
            if isBeingFrozen(app) { return }
            let reasons = obstacles(index, .locationMonitoring)
            locations.heldUp.removeAll { $0.app == app }
            guard reasons.isEmpty else {
                return locations.heldUp.append(ReferenceLocations.HeldUp(app: app, reasons: reasons))
            }
        }
        locations.heldUp.removeAll { $0.app == app }
        let distance = locations[app]?.told.map { $0.distance(to: newest) }
        locations.said.append(.changed(app, by: distance))
        let now = wallNow
        rest(app, before: newest)
        locations.keep(app) { ($0.told, $0.toldAt) = (newest, now) }
        let call = ConcernCall.location(.updated([newest], by: .changes))
        requests.append(isCalled ? .call(app, call, .whereItRuns) : .wake(app, .locationMonitoring, call))
    }
}

extension LocationRecord {
    fileprivate mutating func forgetChange() { (told, toldAt) = (nil, nil) }
}
