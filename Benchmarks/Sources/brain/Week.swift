import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import Synchronization

/// A phone's week with 50 apps. Each day has:
/// - 300 actions of the user
/// - 40 times a foreground app that begins a task and is left
/// - 60 wakes
/// - a lock of the screen every ten minutes, and an unlock half a minute later
struct Week {
    /// The counts of events and decisions.
    struct Counts {
        var events = 0
        var userActs = 0
        var tasks = 0
        var wakes = 0
        var locks = 0
    }

    private enum Act {
        /// The user opens an app, or leaves the foreground app.
        case use
        /// The user opens an app that begins a task, and leaves it: two actions.
        case work
        case wake, lock, unlock
    }

    private static let days: Int64 = 7
    private static let locksADay: Int64 = 144
    private static let userActsADay = 300
    private static let tasksADay = 40
    private static let wakesADay = 60
    private static let apps: Int32 = 50

    private var world: World
    private var dice = Dice(state: 7)
    private let tally = Tally()
    private var userActsToday = 0

    private init(checks: Bool) {
        // Only the plan of the day begins tasks.
        var profile = BehaviorProfile.good
        profile.begins = 0
        world = World(
            seed: 7, policy: .iOS26, manifests: Worlds.manifests(of: Self.apps), profiles: [profile], checks: checks)
        world.observer = tally.note
    }

    /// Returns the counts of a week, and the seconds that it took. Throws a violation.
    static func run(checks: Bool) throws -> (counts: Counts, seconds: Double) {
        var week = Week(checks: checks)
        let plan = (0..<days).map { _ in week.plannedDay() }
        let begin = week.world.now.awake
        let time = try ContinuousClock().measure {
            for (day, acts) in plan.enumerated() {
                week.userActsToday = 0
                for act in acts { try week.perform(act.kind, at: begin + .seconds(Int64(day) * 86400) + act.at) }
            }
        }
        if let violation = week.world.violation { throw violation }
        var counts = week.tally.counts
        counts.events = week.world.eventCount
        return (counts, seconds(time))
    }

    private mutating func plannedDay() -> [(at: Nanoseconds, kind: Act)] {
        var acts: [(at: Nanoseconds, kind: Act)] = []
        for (kind, count) in [(Act.use, Self.userActsADay - 2 * Self.tasksADay), (.work, Self.tasksADay)] {
            for _ in 0..<count {
                // Between two locks, with enough time to leave the app before the next lock.
                let tenMinutes = Int64(dice.next(below: UInt64(Self.locksADay)))
                let within = Nanoseconds.milliseconds(31_000 + Int64(dice.next(below: 550_000)))
                acts.append((.seconds(tenMinutes * 600) + within, kind))
            }
        }
        for _ in 0..<Self.wakesADay { acts.append((.milliseconds(Int64(dice.next(below: 86_400_000))), .wake)) }
        for lock in 0..<Self.locksADay {
            acts += [(.seconds(lock * 600), .lock), (.seconds(lock * 600 + 30), .unlock)]
        }
        return acts.sorted { $0.at < $1.at }
    }

    private mutating func perform(_ act: Act, at time: Nanoseconds) throws {
        world.advance(by: max(.zero, time - world.now.awake))
        switch act {
        case .use: use()
        case .work: try work()
        case .wake:
            world.handle(
                .device(.wakeOccurred(AppID(1 + Int32(dice.next(below: UInt64(Self.apps)))), .locationMonitoring)))
        case .lock: world.handle(.device(.deviceLocked))
        case .unlock: world.handle(.device(.deviceUnlocked))
        }
    }

    private mutating func use() {
        // Actions that were repeated for a failed launch are saved here.
        guard userActsToday < Self.userActsADay else { return }
        if world.device.foregroundApp != nil, dice.next(below: 3) == 0 {
            userActs(.device(.homePressed))
        } else {
            userActs(.device(.appOpened(appBehind())))
        }
    }

    /// In the virtual world a launch may fail, and an app may hang. The user then opens another app.
    private mutating func work() throws {
        let granted = tally.counts.tasks
        while world.violation == nil, tally.counts.tasks == granted {
            let app = appBehind()
            userActs(.device(.appOpened(app)))
            world.advance(by: .seconds(2))
            do {
                try world.act(.begin("work", ends: .seconds(20), hasHandler: true), of: app)
            } catch .notRunning {
                continue
            }
            userActs(.device(.homePressed))
            world.advance(by: .seconds(1))
        }
    }

    private mutating func userActs(_ event: Event) {
        userActsToday += 1
        world.handle(event)
    }

    /// Any app but the foreground app.
    private mutating func appBehind() -> AppID {
        while true {
            let app = AppID(1 + Int32(dice.next(below: UInt64(Self.apps))))
            if app != world.device.foregroundApp { return app }
        }
    }
}

/// Counts the events and the brain's decisions.
private final class Tally: Sendable {
    private let counted = Mutex(Week.Counts())

    var counts: Week.Counts { counted.withLock { $0 } }

    func note(_ event: Event, at _: Moment, _ effects: [Effect]) {
        counted.withLock { counts in
            switch event {
            case .device(.appOpened), .device(.homePressed): counts.userActs += 1
            case .device(.wakeOccurred): counts.wakes += 1
            case .device(.deviceLocked): counts.locks += 1
            default: break
            }
            for case .decided(.launch(_, .taskGranted)) in effects { counts.tasks += 1 }
        }
    }
}
