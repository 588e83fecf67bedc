import LifeCycleModel
import LifeCyclePolicy

/// A day with so many apps: the user opens one after the other, some are woken, each answers at once, has a task, and
/// is suspended. Recorded once, so that only the brain is measured when it is played.
struct Recording {
    private(set) var events: [(event: Event, at: Moment)] = []
    /// The device before the first event.
    let start: Device

    private var device: Device
    private var now = Moment.zero.advanced(by: .seconds(1000))
    private var random: UInt64 = 42

    init(apps: Int32, events count: Int) {
        var device = Device()
        var effects: [Effect] = []
        let moment = now
        for number in 1...apps {
            guard let identifier = BundleIdentifier("org.example.app\(number)") else { continue }
            let manifest = AppManifest(identifier: identifier, executable: "app", backgroundModes: [.location])
            device.handle(.appInstalled(AppID(number), manifest), at: moment, into: &effects)
        }
        start = device
        self.device = device
        while events.count < count {
            let app = AppID(1 + Int32(next() % UInt64(apps)))
            play(next() % 4 == 0 ? .wakeOccurred(app, .locationMonitoring) : .appOpened(app))
        }
    }

    private mutating func next() -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return random >> 33
    }

    private mutating func play(_ event: Event) {
        var effects: [Effect] = []
        now = now.advanced(by: .microseconds(50))
        events.append((event, now))
        device.handle(event, at: now, into: &effects)
        for effect in effects { answer(effect) }
    }

    private mutating func answer(_ effect: Effect) {
        switch effect {
        case .start(let launch, _), .prewarm(let launch):
            play(.processStarted(launch))
            play(.appAttached(launch, .new))
        case .send(let launch, .callback(let id, let callback)):
            let task = BackgroundTask(id: TaskID(Int64(id.rawValue)), name: "work")
            if callback == .didEnterBackground {
                play(.appRequested(launch, .beginTask(task)))
                play(.appRequested(launch, .acknowledge(id, open: [task])))
                play(.appRequested(launch, .endTask(task.id)))
            } else {
                play(.appRequested(launch, .acknowledge(id, open: [])))
            }
        case .freeze(let launch, let attempt):
            play(.processFroze(launch, attempt: attempt, footprint: 1 << 20))
        case .kill(let launch, _):
            play(.processExited(launch, .signaled(9)))
        case .send, .thaw, .prioritize, .measureContainer, .keepAwake, .requestExit, .beginTransfer, .stopTransfer,
            .moveTransfer, .discardTransfer, .notification, .makeDeviceToken, .store, .removeFiles, .finishShutdown,
            .decided:
            break
        }
    }
}
