import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The virtual world at work: so many events with a hundred apps, and a week of a phone.
struct Worlds {
    private var world: World
    private let apps: Int32
    private var random: UInt64 = 7

    private init(apps: Int32, checks: Bool) {
        self.apps = apps
        let manifests = (1...apps).compactMap { number in
            BundleIdentifier("org.example.app\(number)").map {
                AppManifest(identifier: $0, executable: "app", backgroundModes: [.location])
            }
        }
        world = World(seed: 7, policy: .iOS26, manifests: manifests, tempers: [.good], checks: checks)
    }

    private mutating func next(below bound: UInt64) -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (random >> 33) % bound
    }

    private mutating func anyApp() -> AppID { AppID(1 + Int32(next(below: UInt64(apps)))) }

    private mutating func userActs() { world.handle(next(below: 3) == 0 ? .homePressed : .appOpened(anyApp())) }

    /// Events a second in a world of a hundred apps that is not checked, until there were `count`.
    static func rate(events count: Int) -> Double {
        var worlds = Worlds(apps: 100, checks: false)
        let start = worlds.world.eventCount
        let time = ContinuousClock().measure {
            while worlds.world.eventCount - start < count {
                if worlds.next(below: 4) == 0 {
                    worlds.world.handle(.wakeOccurred(worlds.anyApp(), .location))
                } else {
                    worlds.userActs()
                }
                worlds.world.advance(by: .milliseconds(Int64(worlds.next(below: 5000))))
            }
        }
        return Double(worlds.world.eventCount - start) / seconds(time)
    }

    /// A week with 50 apps: each day 300 acts of the user, 60 wakes, 40 openings for work to be done, and a lock every
    /// ten minutes, which the user opens again half a minute later; apps begin far more than 40 tasks meanwhile. Gives the events, the tasks an app was granted, and the seconds it took.
    static func week(checks: Bool) -> (events: Int, tasks: Int, seconds: Double) {
        var worlds = Worlds(apps: 50, checks: checks)
        let acts = worlds.acts(days: 7)
        let tasks = Tally()
        worlds.world.observer = { _, _, effects in
            for case .decided(.taskGranted) in effects { tasks.count += 1 }
        }
        let begin = worlds.world.now.awake
        let time = ContinuousClock().measure {
            for act in acts {
                worlds.world.advance(by: begin + act.at - worlds.world.now.awake)
                worlds.perform(act.kind)
            }
        }
        guard worlds.world.violation == nil else { fatalError("an invariant was broken") }
        return (worlds.world.eventCount, tasks.count, seconds(time))
    }

    private enum Act { case user, wake, task, lock, unlock }

    private mutating func acts(days: Int64) -> [(at: Nanoseconds, kind: Act)] {
        var acts: [(at: Nanoseconds, kind: Act)] = []
        for day in 0..<days {
            for (kind, count) in [(Act.user, 300), (.wake, 60), (.task, 40)] {
                for _ in 0..<count {
                    acts.append((.seconds(day * 86400) + .milliseconds(Int64(next(below: 86_400_000))), kind))
                }
            }
            for lock in 0..<Int64(144) {
                let at = Nanoseconds.seconds(day * 86400 + lock * 600)
                acts += [(at, .lock), (at + .seconds(30), .unlock)]
            }
        }
        return acts.sorted { $0.at < $1.at }
    }

    private mutating func perform(_ act: Act) {
        switch act {
        case .user: userActs()
        case .wake: world.handle(.wakeOccurred(anyApp(), .location))
        // An app that is opened and left begins one, now and then.
        case .task:
            world.handle(.appOpened(anyApp()))
            world.advance(by: .seconds(2))
            world.handle(.homePressed)
        case .lock: world.handle(.deviceLocked)
        case .unlock: world.handle(.deviceUnlocked)
        }
    }
}

/// Counted by an observer, which is called on this thread alone.
private final class Tally: @unchecked Sendable { var count = 0 }

func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
