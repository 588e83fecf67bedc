import LifeCycleModel
import LifeCyclePolicy

/// A day with this many apps. The user opens one app after the other, and some apps are woken. Each app answers at
/// once, has a task, and is suspended. The day is recorded once, so that playing it measures only the brain.
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
            device.handle(.device(.appInstalled(AppID(number), manifest)), at: moment, into: &effects)
        }
        start = device
        self.device = device
        while events.count < count {
            let app = AppID(1 + Int32(next() % UInt64(apps)))
            play(next() % 4 == 0 ? .device(.wakeOccurred(app, .locationMonitoring)) : .device(.appOpened(app)))
        }
    }

    private mutating func next() -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return random >> 33
    }

    private mutating func play(_ event: Event) {
        now = now.advanced(by: .microseconds(50))
        // If the body let a deadline pass, each event would look like the end of a stall, and the brain would check
        // every app.
        if event != .deadlineReached, let deadline = device.nextDeadline, deadline.at <= now.awake {
            play(.deadlineReached)
        }
        var effects: [Effect] = []
        events.append((event, now))
        device.handle(event, at: now, into: &effects)
        for effect in effects { answer(effect) }
    }

    private mutating func answer(_ effect: Effect) {
        switch effect {
        case .launch(let launch, .start(_)), .launch(let launch, .prewarm):
            play(.process(launch, .started))
            play(.app(launch, .attached(.new)))
        case .launch(let launch, .send(.callback(let id, let callback))):
            let task = BackgroundTask(id: TaskID(Int64(id.rawValue)), name: "work")
            if callback == .didEnterBackground {
                play(.app(launch, .requested(.beginTask(task))))
                play(.app(launch, .requested(.acknowledge(id, open: [task]))))
                play(.app(launch, .requested(.endTask(task.id))))
            } else {
                play(.app(launch, .requested(.acknowledge(id, open: []))))
            }
        case .launch(let launch, .freeze(let attempt)):
            play(.process(launch, .froze(attempt: attempt, footprint: 1 << 20)))
        case .launch(let launch, .kill(_)):
            play(.process(launch, .exited(.signaled(9))))
        case .launch, .device, .concern, .store, .decided:
            break
        }
    }
}
