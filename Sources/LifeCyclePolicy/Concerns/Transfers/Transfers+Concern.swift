import LifeCycleModel

/// The inputs, requests and changes that background sessions handle.
extension Transfers: Concern {
    static func input(in input: ConcernInput) -> TransferInput? {
        if case .transfer(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> (SessionIdentifier, TransferAct)? {
        if case .transfer(let session, let act) = request { (session, act) } else { nil }
    }
    static func reason(_ reason: TransferDecision) -> ConcernReason { .transfer(reason) }
    static func record(_ change: TransferChange) -> ConcernRecord { .transfer(change) }
    static func output(_ output: TransferOutput) -> ConcernOutput { .transfer(output) }
    static func message(_ message: (SessionIdentifier, TransferNews)) -> ConcernMessage {
        .transfer(message.0, message.1)
    }

    var isIdle: Bool { isEmpty }

    mutating func handle(_ input: TransferInput, on device: DeviceState, into actions: inout Actions<Transfers>) {
        begin(on: device)
        defer { end() }
        switch input {
        case .reported(let report): reported(report, policy: device.policy, into: &actions)
        case .userAction(let id, let action): userAction(action, of: id, into: &actions)
        }
    }

    mutating func handle(
        _ request: (SessionIdentifier, TransferAct), from launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Transfers>
    ) {
        begin(on: device)
        defer { end() }
        guard !device.isPrewarmed(launch.app), let status = device.status(of: launch.app) else {
            return actions.ignore(launch)
        }
        let actor = Actor(launch: launch, status: status, allowsRefresh: device.allowsRefresh(launch.app))
        act(request.1, on: request.0, by: actor, policy: device.policy, into: &actions)
        if case .handled = request.1 { actions.closeHandler(launch.app, .session(request.0)) }
    }

    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Transfers>) {
        begin(on: device)
        defer { end() }
        switch change {
        case .appRemoved(let app): removed(app, into: &actions)
        case .appOpened(let app): opened(app, into: &actions)
        case .appForceQuit(let app): forceQuit(app, into: &actions)
        case .called(let launch, .transfer(.handleEvents(let session)), _): callbackSent(launch.app, session)
        case .admissionMayDiffer:
            changed(to: TransferGates(device.surroundings, policy: device.policy), into: &actions)
            refreshMayDiffer(on: device, into: &actions)
            attendPendingEvents()
        case .clocksShifted(let wasSet): if wasSet { clockKept = nil }
        case .statusChanged(let app): statusChanged(app, on: device, into: &actions)
        case .shutdownBegan: shutDown(into: &actions)
        case .attached(let launch, _): reconnected(launch.app)
        case .called, .appReplaced, .enteredForeground, .enteredBackground, .resumed, .eventHandled, .killed,
            .launchEnding, .exited, .zoneChanged, .deviceStarted, .callsChanged:
            break
        }
    }

    /// Handles timers, wakes apps, sends pending news, and begins tasks.
    mutating func settle(on device: DeviceState, into actions: inout Actions<Transfers>) {
        begin(on: device)
        defer { end() }
        start(into: &actions)
        keepClock(into: &actions)
        timePassed(into: &actions)
        while let id = attention.first {
            attention.removeFirst()
            if isWakeDue(id, into: &actions) { wake(for: id, on: device, into: &actions) }
            deliver(id, window: device.policy.transferWindow, into: &actions)
        }
        if foregroundApp != device.foreground.app {
            foregroundApp = device.foreground.app
            mayBegin = true
        }
        // The check comes before the call, because the call copies the policy.
        if mayBegin { admit(policy: device.policy, foregroundApp: device.foreground.app, into: &actions) }
        explainWaits(into: &actions)
    }

    /// Reads the device at an event. Without sessions, the concern is not notified of changes.
    private mutating func begin(on device: DeviceState) {
        clock = device.surroundings.clocks.persisted
        isShutDown = device.shutdown != .none
        guard isEmpty else { return }
        gates = TransferGates(device.surroundings, policy: device.policy)
        limits = Limits(device.policy)
    }

    /// Without sessions, the value is the same as if there had never been any.
    private mutating func end() {
        clock = TransferClock(steady: .zero, wall: .zero, elapsed: .zero)
        if isEmpty { self = Transfers() }
    }

    /// Wakes or launches the app of a session whose tasks have all ended (R-56, T02, T11).
    private mutating func wake(
        for id: TransferSessionID, on device: DeviceState, into actions: inout Actions<Transfers>
    ) {
        guard let manifest = device.manifest(of: id.app), !manifest.isAdopted,
            let identifier = sessions[id]?.record.identifier
        else { return }
        let reason: LaunchReason = identifier == .newsstand ? .newsstand : .urlSession
        if let refusal = device.refusal(to: id.app, for: reason) {
            if wakeRefused(id, refusal) { actions.refuse(id.app, .wakeRefused(reason, refusal)) }
            return
        }
        woken(id, policy: device.policy, into: &actions)
        actions.explain(.sessionWakes(id))
        actions.wake(id.app, for: reason, delivering: .transfer(.handleEvents(identifier)))
    }
}
