import Glibc
import LifeCycleModel
import LifeCyclePolicy

// Nanoseconds for each event in the brain with 1, 100 and 10,000 apps. The yardstick in the same run is an update of a
// dictionary with integer keys for each event. Rounds are interleaved, and the best of each is printed.

let clock = ContinuousClock()
let count = 400_000
let rounds = 5

func rate(_ work: () -> Void) -> Double {
    Double(count) / seconds(clock.measure(work))
}

// One round, for a benchmark that alternates with another program: the world, the brain alone, and the week.
if CommandLine.arguments.dropFirst().first == "world" {
    let recording = Recording(apps: 100, events: count)
    var device = recording.start
    var effects: [Effect] = []
    let brain = rate {
        for (event, now) in recording.events.prefix(count) {
            effects.removeAll(keepingCapacity: true)
            device.handle(event, at: now, into: &effects)
        }
    }
    let week = try (unchecked: Week.run(checks: false), checked: Week.run(checks: true))
    let counts = week.unchecked.counts
    print("world=\(Int(Worlds.rate(events: count))) brain=\(Int(brain))", terminator: " ")
    print("week=\(week.unchecked.seconds) checked=\(week.checked.seconds)", terminator: " ")
    print("events=\(counts.events) acts=\(counts.userActs) tasks=\(counts.tasks)", terminator: " ")
    print("wakes=\(counts.wakes) locks=\(counts.locks)")
    exit(0)
}

// The cost of local notifications, for 1,000 and for 32,000.
if CommandLine.arguments.dropFirst().first == "notifications" {
    measureNotifications()
    exit(0)
}

for apps: Int32 in [1, 100, 10_000] {
    let recording = Recording(apps: apps, events: count)
    var best = (brain: 0.0, yardstick: 0.0)
    for _ in 0..<rounds {
        var device = recording.start
        var effects: [Effect] = []
        let brain = rate {
            for (event, now) in recording.events.prefix(count) {
                effects.removeAll(keepingCapacity: true)
                device.handle(event, at: now, into: &effects)
            }
        }
        var table: [Int32: Int] = [:]
        let yardstick = rate {
            for index in 0..<count { table[Int32(truncatingIfNeeded: index &* 7919) % apps, default: 0] += index }
        }
        best = (max(best.brain, brain), max(best.yardstick, yardstick))
        guard device.snapshot(of: AppID(1)) != nil, !table.isEmpty else { fatalError("nothing was measured") }
    }
    // Nanoseconds for each event.
    print("apps=\(apps) brain=\(Int(1e9 / best.brain)) table=\(1e9 / best.yardstick)")
}
