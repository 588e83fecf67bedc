import LifeCycleModel
import LifeCyclePolicy

/// One random history: a phase with faults, then a phase without faults, in which everything must come to rest.
///
/// Each step draws its own random numbers, which depend only on the seed and the index of the step. If some steps are
/// left out, the others draw the same numbers.
struct History {
    var world: World
    private let seed: UInt64
    private let swarm: Swarm
    let appCount: Int32

    /// The history of `seed`. With `keepsSteps` the world records the brain's steps.
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
        // By default this time and the background time end together with the time of an event that began before them.
        policy.audioGrace = .milliseconds(4700)
        if seed % 2 == 0 { Self.tellApart(&policy) }
        if seed % 3 == 0 { policy.newsstandPeriod = .seconds(1800) }
        if seed % 4 == 1 { policy.fetchBudget = .seconds(10) }
        if seed % 7 == 3 {
            (policy.unproductiveFetches, policy.longFetch, policy.fetchLead) = (2, .seconds(3), .seconds(900))
            policy.lowBattery = 50
        }
        if seed % 3 == 2 { (policy.significantPause, policy.locationQueue) = (.seconds(20), 2) }
        if seed % 3 != 0 { (policy.locationPause, policy.locationPauseDistance) = (.seconds(3), 400_000) }
        if seed % 3 == 0 { policy.locationRequest = .seconds(2) }
        if seed % 3 != 1 { policy.regionDwell = .milliseconds(1) }
        if seed % 3 == 0 { policy.callAction = .seconds(5) }
        if seed % 5 < 2 { policy.voipMisses = 1 }
        policy.pushKitOvercomesForceQuit = seed % 7 != 0
        if seed % 3 == 1 { policy.voipSockets = 2 }
        if seed % 7 == 2 { policy.voipSocketsInAll = 1 }
        if seed % 4 < 2 { policy.voipWakes = 1 }
        if seed % 4 > 1 { policy.voipRelaunches = 1 }
        if seed % 7 == 5 { policy.voipPeriod = .seconds(30) }
        if seed % 11 < 3 { policy.keepAliveFloor = .seconds(100) }
        policy.liftsNewsstandThrottle = seed % 5 == 0
        policy.memorySignalsAdopted = seed % 3 == 1
        swarm = Swarm(drawnFrom: &random)
        world = World(seed: seed, policy: policy, manifests: manifests, keepsSteps: keepsSteps, ownCheck: ownCheck)
        world.faultRate = swarm.faults
        for entry in Downloads.catalog { world.network.serve(entry.file, at: entry.url) }
        appCount = Int32(count)
        self.seed = seed
    }

    /// Many limits are equal by default. Makes each limit a little longer than the limit before, so that using the
    /// wrong limit shows. The expiration handlers still get all their time before the background time ends.
    private static func tellApart(_ policy: inout Policy) {
        let limits: [WritableKeyPath<Policy, Nanoseconds>] = [
            \.launch, \.launchWarning, \.resignActive, \.enterBackground, \.enterForeground, \.terminate,
            \.expirationHandlers, \.otherCallback, \.backgroundTime, \.expirationLead, \.eventSlice, \.containerPause,
            \.adoptedBackgroundTime, \.freeze, \.reconnect, \.shutdown, \.shutdownGrace, \.sessionEvents,
            \.backgroundFetch, \.remoteNotification, \.adoptedExit, \.audioGrace, \.audioResumeWindow, \.voipPush,
            \.callAction, \.voipPeriod,
        ]
        for (index, limit) in limits.enumerated() {
            policy[keyPath: limit] = policy[keyPath: limit] + .milliseconds(Int64(index + 1))
        }
    }

    static func manifest(_ index: Int, random: inout RandomSource) -> AppManifest {
        guard let identifier = BundleIdentifier("org.example.app\(index + 1)") else {
            preconditionFailure("letters, digits and full stops only")
        }
        let own: [BackgroundMode] = index % 3 == 2 ? [.audio, .location] : [.fetch, .location]
        return AppManifest(
            identifier: identifier, executable: "app",
            backgroundModes: random.chance(1, in: 3)
                ? BackgroundMode.allCases.filter { index % 3 != 1 || $0 != .remoteNotification }
                : own + (index % 2 == 0 ? [.voip] : []),
            taskIdentifiers: index % 4 == 3 ? [] : nil,
            exitsOnSuspend: random.chance(1, in: 8), usesScenes: random.chance(2, in: 3),
            isAdopted: random.chance(1, in: 8))
    }

    /// Runs all steps except those for which `isLeftOut` is true, and then lets everything come to rest.
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
        swarm.act(drawnFrom: &world.random).perform(&self, app)
    }

    mutating func setting() -> DeviceSetting {
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

    mutating func span(upTo most: Int64) -> Nanoseconds { Nanoseconds(world.random.span(upTo: most)) }
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[world.random.below(choices.count)] }
}
