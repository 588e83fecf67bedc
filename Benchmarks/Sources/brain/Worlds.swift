import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation

/// The busy virtual world, with a hundred apps.
struct Worlds {
    private var world: World
    private let apps: Int32
    private var dice = Dice(state: 7)

    private init(apps: Int32) {
        self.apps = apps
        world = World(
            seed: 7, policy: .iOS26, manifests: Self.manifests(of: apps), profiles: [.good], checks: false)
    }

    /// The manifests of this many apps, which may be woken for location events.
    static func manifests(of apps: Int32) -> [AppManifest] {
        (1...apps).compactMap { number in
            BundleIdentifier("org.example.app\(number)").map {
                AppManifest(identifier: $0, executable: "app", backgroundModes: [.location])
            }
        }
    }

    private mutating func anyApp() -> AppID { AppID(1 + Int32(dice.next(below: UInt64(apps)))) }

    private mutating func userActs() {
        world.handle(dice.next(below: 3) == 0 ? .device(.homePressed) : .device(.appOpened(anyApp())))
    }

    /// Events a second in an unchecked world with a hundred apps, over at least `count` events.
    static func rate(events count: Int) -> Double {
        var worlds = Worlds(apps: 100)
        let start = worlds.world.eventCount
        let time = ContinuousClock().measure {
            while worlds.world.eventCount - start < count {
                if worlds.dice.next(below: 4) == 0 {
                    worlds.world.handle(.device(.wakeOccurred(worlds.anyApp(), .locationMonitoring)))
                } else {
                    worlds.userActs()
                }
                worlds.world.advance(by: .milliseconds(Int64(worlds.dice.next(below: 5000))))
            }
        }
        return Double(worlds.world.eventCount - start) / seconds(time)
    }
}

/// Numbers that are the same in each run.
struct Dice {
    private var state: UInt64

    init(state: UInt64) { self.state = state }

    mutating func next(below bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}

func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
