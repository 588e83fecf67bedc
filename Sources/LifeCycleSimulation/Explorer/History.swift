import LifeCycleModel
import LifeCyclePolicy

/// One random history: a phase with faults, then one without in which everything has to come to rest.
struct History {
    var world: World
    private let appCount: Int32

    init(seed: UInt64, policy: Policy) {
        var random = RandomSource(seed: seed ^ 0xA5A5_5A5A)
        let count = 2 + random.below(4)
        let manifests = (0..<count).map { Self.manifest($0, random: &random) }
        var policy = policy
        if random.chance(1, in: 4) { policy.wakeCallsDidEnterBackground = false }
        if random.chance(1, in: 4) { policy.forceQuitCallsWillTerminate = false }
        if random.chance(1, in: 6) { policy.taskCap = 2 }
        if random.chance(1, in: 4) { policy.requestBurst = 30 }
        world = World(seed: seed, policy: policy, manifests: manifests)
        appCount = Int32(count)
    }

    private static func manifest(_ index: Int, random: inout RandomSource) -> AppManifest {
        guard let identifier = BundleIdentifier("org.example.app\(index + 1)") else {
            preconditionFailure("letters, digits and full stops only")
        }
        return AppManifest(
            identifier: identifier, executable: "app",
            backgroundModes: random.chance(1, in: 3) ? BackgroundMode.allCases : [.fetch, .location],
            exitsOnSuspend: random.chance(1, in: 8), usesScenes: random.chance(2, in: 3),
            isAdopted: random.chance(1, in: 8))
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps where world.violation == nil {
            if world.random.chance(1, in: 4) {
                act()
            } else if !world.step() {
                act()
            }
        }
        comeToRest()
    }

    private mutating func act() {
        let app = AppID(1 + Int32(world.random.below(Int(appCount))))
        switch world.random.below(160) {
        case 100..<160: actOnDevice(app)
        case 0..<40: world.handle(.appOpened(app))
        case 40..<60: world.handle(.homePressed)
        case 60..<68: world.handle(.appForceQuit(app))
        case 68..<84: world.handle(.wakeOccurred(app, wakeReason()))
        case 84..<88: world.handle(.memoryRanShort)
        case 88..<90: world.restartSystem()
        case 90: world.diesNext = true
        case 91:
            // One that is gone does not come back: what is installed then has a number of its own.
            if world.device.snapshot(of: app) != nil {
                world.handle(.appInstalled(app, Self.manifest(Int(app.rawValue) - 1, random: &world.random)))
            }
        case 92: world.handle(.appUninstalled(app))
        default: world.advance(by: Nanoseconds(world.random.span(upTo: 60_000_000_000)))
        }
    }

    private mutating func actOnDevice(_ app: AppID) {
        switch world.random.below(60) {
        case 0..<8: world.handle(.interruptionBegan(pick(Interruption.allCases)))
        case 8..<13: world.handle(.interruptionDismissed)
        case 13..<16: world.handle(.interruptionAccepted(world.random.chance(1, in: 2) ? app : nil))
        case 16..<21: world.handle(.deviceLocked)
        case 21..<28: world.handle(.deviceUnlocked)
        case 28..<32: world.handle(.appSwitched(world.random.chance(1, in: 2) ? app : nil))
        case 32..<40: world.handle(.inputOccurred(app, .touch(x: 1000, y: 1000)))
        case 40..<43: world.handle(.memoryRanLow)
        case 43..<50: world.handle(.settingChanged(setting()))
        case 50..<52: world.handle(.backgroundRefreshChanged(app, world.random.chance(2, in: 3)))
        case 52: world.handle(.clockWasSet)
        case 53..<58: world.fallAsleep(for: Nanoseconds(world.random.span(upTo: 3_600_000_000_000)))
        case 58: if world.random.chance(1, in: 4) { world.reboot() }
        default: world.handle(.wakeOccurred(app, .voip))
        }
    }

    /// One of all of them now and then, else the one for which every app may be woken.
    private mutating func wakeReason() -> LaunchReason {
        world.random.chance(2, in: 5) ? pick(LaunchReason.allCases.filter { $0 != .user }) : .location
    }

    /// What the user does, and what happens, while the system or the device is shutting down.
    private mutating func actDuringShutdown() {
        let app = AppID(1 + Int32(world.random.below(Int(appCount))))
        world.handle(
            pick([
                .appOpened(app), .wakeOccurred(app, .location), .homePressed, .appSwitched(nil),
                .interruptionBegan(.call),
                .interruptionDismissed, .interruptionAccepted(nil), .deviceLocked, .deviceUnlocked, .appForceQuit(app),
                .inputOccurred(app, .touch(x: 1000, y: 1000)),
            ]))
    }

    private mutating func setting() -> DeviceSetting {
        switch world.random.below(6) {
        case 0: .passcode(world.random.chance(2, in: 3))
        case 1: .backgroundRefresh(world.random.chance(3, in: 4))
        case 2: .lowPowerMode(world.random.chance(1, in: 2))
        case 3: .power(pick(PowerSource.allCases))
        case 4: .batteryLevel(Int32(world.random.below(101)))
        default: .autoLock(world.random.chance(1, in: 2) ? .seconds(30) : nil)
        }
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[world.random.below(choices.count)] }

    /// Left alone, the app in front is active, inactive where it is interrupted, and behind the lock there is none.
    private mutating func restAsItIs() {
        world.advance(by: .seconds(3600))
        guard world.violation == nil else { return }
        let (front, isInterrupted) = (world.user.app, world.user.isInterrupted)
        if let finding = FrontIsHonoured.check(world.device.snapshots, front: front, isInterrupted: isInterrupted) {
            world.fail("the front is honoured", finding)
        }
    }

    /// Without faults, and left alone, every app ends suspended or not running within a bounded time.
    private mutating func comeToRest() {
        guard world.violation == nil else { return }
        world.areFaultsOn = false
        // The device stays unlocked by itself, and what interrupts the front is over.
        world.handle(.settingChanged(.autoLock(nil)))
        if world.random.chance(1, in: 2) { restAsItIs() }
        world.handle(.deviceUnlocked)
        world.handle(.interruptionDismissed)
        // Opened one after the other, before any can have come about: the last one that is installed is what the user
        // wants.
        for number in 1...appCount where world.random.chance(1, in: 2) { world.handle(.appOpened(AppID(number))) }
        world.handle(.appOpened(AppID(1 + Int32(world.random.below(Int(appCount))))))
        restAsItIs()
        guard world.violation == nil else { return }
        if let finding = NewsIsTold.check(world.told, device: world.device) { world.fail("news is told", finding) }
        world.handle(.homePressed)
        world.advance(by: .seconds(3600))
        guard world.violation == nil else { return }
        for app in world.device.snapshots where app.state != .suspended && app.state != .notRunning {
            world.fail("liveness", "\(app.record.app) is still \(app.state.name), held by \(app.assertions)")
        }
        world.handle(world.random.chance(1, in: 4) ? .deviceShutdownBegan : .shutdownBegan)
        while world.random.chance(3, in: 4) { actDuringShutdown() }
        world.advance(by: .seconds(60))
        if world.violation == nil, world.device.snapshots.contains(where: { $0.launch != nil }) {
            world.fail("liveness", "the shutdown does not come to an end")
        }
    }
}
