import LifeCycleModel
import LifeCyclePolicy

/// One random history: a phase with faults, then one without in which everything has to come to rest.
///
/// Each step draws from its own numbers, which depend on the seed and on the step's place alone: a history from which
/// some steps are left out is the same in all others.
struct History {
    /// What can happen besides what the apps' processes do.
    enum Act: Hashable, Sendable, CaseIterable {
        case open, home, forceQuit, switchApp, interrupt, dismiss, accept, lock, unlock, input
        case wake, wakeForCall, push, memoryShort, memoryLow, setting, backgroundRefresh, install, uninstall
        case network, outage, fullDisk, fullStore, transferWish, notification
        case wait, clock, sleep, restart, death, reboot, disconnection, standstill, outsideThaw

        /// How often it is drawn, among all others.
        var weight: Int {
            switch self {
            case .open: 40
            case .home: 20
            case .wake: 16
            case .notification: 10
            case .forceQuit, .interrupt, .input: 8
            case .unlock, .setting, .wait, .push: 7
            case .dismiss, .lock, .sleep: 5
            case .switchApp, .memoryShort: 4
            case .accept, .memoryLow, .standstill, .network: 3
            case .outage, .fullDisk, .fullStore, .transferWish, .restart, .backgroundRefresh, .disconnection,
                .outsideThaw:
                2
            case .death, .install, .uninstall, .clock, .reboot, .wakeForCall: 1
            }
        }
    }

    var world: World
    private let seed: UInt64
    private let swarm: Swarm
    let appCount: Int32

    /// The history of `seed`; where `keepsSteps` says so it can be read off from the world afterwards.
    init(seed: UInt64, policy: Policy, keepsSteps: Bool = false, ownCheck: CheckedDevice.OwnCheck? = nil) {
        var random = RandomSource(seed: seed ^ 0xA5A5_5A5A)
        let count = 2 + random.below(4)
        let manifests = (0..<count).map { Self.manifest($0, random: &random) }
        var policy = policy
        if random.chance(1, in: 4) { policy.launchCallsDidEnterBackground = false }
        if random.chance(1, in: 4) { policy.wakeCallsDidEnterBackground = true }
        if random.chance(1, in: 4) { policy.forceQuitCallsWillTerminate = false }
        if random.chance(1, in: 6) { policy.taskCap = 2 }
        if random.chance(1, in: 4) { policy.requestBurst = 30 }
        if random.chance(1, in: 8) { policy.sessionsPerApp = 1 }
        if random.chance(1, in: 6) { policy.transfersPerApp = 4 }
        if random.chance(1, in: 3) { policy.transfersAtOnce = 2 }
        if random.chance(1, in: 3) { policy.transferWindow = 2 }
        if random.chance(1, in: 2) { policy.fetchInterval = .seconds(300) }
        if random.chance(1, in: 3) { policy.fetchesAtOnce = 1 }
        if random.chance(1, in: 2) { policy.silentPushes = 1 }
        if random.chance(1, in: 2) { policy.notificationsPerApp = 3 }
        if random.chance(1, in: 3) { policy.deliveredPerApp = 2 }
        if seed % 2 == 0 { Self.tellApart(&policy) }
        if seed % 3 == 0 { policy.newsstandPeriod = .seconds(1800) }
        if seed % 4 == 1 { policy.fetchBudget = .seconds(10) }
        policy.liftsNewsstandThrottle = seed % 5 == 0
        policy.memorySignalsAdopted = seed % 3 == 1
        swarm = Swarm(drawnFrom: &random)
        world = World(seed: seed, policy: policy, manifests: manifests, keepsSteps: keepsSteps, ownCheck: ownCheck)
        world.faultRate = swarm.faults
        for entry in Downloads.catalogue { world.network.serve(entry.file, at: entry.url) }
        appCount = Int32(count)
        self.seed = seed
    }

