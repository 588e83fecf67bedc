import LifeCycleModel

/// The inputs, requests and changes that background fetch handles.
extension Fetches: Concern {
    static func input(in input: ConcernInput) -> FetchInput? {
        if case .fetch(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> FetchRequest? {
        if case .fetch(let request) = request { request } else { nil }
    }
    static func reason(_ reason: FetchDecision) -> ConcernReason { .fetch(reason) }
    static func record(_ change: FetchChange) -> ConcernRecord { .fetch(change) }
    static func output(_ output: Never) -> ConcernOutput {}
    static func message(_ message: Never) -> ConcernMessage {}

    var isIdle: Bool { clients.isEmpty && underWay.isEmpty }
    var openHandlers: [OpenHandler] { [] }
    var assertions: [(app: AppID, assertion: Assertion)] { [] }

    /// An opportunity that the user offers counts like any other.
    mutating func handle(_ input: FetchInput, on device: DeviceState, into actions: inout Actions<Fetches>) {
        switch input {
        case .opportunityOffered(let app):
            let isRefused = device.refusal(to: app, for: .backgroundFetch) != nil
            if !isRefused { had(app, isGiven: true, on: device, into: &actions) }
            actions.wake(app, for: .backgroundFetch, delivering: .fetch(.performFetch))
        }
    }

    /// An app sets the least interval between its fetches.
    mutating func handle(
        _ request: FetchRequest, from launch: LaunchID, on device: DeviceState, into actions: inout Actions<Fetches>
    ) {
        switch request {
        case .setMinimumInterval(let interval):
            guard let manifest = device.manifest(of: launch.app) else { return }
            let refusal = LaunchRules.refusal(by: manifest, of: .backgroundFetch, circumstances: device.circumstances)
            if let refusal { return actions.explain(.declined(launch, refusal)) }
            actions.explain(.asked(launch, interval))
            asked(interval, by: launch.app, on: device, into: &actions)
        }
    }

    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Fetches>) {
        switch change {
        case .appRemoved(let app): forget(app, on: device)
        case .appOpened(let app): opened(app, on: device, into: &actions)
        case .enteredForeground(let app): isOver(for: app, on: device)
        case .launchEnding(let launch): isOver(for: launch.app, on: device)
        case .called(let launch, .fetch(.performFetch), isInBackground: false):
            isOver(for: launch.app, on: device)
        case .eventHandled(let launch, .backgroundFetch, let result, let time):
            brought(result, by: launch.app, after: time, on: device, into: &actions)
        case .killed(let launch, .eventNotHandled(.backgroundFetch)):
            brought(nil, by: launch.app, after: device.policy.backgroundFetch, on: device, into: &actions)
        case .admissionMayDiffer: isStale = true
        case .zoneChanged: reckon(on: device)
        case .clocksShifted: clocksShifted(on: device)
        case .called, .exited, .eventHandled, .killed, .appReplaced, .appForceQuit, .enteredBackground, .attached,
            .resumed, .statusChanged, .deviceStarted, .callsChanged, .shutdownBegan:
            break
        }
    }

    /// Gives an opportunity to apps that are due, at most as many at once as the policy allows. The function is
    /// inlined, because a call copies the device, and usually no app is due.
    @inline(__always) mutating func settle(on device: DeviceState, into actions: inout Actions<Fetches>) {
        if isStale { lookForObstacles(on: device, into: &actions) }
        if isDue(at: device.wallNow) { timePassed(on: device) }
        while hasRoom(policy: device.policy), let app = due.first(where: { !device.isBeingFrozen($0) }) {
            offer(to: app, on: device, into: &actions)
        }
    }

    /// The app is due. The app is woken, unless it is in the foreground and can fetch by itself.
    private mutating func offer(to app: AppID, on device: DeviceState, into actions: inout Actions<Fetches>) {
        guard device.manifest(of: app) != nil else { return forget(app, on: device) }
        actions.rely(on: clients[app] != nil, else: .fetchNotWanted, about: app)
        let isInForeground = device.isForeground(app)
        let refusal = device.refusal(to: app, for: .backgroundFetch)
        let lateness = lateness(of: app, on: device)
        had(app, isGiven: refusal == nil && !isInForeground, on: device, into: &actions)
        if isInForeground { return }
        if let refusal { return actions.explain(.missed(app, refusal)) }
        actions.explain(.offered(app, late: lateness))
        actions.wake(app, for: .backgroundFetch, delivering: .fetch(.performFetch))
    }

    private mutating func lookForObstacles(on device: DeviceState, into actions: inout Actions<Fetches>) {
        isStale = false
        for app in clients.keys { learn(obstacle(to: app, on: device), of: app, into: &actions) }
        reckon(on: device)
    }

    func obstacle(to app: AppID, on device: DeviceState) -> FetchObstacle? {
        refusal(to: app, on: device).map { .refused($0) } ?? hold(on: device).map { .held($0) }
    }

    /// Why an app may not be woken to fetch.
    private func refusal(to app: AppID, on device: DeviceState) -> WakeRefusal? {
        // An app that was installed again without RoostKit has no method for fetches.
        if device.manifest(of: app)?.isAdopted == true { return .modeNotDeclared }
        return device.refusal(to: app, for: .backgroundFetch, endMayFinish: true)
    }

    /// The reason why no app may fetch; nil if there is none.
    private func hold(on device: DeviceState) -> FetchHold? {
        let (surroundings, settings) = (device.surroundings, device.surroundings.settings)
        if settings.network == .none || !surroundings.isConnected { return .network }
        if settings.lowPowerMode { return .lowPowerMode }
        if surroundings.isBatteryLow(by: device.policy) { return .battery }
        return settings.lowDataMode ? .lowDataMode : nil
    }
}
