import LifeCycleModel

/// The inputs, requests and changes that sound handles.
extension AudioSessions: Concern {
    static func input(in input: ConcernInput) -> AudioInput? {
        if case .audio(let input) = input { input } else { nil }
    }
    static func request(in request: ConcernRequest) -> AudioRequest? {
        if case .audio(let request) = request { request } else { nil }
    }
    static func reason(_ reason: AudioDecision) -> ConcernReason { .audio(reason) }
    static func record(_ change: Never) -> ConcernRecord {}
    static func output(_ output: Never) -> ConcernOutput {}
    static func message(_ message: AudioNews) -> ConcernMessage { .audio(message) }

    var isIdle: Bool { clients.isEmpty && !isOtherCallOn && appsWithCalls.isEmpty }
    var openHandlers: [OpenHandler] { [] }
    var assertions: [(app: AppID, assertion: Assertion)] {
        clients.compactMap { entry in entry.value.hold.map { _ in (entry.key, .audio) } }
    }

    mutating func handle(_ input: AudioInput, on device: DeviceState, into actions: inout Actions<Self>) {
        switch input {
        case .call(let isOn): call(isOn: isOn, on: device, into: &actions)
        }
    }

    mutating func handle(
        _ request: AudioRequest, from launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        let app = launch.app
        guard device.liveLaunch(of: app) == launch else { return actions.ignore(launch) }
        if clients[app]?.launch != launch { clients.set(AudioClient(launch: launch), for: app) }
        becomeStale()
        switch request {
        case .setSession(let session):
            guard let old = clients[app]?.session else { return }
            change(app) { $0.session = session }
            settingsChanged(of: app, from: old, on: device, into: &actions)
        case .activate: activate(app, on: device, into: &actions)
        case .deactivate(let notifiesOthers):
            deactivate(app, notifiesOthers: notifiesOthers, on: device, into: &actions)
        case .play(let player, let until):
            // The app does not know of the interruption yet.
            if clients[app]?.isInterrupted == true { return }
            activate(app, on: device, into: &actions)
            guard let client = clients[app], client.state == .active else { return }
            // The calls about players that have ended are limited, too.
            let most = AudioPlayerID.mostPlaying
            let isFull = client.players.count >= most || client.finished.count >= 2 * most
            guard client.players[player] != nil || !isFull else { return actions.ignore(launch) }
            change(app) { $0.players.set(AudioClient.Player(until: until), for: player) }
        case .stop(let player): change(app) { $0.players.remove(player) }
        }
    }

    mutating func handle(_ change: DeviceChange, on device: DeviceState, into actions: inout Actions<Self>) {
        switch change {
        case .appRemoved(let app): if let launch = clients[app]?.launch { ended(launch) }
        case .launchEnding(let launch): ended(launch)
        case .attached(let launch, _):
            // On a new connection the app takes it that there is no phone call.
            // It repeats which players play.
            self.change(launch.app) { ($0.knowsCall, $0.players) = (false, SortedMap()) }
            guard clients[launch.app]?.hold == .reconnecting else { return }
            // The app repeats its requests now.
            let time = device.awakeNow + device.policy.audioGrace
            self.change(launch.app) { $0.hold = .until(time) }
        case .called(let launch, .audio(.finished(let player)), _):
            clients.update(launch.app) { $0.finished.remove(player) }
        case .enteredBackground(let app):
            becomeStale()
            foundFrozen(app, on: device, into: &actions)
            stopInBackground(app, on: device, into: &actions)
        case .resumed(let launch):
            becomeStale()
            // A frozen app in the foreground connects after all.
            if clients[launch.app]?.hold == .reconnecting { actions.hold(launch.app, .audio) }
            // Before the app's code runs.
            tellNews(to: launch.app, on: device, into: &actions)
        case .statusChanged(let app):
            becomeStale()
            foundFrozen(app, on: device, into: &actions)
        case .callsChanged(let apps): callsChanged(of: apps, on: device, into: &actions)
        case .appReplaced, .enteredForeground, .shutdownBegan: becomeStale()
        case .appOpened, .appForceQuit, .called, .exited, .eventHandled, .killed, .admissionMayDiffer, .zoneChanged,
            .clocksShifted, .deviceStarted:
            break
        }
    }

    mutating func settle(on device: DeviceState, into actions: inout Actions<Self>) {
        if isDue(on: device) { settleAll(on: device, into: &actions) }
    }
}
