import LifeCycleModel

/// The app's side of its locations: the permission, the requests of all managers as one, and the calls that managers
/// have to make.
struct LocationMirror: AppConcern {
    private(set) var permission = LocationPermission.ask
    /// The newest position that the app was told in this launch.
    private(set) var newest: LocationFix?
    var managers: [LocationManagerServices] = []
    private var lastManager: Int64 = 0
    /// The background activity sessions of this launch.
    var activities: Set<BackgroundActivityID> = []
    var lastActivity: Int64 = 0
    /// The app's last request for a background activity session in this launch; nil if there was none.
    var hasActivity: Bool?
    /// The app's last request for standard updates in this launch; nil if there was none.
    private var updates: StandardUpdates??
    /// Whether the system has paused the updates.
    private var arePaused = false
    /// Whether the options have changed during the pause. A request for the new ones would end it.
    private var isWishLate = false
    /// Whether the newest call said that the position is not known.
    private(set) var isPositionUnknown = false
    /// The app's last request for significant changes in this launch; nil if there was none.
    private var monitorsChanges: Bool?
    /// An event of significant changes that no manager has received, because no manager has started the service in this
    /// launch.
    private var early: [LocationFix] = []
    /// The regions that the app monitors, also from earlier launches.
    var regions: [LocationRegion] = []
    /// The app's last requests for regions in this launch, by identifier.
    var regionRequests: [RegionRequest] = []
    /// The managers' questions for states that the system has not answered.
    var regionQuestions: [RegionQuestion] = []
    /// Crossings that no manager has received, because none has a delegate yet.
    var earlyCrossings: [LocationRegionState] = []
    /// The permission that a message has already announced; nil if a call comes next.
    private var announced: LocationPermission?
    /// The calls that the managers have to make, oldest first.
    private var deliveries: [LocationDelivery] = []

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called(.location(let call), _):
            began(call)
            switch call {
            // The system may have ended services that the app was not told about.
            case .permissionChanged(let permission) where permission.allowsUse:
                if restartLiveUpdates() { updates = .some(wish) }
                sendAgain(into: &steps)
            case .resumed where isWishLate, .updated(_, by: .updates) where isWishLate:
                setUpdates(wish, into: &steps)
            default: break
            }
        case .received(.location(.permission(let permission))):
            learn(permission)
            // The call about the change is lost in a restart of the system.
            if permission.allowsUse, restartLiveUpdates() { setUpdates(wish, into: &steps) }
        case .received(.location(.regions(let list))): learn(list)
        case .connectedAgain: sendAgain(into: &steps)
        case .called, .received: break
        }
    }

    /// Sends the last requests of this launch again.
    private mutating func sendAgain(into steps: inout [Step]) {
        if isWishLate { updates = .some(wish) }
        (arePaused, isWishLate) = (false, false)
        if let hasActivity { send(.setBackgroundActivity(hasActivity), into: &steps) }
        if let updates { send(.setUpdates(updates), into: &steps) }
        if managers.contains(where: \.isRequesting) { send(.requestLocation(true), into: &steps) }
        if let monitorsChanges { send(.setChangeMonitoring(monitorsChanges), into: &steps) }
        sendRegionsAgain(into: &steps)
    }

    func send(_ request: LocationRequest, into steps: inout [Step]) {
        steps.append(.send(.concern(.location(request))))
    }

    // MARK: Calls and messages

    private mutating func began(_ call: LocationCall) {
        switch call {
        case .updated(let fixes, .updates):
            (arePaused, isPositionUnknown) = (false, false)
            newest = fixes.last ?? newest
            for index in managers.indices { tell(index, managers[index].take(fixes), by: .updates) }
        case .updated(let fixes, .changes):
            newest = fixes.last ?? newest
            let isReceived = managers.contains(where: \.monitorsChanges)
            // After a stop in this launch, the event is late.
            if !isReceived, monitorsChanges != false { early = fixes }
            for index in managers.indices where managers[index].monitorsChanges { tell(index, fixes, by: .changes) }
        case .located(let fix):
            newest = fix ?? newest
            for manager in managers where manager.isRequesting { queue(.location(call), to: manager.id) }
        case .failed(.unknown), .paused, .resumed:
            // A pause may be late: the app has stopped the updates meanwhile.
            if call == .failed(.unknown) {
                isPositionUnknown = true
            } else {
                arePaused = call == .paused && (updates ?? nil) != nil
            }
            for manager in managers where manager.updates != nil { queue(.location(call), to: manager.id) }
        case .failed(.denied):
            for manager in managers where manager.updates != nil || manager.monitorsChanges || manager.isRequesting {
                queue(.location(call), to: manager.id)
            }
            // It answers the requests for a position, too.
            for index in managers.indices { managers[index].isRequesting = false }
            // If the user has allowed it meanwhile, the app may have started its services again.
            if !permission.allowsUse { servicesEnded() }
        case .crossed(let region, let isInside): crossed(region, isInside: isInside)
        case .regionStates(let states): learn(states)
        case .permissionChanged(let permission):
            self.permission = permission
            withdraw()
            if announced != permission { announce() }
            announced = nil
        }
    }

    private mutating func tell(_ index: Int, _ fixes: [LocationFix], by service: LocationService) {
        guard !fixes.isEmpty else { return }
        queue(.location(.updated(fixes, by: service)), to: managers[index].id)
    }

    mutating func queue(_ call: LocationManagerCall, to manager: LocationManagerID) {
        deliveries.append(LocationDelivery(manager: manager, call: call))
    }

    /// A message may be earlier than the call about the same change, which is then not announced again.
    private mutating func learn(_ permission: LocationPermission) {
        guard permission != self.permission else { return }
        self.permission = permission
        withdraw()
        announced = managers.contains(where: \.isIntroduced) ? permission : nil
        announce()
    }

    /// Without permission the app forgets what it knows. If the user denies the location, significant changes end, and
    /// standard updates end when they have failed.
    private mutating func withdraw() {
        if permission.allowsUse { return }
        (newest, early, earlyCrossings) = (nil, [], [])
        // A request is still answered.
        let unknown = LocationManagerCall.location(.located(nil))
        deliveries = deliveries.compactMap { delivery in
            guard delivery.call.tellsThePlace else { return delivery }
            guard case .location(.located) = delivery.call else { return nil }
            return LocationDelivery(manager: delivery.manager, call: unknown)
        }
        // The answer to a question may be among the calls that the system has withdrawn.
        learn([LocationRegionState]())
        guard permission == .deny else { return }
        if hasActivity != nil { (activities, hasActivity) = ([], false) }
        (regions, regionRequests) = ([], [])
        if monitorsChanges != nil { monitorsChanges = false }
        for index in managers.indices { managers[index].monitorsChanges = false }
    }

    private mutating func announce() {
        for manager in managers where manager.isIntroduced { announce(to: manager.id) }
    }

    private mutating func announce(to manager: LocationManagerID) {
        let isQueued = deliveries.contains {
            if case .location(.permissionChanged) = $0.call { $0.manager == manager } else { false }
        }
        if !isQueued { queue(.location(.permissionChanged(permission)), to: manager) }
    }

    /// The system has ended all services of the app.
    private mutating func servicesEnded() {
        if updates != nil { updates = .some(nil) }
        if monitorsChanges != nil { monitorsChanges = false }
        for index in managers.indices {
            (managers[index].updates, managers[index].monitorsChanges) = (nil, false)
        }
    }

    // MARK: The requests of the app

    mutating func setUpdates(_ options: StandardUpdates?, into steps: inout [Step]) {
        (updates, isWishLate) = (.some(options), false)
        if options == nil { arePaused = false }
        send(.setUpdates(options), into: &steps)
    }

    mutating func setChangeMonitoring(_ isWanted: Bool, into steps: inout [Step]) {
        monitorsChanges = isWanted
        if !isWanted { early = [] }
        send(.setChangeMonitoring(isWanted), into: &steps)
    }

    func requestPermission(always: Bool, into steps: inout [Step]) {
        send(.requestPermission(always: always), into: &steps)
    }

    // MARK: Managers

    mutating func addManager() -> LocationManagerID {
        lastManager += 1
        let id = LocationManagerID(rawValue: lastManager)
        managers.append(LocationManagerServices(id: id))
        return id
    }

    /// The manager's updates end. Significant changes of the app go on until a stop, as they do after its end.
    mutating func removeManager(_ id: LocationManagerID, into steps: inout [Step]) {
        stopUpdates(of: id, into: &steps)
        managers.removeAll { $0.id == id }
        regionQuestions.removeAll { $0.manager == id }
    }

    /// The manager has lost its delegate before it was told of the permission. The next one is told.
    mutating func forgetIntroduction(_ id: LocationManagerID) {
        if let index = index(of: id) { managers[index].isIntroduced = false }
    }

    /// The manager has a delegate, which is told of the permission once.
    mutating func introduce(_ id: LocationManagerID) {
        guard let index = index(of: id), !managers[index].isIntroduced else { return }
        managers[index].isIntroduced = true
        announce(to: id)
        tellEarlyCrossings(to: id)
    }

    /// A start is sent also if the app's request is the same, because the system may have ended the service meanwhile.
    /// `mayReceive` is whether the app may receive a position now.
    mutating func startUpdates(
        of id: LocationManagerID, _ options: StandardUpdates, mayReceive: Bool, into steps: inout [Step]
    ) {
        guard let index = index(of: id) else { return }
        cancelRequest(of: index, into: &steps)
        let (isNew, isOthers) = (managers[index].updates == nil, (updates ?? nil) != nil)
        managers[index].updates = options
        if isNew { managers[index].told = nil }
        setUpdates(wish, into: &steps)
        arePaused = false
        // The system sends a first position only if the app had no updates.
        if isNew, isOthers, mayReceive, let newest { tell(index, managers[index].take([newest]), by: .updates) }
    }

    /// A manager asks something else of its updates. This is no start: neither a request nor a pause ends.
    mutating func changeOptions(of id: LocationManagerID, _ options: StandardUpdates, into steps: inout [Step]) {
        guard let index = index(of: id), managers[index].updates != nil else { return }
        managers[index].updates = options
        if arePaused { isWishLate = true } else { setUpdates(wish, into: &steps) }
    }

    mutating func stopUpdates(of id: LocationManagerID, into steps: inout [Step]) {
        guard let index = index(of: id) else { return }
        cancelRequest(of: index, into: &steps)
        guard managers[index].updates != nil else { return }
        managers[index].updates = nil
        let wish = wish
        if wish != updates ?? nil { setUpdates(wish, into: &steps) }
    }

    /// Requests one position for a manager, unless it waits for one.
    mutating func requestLocation(for id: LocationManagerID, into steps: inout [Step]) {
        guard let index = index(of: id), !managers[index].isRequesting else { return }
        managers[index].isRequesting = true
        send(.requestLocation(true), into: &steps)
    }

    private mutating func cancelRequest(of index: Int, into steps: inout [Step]) {
        guard managers[index].isRequesting else { return }
        managers[index].isRequesting = false
        if !managers.contains(where: \.isRequesting) { send(.requestLocation(false), into: &steps) }
    }

    mutating func startChangeMonitoring(of id: LocationManagerID, mayReceive: Bool, into steps: inout [Step]) {
        guard let index = index(of: id) else { return }
        let isOthers = managers.contains(where: \.monitorsChanges)
        if !managers[index].monitorsChanges {
            managers[index].monitorsChanges = true
            if !early.isEmpty {
                tell(index, early, by: .changes)
            } else if isOthers, mayReceive, let newest {
                tell(index, [newest], by: .changes)
            }
            early = []
        }
        setChangeMonitoring(true, into: &steps)
    }

    /// A stop is sent also by a manager that has not started the service: an earlier launch may have.
    mutating func stopChangeMonitoring(of id: LocationManagerID, into steps: inout [Step]) {
        guard let index = index(of: id) else { return }
        managers[index].monitorsChanges = false
        if !managers.contains(where: \.monitorsChanges) { setChangeMonitoring(false, into: &steps) }
    }

    /// The number of calls that managers have to make, or that are to be dropped.
    var deliveryCount: Int { deliveries.count }

    /// The next call that a manager has to make; nil if there is none. Positions of a service that was stopped
    /// meanwhile are dropped.
    mutating func nextDelivery() -> LocationDelivery? {
        while !deliveries.isEmpty {
            let delivery = deliveries.removeFirst()
            guard let index = index(of: delivery.manager) else { continue }
            switch delivery.call {
            case .location(.updated(_, .updates)), .location(.paused), .location(.resumed):
                if managers[index].updates == nil { continue }
            case .location(.located):
                if !managers[index].isRequesting { continue }
                managers[index].isRequesting = false
            case .location(.updated(_, .changes)): if !managers[index].monitorsChanges { continue }
            case .location(.permissionChanged):
                let call = LocationManagerCall.location(.permissionChanged(permission))
                return LocationDelivery(manager: delivery.manager, call: call)
            case .crossed(let region, _): if !regions.contains(region) { continue }
            case .location, .startedMonitoring, .monitoringFailed, .determined, .waits: break
            }
            return delivery
        }
        return nil
    }

    func index(of id: LocationManagerID) -> Int? { managers.firstIndex { $0.id == id } }

    private var wish: StandardUpdates? { StandardUpdates(union: managers.compactMap(\.updates)) }
}