    /// Many limits are the same by default: where each is a little longer than the one before, one in the place of
    /// another shows. Handlers still have all the time they may take before time is up.
    private static func tellApart(_ policy: inout Policy) {
        let limits: [WritableKeyPath<Policy, Nanoseconds>] = [
            \.launch, \.launchWarning, \.resignActive, \.enterBackground, \.enterForeground, \.terminate,
            \.expirationHandlers, \.otherCallback, \.backgroundTime, \.expirationLead, \.eventSlice, \.containerPause,
            \.adoptedBackgroundTime, \.freeze, \.reconnect, \.shutdown, \.shutdownGrace, \.sessionEvents,
            \.backgroundFetch, \.remoteNotification, \.adoptedExit,
        ]
        for (index, limit) in limits.enumerated() {
            policy[keyPath: limit] = policy[keyPath: limit] + .milliseconds(Int64(index + 1))
        }
    }

    private static func manifest(_ index: Int, random: inout RandomSource) -> AppManifest {
        guard let identifier = BundleIdentifier("org.example.app\(index + 1)") else {
            preconditionFailure("letters, digits and full stops only")
        }
        return AppManifest(
            identifier: identifier, executable: "app",
            backgroundModes: random.chance(1, in: 3)
                ? BackgroundMode.allCases.filter { index % 3 != 1 || $0 != .remoteNotification }
                : index % 3 == 2 ? [.location] : [.fetch, .location],
            taskIdentifiers: index % 4 == 3 ? [] : nil,
            exitsOnSuspend: random.chance(1, in: 8), usesScenes: random.chance(2, in: 3),
            isAdopted: random.chance(1, in: 8))
    }

    /// Runs all steps but those for which `isLeftOut` is true, then lets everything come to rest.
    mutating func run(steps: Int, without isLeftOut: (Int) -> Bool = { _ in false }) {
        for step in 0..<steps where world.violation == nil && !isLeftOut(step) {
            world.random = RandomSource(seed: seed, part: UInt64(step))
            if world.random.chance(1, in: 4) {
                act()
            } else if !world.step() {
                act()
            }
        }
        world.random = RandomSource(seed: seed, part: .max)
        comeToRest()
    }

    private mutating func act() {
        let app = AppID(1 + Int32(world.random.below(Int(appCount))))
        let act = swarm.act(drawnFrom: &world.random)
        switch act {
        case .open, .home, .forceQuit, .switchApp, .interrupt, .dismiss, .accept, .lock, .unlock, .input:
            use(act, app)
        case .wake: world.handle(.device(.wakeOccurred(app, wakeReason())))
        case .wakeForCall: world.handle(.device(.wakeOccurred(app, .voip)))
        case .push: world.handle(.concern(.notification(.pushArrived(app, notification()))))
        case .memoryShort: world.handle(.device(.memoryRanShort))
        case .memoryLow: world.handle(.device(.memoryRanLow))
        case .setting: world.handle(.device(.settingChanged(setting())))
        case .backgroundRefresh: world.handle(.device(.backgroundRefreshChanged(app, world.random.chance(2, in: 3))))
        case .install:
            // One that is gone does not come back: what is installed then has a number of its own.
            if world.device.snapshot(of: app) != nil {
                world.handle(.device(.appInstalled(app, Self.manifest(Int(app.rawValue) - 1, random: &world.random))))
            }
        case .uninstall: world.handle(.device(.appUninstalled(app)))
        case .network: world.setNetwork(pick([.none, .cellular, .wifi, .wifi]))
        case .outage: world.loseNetwork(for: Nanoseconds(world.random.span(upTo: 200_000_000_000)))
        case .fullDisk: world.fillDisk(for: Nanoseconds(world.random.span(upTo: 4_000_000_000_000)))
        case .fullStore: world.failStore(for: Nanoseconds(world.random.span(upTo: 120_000_000_000)))
        case .transferWish: wish()
        case .notification: world.useNotification(of: app)
        case .wait: world.advance(by: Nanoseconds(world.random.span(upTo: 60_000_000_000)))
        case .clock: world.setClock(by: Nanoseconds(world.random.span(upTo: 90_000_000_000_000_000)))
        case .sleep: world.fallAsleep(for: Nanoseconds(world.random.span(upTo: 3_600_000_000_000)))
        case .restart: world.restartSystem()
        case .death: world.diesNext = true
        case .reboot: if world.random.chance(1, in: 4) { world.reboot() }
        case .disconnection: world.breakConnection(of: app)
        case .standstill: standStill()
        case .outsideThaw: world.thawFromOutside(app)
        }
    }

