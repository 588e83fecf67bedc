import LifeCycleModel

/// The inputs, requests and changes that VoIP handles.
extension VoIP: Concern {
    static func input(in input: ConcernInput) -> VoIPInput? {
        if case .voip(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> VoIPRequest? {
        if case .voip(let request) = request { request } else { nil }
    }
    static func reason(_ reason: VoIPDecision) -> ConcernReason { .voip(reason) }
    static func record(_ change: VoIPChange) -> ConcernRecord { .voip(change) }
    static func output(_ output: VoIPOutput) -> ConcernOutput { .voip(output) }
    static func message(_ message: VoIPNews) -> ConcernMessage { .voip(message) }

    var isIdle: Bool { isEmpty }
    var openHandlers: [OpenHandler] { [] }
    var assertions: [(app: AppID, assertion: Assertion)] {
        clients.flatMap { entry in entry.value.holds.map { (entry.key, $0) } }
    }

    mutating func handle(_ input: VoIPInput, on device: DeviceState, into actions: inout Actions<Self>) {
        noticeStall(on: device)
        switch input {
        case .pushArrived(let app, let payload): pushed(payload, to: app, on: device, into: &actions)
        case .tokenMade(let app, let token): tokenMade(token, for: app, into: &actions)
        case .tokenPersisted(let app): tokenPersisted(for: app, into: &actions)
        case .chosen(let choice): choose(choice, on: device, into: &actions)
        }
    }

    mutating func handle(
        _ request: VoIPRequest, from launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        noticeStall(on: device)
        guard device.liveLaunch(of: launch.app) == launch else { return actions.ignore(launch) }
        switch request {
        case .setRegistered(let isWanted): register(isWanted, by: launch, on: device, into: &actions)
        case .returned(let push): returned(push, to: launch, on: device, into: &actions)
        case .completed(let push): completed(push, by: launch, into: &actions)
        case .report(let id, let update): report(id, update, by: launch, on: device, into: &actions)
        case .update(let id, let update): self.update(id, update, by: launch, into: &actions)
        case .ended(let id, let reason): end(id, of: launch, .reported(reason), into: &actions)
        case .performed(let action, let id, let isFulfilled):
            performed(action, id, isFulfilled: isFulfilled, by: launch, into: &actions)
        case .transact(let number, let requests):
            transact(number, requests, by: launch, on: device, into: &actions)
        case .connected(let id): connected(id, by: launch, into: &actions)
        }
    }

    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Self>) {
        noticeStall(on: device)
        switch change {
        case .appRemoved(let app):
            dropWaiting(of: app, .launchEnded, into: &actions)
            forget(app)
        case .appReplaced(let app): replaced(app, on: device, into: &actions)
        case .deviceStarted: for app in clients.keys { forgive(app, into: &actions) }
        case .exited(let launch, .exited, _): exited(launch, on: device, into: &actions)
        case .launchEnding(let launch): ended(launch, into: &actions)
        case .called(let launch, .voip(.push(let push)), _): called(push, launch, on: device, into: &actions)
        case .attached(let launch, _):
            becomeStale()
            callAgain(launch, on: device, into: &actions)
        case .enteredBackground(let app), .statusChanged(let app):
            becomeStale()
            foundFrozen(app, on: device)
        case .resumed, .enteredForeground, .admissionMayDiffer, .shutdownBegan: becomeStale()
        case .called, .exited, .appOpened, .appForceQuit, .eventHandled, .killed, .zoneChanged,
            .clocksShifted, .callsChanged:
            break
        }
    }

    mutating func settle(on device: DeviceState, into actions: inout Actions<Self>) {
        noticeStall(on: device)
        if isDue(on: device) { settleAll(on: device, into: &actions) }
    }

    private mutating func replaced(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        forgive(app, into: &actions)
        // An app without RoostKit has no registry.
        guard device.manifest(of: app)?.isAdopted == true, clients[app]?.record.token != nil else { return }
        change(app) { $0.registration = .idle }
        keep(app, into: &actions) { $0.token = nil }
    }

    /// The app gets VoIP pushes again.
    private mutating func forgive(_ app: AppID, into actions: inout Actions<Self>) {
        if clients[app]?.record.misses ?? 0 > 0 { keep(app, into: &actions) { $0.misses = 0 } }
    }
}
