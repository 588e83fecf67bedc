import LifeCycleModel

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

let start = Nanoseconds.seconds(1000)

func at(_ count: Int64) -> Nanoseconds { start + .seconds(count) }

func app(_ number: Int32) -> AppID { AppID(number) }

func launch(_ app: Int32 = 1, _ number: Int32 = 1) -> LaunchID { LaunchID(app: AppID(app), number: number) }

func task(_ id: Int64 = 1) -> BackgroundTask { BackgroundTask(id: TaskID(id), name: "work") }

func send(_ id: Int32, _ callback: Callback, to launch: LaunchID = launch()) -> Effect {
    .launch(launch, .send(.callback(CallbackID(id), callback)))
}

func acknowledge(_ id: Int32, _ launch: LaunchID = launch()) -> Event {
    .app(launch, .requested(.acknowledge(CallbackID(id), open: [])))
}

func manifest(
    _ number: Int = 1, modes: [BackgroundMode] = [.location], exitsOnSuspend: Bool = false, usesScenes: Bool = false,
    isAdopted: Bool = false, taskIdentifiers: [String]? = nil
) -> AppManifest {
    guard let identifier = BundleIdentifier("org.example.app\(number)") else {
        preconditionFailure("letters, digits and full stops only")
    }
    return AppManifest(
        identifier: identifier, executable: "app", backgroundModes: modes, taskIdentifiers: taskIdentifiers,
        exitsOnSuspend: exitsOnSuspend, usesScenes: usesScenes, isAdopted: isAdopted)
}

/// A snapshot of an app for an invariant.
func snapshot(
    _ state: AppState, of launch: LaunchID? = launch(), app: AppID? = nil, isEnding: Bool = false,
    open: [BackgroundTask] = [], until: Nanoseconds? = nil, assertions: [Assertion] = [], deadline: Deadline? = nil,
    modes: [BackgroundMode] = [.location]
) -> AppSnapshot {
    AppSnapshot(
        record: AppRecord(app: app ?? launch?.app ?? AppID(1), manifest: manifest(modes: modes)), state: state,
        launch: launch,
        isPrewarmed: false, isEnding: isEnding, isBeingUninstalled: false, openTasks: open, backgroundTimeUntil: until,
        assertions: assertions, nextDeadline: deadline)
}

/// An observation of an event for an invariant.
func observe(
    _ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot] = [], _ device: Device = Device(),
    foregroundApp: AppID? = nil, at time: Nanoseconds = .zero
) -> Observation {
    let turn = Observation(event, effects, snapshots, device, at: .zero.advanced(by: time))
    turn.foregroundApp = foregroundApp
    return turn
}
