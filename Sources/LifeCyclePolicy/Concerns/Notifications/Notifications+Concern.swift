import LifeCycleModel

/// The inputs, requests and changes that local and remote notifications handle.
extension Notifications: Concern {
    /// A decision about a local notification or a remote notification.
    enum Reason {
        case notification(NotificationDecision)
        case push(PushDecision)
    }
    /// A change of the records of local notifications, or of a registration for remote notifications.
    enum Persisted {
        case notification(NotificationRecord)
        case push(PushRecord)
    }

    static func input(in input: ConcernInput) -> NotificationInput? {
        if case .notification(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> NotificationRequest? {
        if case .notification(let request) = request { request } else { nil }
    }
    static func reason(_ reason: Reason) -> ConcernReason {
        switch reason {
        case .notification(let decision): .notification(decision)
        case .push(let decision): .push(decision)
        }
    }
    static func record(_ change: Persisted) -> ConcernRecord {
        switch change {
        case .notification(let record): .notification(record)
        case .push(let record): .push(record)
        }
    }
    static func output(_ output: NotificationOutput) -> ConcernOutput { .notification(output) }
    static func message(_ message: NotificationNews) -> ConcernMessage { .notification(message) }

    var isIdle: Bool { clients.isEmpty && pushes.isEmpty }
    var openHandlers: [OpenHandler] { [] }
    var assertions: [(app: AppID, assertion: Assertion)] { [] }

    func nextDeadline(on device: DeviceState) -> Deadline? {
        let clocks = device.surroundings.clocks
        let push = pushes.next.map { Deadline(at: clocks.awake(ofWall: $0), reason: .remoteNotification) }
        // No notification fires during the shutdown. A notification that is due then fires at the next start.
        guard device.shutdown == .none, let next = nextTime else { return push }
        return .earlier(push, Deadline(at: clocks.awake(ofWall: next), reason: .notification))
    }

    mutating func handle(
        _ input: NotificationInput, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        switch input {
        case .pushArrived(let app, let notification): pushed(notification, to: app, on: device, into: &actions)
        case .tokenMade(let app, let token): tokenMade(token, for: app, into: &actions)
        case .tokenPersisted(let app): tokenPersisted(for: app, into: &actions)
        case .zoneRead(let name, let rules):
            for record in zoneRead(name, rules, local: device.surroundings.zone?.rules, into: &actions) {
                actions.explain(.notification(.zoneUnknown(record.id)))
                tell(.unscheduled(record.notification), to: record.id.app, on: device, into: &actions)
            }
        case .soundExamined(let id, let file): soundExamined(id, file, on: device, into: &actions)
        case .tapped(let id): tapped(id, on: device, into: &actions)
        case .dismissed(let id):
            let isThere = takeAway(of: id.app, into: &actions) { $0.id == id && $0.stage == .shown } > 0
            actions.explain(.notification(.answered(id, isThere ? .dismissed : .gone)))
        case .allowed(let app, let isAllowed): allow(app, isAllowed, on: device, into: &actions)
        }
    }

    mutating func handle(
        _ request: NotificationRequest, from launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) {
        switch request {
        case .act(let numbered): act(numbered, by: launch, on: device, into: &actions)
        case .setRemoteNotifications(let isWanted, let liftsThrottle):
            guard device.liveLaunch(of: launch.app) == launch else { return actions.ignore(launch) }
            setRemoteNotifications(isWanted, liftsNewsstandThrottle: liftsThrottle, by: launch, into: &actions)
        }
    }

    mutating func handle(
        _ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        switch change {
        case .appRemoved(let app):
            withdrawAll(of: app, into: &actions)
            pushes.forget(app)
        // An app without RoostKit cannot receive remote notifications.
        case .appReplaced(let app):
            if device.manifest(of: app)?.isAdopted == true { unregister(app, into: &actions) }
        case .appForceQuit(let app): dropHeldPush(of: app, .forceQuit, into: &actions)
        case .killed(let launch, let reason):
            if reason.isAppsFault { dropHeldPush(of: launch.app, .killed, into: &actions) }
        case .launchEnding(let launch):
            if clients[launch.app]?.opening?.launch == launch { update(launch.app) { $0.opening = nil } }
            showDelivering(to: launch.app, on: device, into: &actions)
        case .enteredBackground(let app): showDelivering(to: app, on: device, into: &actions)
        // An app that comes to the foreground receives the remote notification that was held back for it.
        case .enteredForeground, .admissionMayDiffer, .clocksShifted: pushes.isStale = true
        case .attached(let launch, let attachment): attached(launch, attachment, on: device, into: &actions)
        case .resumed(let launch):
            if clients[launch.app]?.isStale == true { tellAll(to: launch, on: device, into: &actions) }
        case .called(let launch, let call, _): called(launch.app, call, into: &actions)
        case .zoneChanged: if let zone = device.surroundings.zone { localZoneChanged(to: zone.rules) }
        case .appOpened, .exited, .eventHandled, .statusChanged, .deviceStarted, .callsChanged, .shutdownBegan:
            break
        }
    }

    /// Fires the local notifications that are due, and delivers the remote notifications that need not be held back any
    /// longer.
    mutating func settle(on device: DeviceState, into actions: inout Actions<Notifications>) {
        // A notification that fired before a restart of the system, and was not displayed, is displayed now.
        for record in start(into: &actions) { show(record, on: device, into: &actions) }
        fireDue(on: device, into: &actions)
        releaseHeldPushes(on: device, into: &actions)
        dropUnusedPushes(on: device, into: &actions)
    }
}