    /// The loop stands still for a while, mostly a short one; the user may be impatient meanwhile.
    private mutating func standStill() {
        let span = Nanoseconds(world.random.span(upTo: 40_000_000_000))
        world.stopLoop()
        while world.random.chance(1, in: 3) {
            let act = pick([Act.open, .open, .home, .forceQuit, .switchApp, .lock, .unlock, .interrupt, .dismiss])
            use(act, AppID(1 + Int32(world.random.below(Int(appCount)))))
        }
        world.startLoop(after: span)
    }

    /// What the user does.
    private mutating func use(_ act: Act, _ app: AppID) {
        switch act {
        case .open: world.handle(.device(.appOpened(app)))
        case .home: world.handle(.device(.homePressed))
        case .forceQuit: world.handle(.device(.appForceQuit(app)))
        case .switchApp: world.handle(.device(.appSwitched(world.random.chance(1, in: 2) ? app : nil)))
        case .interrupt: world.handle(.device(.interruptionBegan(pick(Interruption.allCases))))
        case .dismiss: world.handle(.device(.interruptionDismissed))
        case .accept: world.handle(.device(.interruptionAccepted(world.random.chance(1, in: 2) ? app : nil)))
        case .lock: world.handle(.device(.deviceLocked))
        case .unlock: world.handle(.device(.deviceUnlocked))
        default: world.handle(.device(.inputOccurred(app, .touch(x: 1000, y: 1000))))
        }
    }

    /// What the user wants of one of the transfers.
    private mutating func wish() {
        let ids = world.device.transferIDs
        if !ids.isEmpty { world.handle(.concern(.transfer(.wished(pick(ids), pick(TransferWish.allCases))))) }
    }

    /// One of all of them now and then, else the one for which every app may be woken.
    private mutating func wakeReason() -> LaunchReason {
        world.random.chance(2, in: 5) ? pick(LaunchReason.allCases.filter(\.isEvent)) : .locationMonitoring
    }

    private mutating func notification() -> RemoteNotification {
        let isForPeople = world.random.chance(1, in: 4)
        let number = world.random.below(4)
        return RemoteNotification(
            payload: "{\"aps\":{},\"number\":\(number)}", isContentAvailable: world.random.chance(5, in: 6),
            presentation: isForPeople ? presentation(number) : nil)
    }

    /// An alert, with a sound of the app's, with a badge of zero; or a badge alone.
    private func presentation(_ number: Int) -> RemoteNotification.Presentation {
        var shown = LocalNotification()
        if number > 0 { shown.alertBody = "news \(number)" }
        if number == 1 { shown.sound = .named("news.caf") }
        return RemoteNotification.Presentation(shown, badge: [4, nil, 0, nil][number])
    }

    private mutating func setting() -> DeviceSetting {
        switch world.random.below(8) {
        case 0: .passcode(world.random.chance(2, in: 3))
        case 1: .backgroundRefresh(world.random.chance(3, in: 4))
        case 2: .lowPowerMode(world.random.chance(1, in: 2))
        case 3: .power(pick(PowerSource.allCases))
        case 4: .batteryLevel(Int32(world.random.below(101)))
        case 5: .metered(world.random.chance(1, in: 2))
        case 6: .lowDataMode(world.random.chance(1, in: 2))
        default: .autoLock(world.random.chance(1, in: 2) ? .seconds(30) : nil)
        }
    }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[world.random.below(choices.count)] }
}
