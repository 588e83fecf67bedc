import LifeCycleModel

/// The inputs, requests and changes that kept sockets handle.
extension Sockets: Concern {
    static func input(in input: ConcernInput) -> SocketInput? {
        if case .socket(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> SocketRequest? {
        if case .socket(let request) = request { request } else { nil }
    }
    static func reason(_ reason: SocketDecision) -> ConcernReason { .socket(reason) }
    static func record(_ change: SocketChange) -> ConcernRecord { .socket(change) }
    static func output(_ output: SocketOutput) -> ConcernOutput { .socket(output) }
    static func message(_ message: SocketNews) -> ConcernMessage { .socket(message) }

    var isIdle: Bool { isEmpty }
    var openHandlers: [OpenHandler] { [] }
    var assertions: [(app: AppID, assertion: Assertion)] { [] }

    mutating func handle(_ input: SocketInput, on device: DeviceState, into actions: inout Actions<Self>) {
        switch input {
        case .taken(let launch, let id, let failure): taken(id, of: launch, failure, on: device, into: &actions)
        case .readable(let launch, let id, let isOver): readable(id, of: launch, isOver: isOver, into: &actions)
        }
    }

    mutating func handle(
        _ request: SocketRequest, from launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard device.liveLaunch(of: launch.app) == launch else { return actions.ignore(launch) }
        begin(launch)
        switch request {
        case .keep(let socket): keep(socket, of: launch, on: device, into: &actions)
        case .drop(let id): drop(id, of: launch, into: &actions)
        case .setKeepAlive(let interval): setKeepAlive(interval, by: launch, on: device, into: &actions)
        }
    }

    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Self>) {
        switch change {
        case .appRemoved(let app):
            if let launch = clients[app]?.record.launch { end(of: launch, into: &actions) }
            removed(app)
        case .launchEnding(let launch): end(of: launch, into: &actions)
        case .attached(let launch, _): attached(launch)
        case .exited(let launch, let reason, let inBackground):
            exited(launch, reason, inBackground: inBackground, on: device)
        // The device's start launches these apps itself (T27).
        case .deviceStarted: (toLaunch, delayed) = ([], SortedMap())
        case .enteredForeground, .enteredBackground, .resumed, .statusChanged, .admissionMayDiffer:
            becomeStale()
        case .appForceQuit(let app): delayed.remove(app)
        case .called, .appOpened, .appReplaced, .eventHandled, .killed, .zoneChanged, .clocksShifted,
            .callsChanged, .shutdownBegan:
            break
        }
    }

    mutating func settle(on device: DeviceState, into actions: inout Actions<Self>) {
        settleAll(on: device, into: &actions)
    }
}
