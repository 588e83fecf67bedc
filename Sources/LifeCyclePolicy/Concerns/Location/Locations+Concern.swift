import LifeCycleModel

/// The inputs, requests and changes that locations handle.
extension Locations: Concern {
    static func input(in input: ConcernInput) -> LocationInput? {
        if case .location(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> LocationRequest? {
        if case .location(let request) = request { request } else { nil }
    }
    static func reason(_ reason: LocationDecision) -> ConcernReason { .location(reason) }
    static func record(_ change: LocationChange) -> ConcernRecord { .location(change) }
    static func output(_ output: LocationOutput) -> ConcernOutput { .location(output) }
    static func message(_ message: LocationNews) -> ConcernMessage { .location(message) }

    var isIdle: Bool { clients.isEmpty && !receiver.isOn }
    var openHandlers: [OpenHandler] { [] }
    var assertions: [(app: AppID, assertion: Assertion)] {
        clients.compactMap { entry in entry.value.assertion.map { (entry.key, $0) } }
    }

    mutating func handle(_ input: LocationInput, on device: DeviceState, into actions: inout Actions<Locations>) {
        switch input {
        case .moved(let fix): moved(to: fix, on: device)
        case .receiverEnded(let reason): receiverEnded(reason, on: device, into: &actions)
        case .permitted(let app, let permission): permit(app, permission, on: device, into: &actions)
        }
    }

    mutating func handle(
        _ request: LocationRequest, from launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Locations>
    ) {
        guard device.liveLaunch(of: launch.app) == launch else { return actions.ignore(launch) }
        switch request {
        case .setUpdates(let options): setUpdates(options, by: launch, on: device, into: &actions)
        case .requestLocation(let isWanted): self.request(isWanted, by: launch, on: device, into: &actions)
        case .setChangeMonitoring(let isWanted): monitor(isWanted, by: launch, into: &actions)
        case .monitorRegion(let region): monitor(region, by: launch, into: &actions)
        case .stopRegion(let identifier): stopRegion(identifier, by: launch, into: &actions)
        case .requestRegionStates:
            let time = device.wallNow + device.policy.locationRequest
            change(launch.app) { $0.watch.answerBy = $0.watch.answerBy ?? time }
        case .setBackgroundActivity(let isWanted): setActivity(isWanted, by: launch, on: device, into: &actions)
        case .requestPermission(let always):
            let permission = clients[launch.app]?.record.permission ?? .ask
            let isOpen = permission == .ask || permission == .whenInUse && always
            actions.explain(isOpen ? .asked(launch, always: always) : .askedInVain(launch, permission))
        }
    }

    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Locations>) {
        switch change {
        case .appRemoved(let app): forget(app)
        case .attached(let launch, let attachment):
            guard clients[launch.app] != nil else { return }
            self.change(launch.app) { client in
                client.attached = launch
                // A new launch takes it that there are no regions, and that the user has not decided.
                client.watch.isListStale = attachment.phase != .starting || !client.record.regions.isEmpty
                client.isStale = client.record.permission != .ask || client.watch.isListStale
            }
            // The launch callback, which comes next, may read the permission.
            tellPermission(launch.app, on: device, into: &actions)
        case .called(let launch, .location(.updated(_, by: .updates)), _): called(launch)
        case .called(let launch, .location(.located), _): answered(launch)
        case .launchEnding(let launch): ended(launch)
        case .appForceQuit(let app): endActivity(of: app, into: &actions)
        case .clocksShifted: clocksShifted(at: device.wallNow)
        case .appReplaced(let app):
            becomeStale()
            // An app without RoostKit cannot receive locations.
            guard device.manifest(of: app)?.isAdopted == true else { break }
            endActivity(of: app, into: &actions)
            if clients[app]?.record.isMonitoring == true {
                keep(app, into: &actions) { record in
                    (record.monitorsChanges, record.told, record.toldAt, record.regions) = (false, nil, nil, [])
                }
            }
        case .enteredForeground, .enteredBackground, .resumed, .statusChanged, .admissionMayDiffer, .shutdownBegan:
            becomeStale()
        case .called, .exited, .appOpened, .eventHandled, .killed, .zoneChanged, .deviceStarted, .callsChanged: break
        }
    }

    mutating func settle(on device: DeviceState, into actions: inout Actions<Locations>) {
        if isDue(at: device.wallNow) || foregroundApp != device.foreground.app { tellAll(on: device, into: &actions) }
    }

    // MARK: Requests

    private mutating func setUpdates(
        _ options: StandardUpdates?, by launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Locations>
    ) {
        guard let options else {
            guard clients[launch.app]?.updates?.launch == launch else { return }
            actions.explain(.updates(launch, nil))
            return change(launch.app) { $0.updates = nil }
        }
        let old = clients[launch.app]?.updates.flatMap { $0.launch == launch ? $0 : nil }
        // A second start with the same options ends a pause, and changes nothing else.
        if old?.options != options {
            actions.explain(.updates(launch, options))
            let permission = clients[launch.app]?.record.permission ?? .ask
            change(launch.app) { client in
                // Other options leave the positions that wait.
                var updates = old ?? LocationClient.Updates(launch: launch, options: options)
                updates.options = options
                client.updates = permission == .deny ? nil : updates
            }
            if permission == .deny { return deny(launch, into: &actions) }
            if old?.arePaused != true { takeNewest(for: launch.app, policy: device.policy, into: &actions) }
        }
        guard old?.arePaused == true else { return }
        resume(launch, on: device, into: &actions)
        becomeStale()
    }

    private mutating func monitor(_ isWanted: Bool, by launch: LaunchID, into actions: inout Actions<Locations>) {
        let record = clients[launch.app]?.record ?? LocationRecord(app: launch.app)
        if isWanted, record.permission == .deny { return deny(launch, into: &actions) }
        if record.monitorsChanges == isWanted { return }
        actions.explain(.monitoring(launch, isWanted))
        keep(launch.app, into: &actions) { ($0.monitorsChanges, $0.told, $0.toldAt) = (isWanted, nil, nil) }
        change(launch.app) { $0.looksAt = nil }
    }

    func deny(_ launch: LaunchID, into actions: inout Actions<Locations>) {
        actions.explain(.denied(launch))
        actions.call(launch.app, .location(.failed(.denied)), .whenItRuns)
    }

    // MARK: The user

    /// The user decides about an app. Without permission, all services of the app end.
    private mutating func permit(
        _ app: AppID, _ permission: LocationPermission, on device: DeviceState, into actions: inout Actions<Locations>
    ) {
        guard device.manifest(of: app) != nil else { return actions.refuse(app, .unknown) }
        actions.explain(.permitted(app, permission))
        let old = clients[app]
        if old?.record.permission ?? .ask == permission { return }
        if permission == .deny { endActivity(of: app, into: &actions) }
        keep(app, into: &actions) { record in
            record.permission = permission
            if !permission.allowsUse { (record.told, record.toldAt) = (nil, nil) }
            if permission == .deny { (record.monitorsChanges, record.regions) = (false, []) }
            if !permission.allowsUse { for index in record.regions.indices { record.regions[index].isInside = nil } }
        }
        change(app) { client in
            (client.isStale, client.looksAt, client.watch.looksAt) = (true, nil, nil)
            if permission == .deny, old?.record.regions.isEmpty == false { client.watch.isListStale = true }
            // The call below withdraws a call with positions.
            if !permission.allowsUse {
                let launch = permission == .deny ? nil : client.request?.launch
                client.request = launch.map { LocationClient.PositionRequest(launch: $0) }
                client.continuation.isCalling = false
            }
            guard !permission.allowsUse, let updates = client.updates else { return }
            let restarted = LocationClient.Updates(launch: updates.launch, options: updates.options)
            client.updates = permission == .deny ? nil : restarted
        }
        guard let launch = device.liveLaunch(of: app) else { return }
        actions.call(app, .location(.permissionChanged(permission)), .whenItRuns)
        if permission == .deny, old?.updates != nil || old?.request != nil { return deny(launch, into: &actions) }
        if old?.record.permission.allowsUse != true { takeNewest(for: app, policy: device.policy, into: &actions) }
    }
}
