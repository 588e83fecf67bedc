import CFreeze
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts

// `freezer VICTIM LOG`: freezes and thaws processes by Roost's adapter and by plain C, in turns, on the same cgroups.
// Prints the medians of each round in nanoseconds.

let rounds = 5

func fail(_ problem: String) -> Never {
    let line = [UInt8]("freezer: \(problem)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

guard CommandLine.arguments.count == 3 else { fail("usage: freezer VICTIM LOG") }
do {
    let farm = try Farm(victim: CommandLine.arguments[1], log: CommandLine.arguments[2])
    defer { farm.end() }
    for threads in [1, 8, 64] {
        let victim = try farm.start(threads: threads)
        for _ in 0..<rounds {
            var samples = Samples()
            for _ in 0..<100 { try victim.takeTurns(&samples) }
            samples.print(["freeze\(threads)": \.freeze, "thaw\(threads)": \.thaw])
            // Only the freeze counts here: the kernel reports a change 10 ms after the one before.
            guard threads == 1 else { continue }
            var again = Samples()
            for _ in 0..<20 { try victim.takeTurns(&again, pause: 3_000) }
            again.print(["refreeze": \.freeze])
        }
        try farm.end(victim)
    }
    var victims: [Victim] = []
    for _ in 0..<100 { victims.append(try farm.start(threads: 0)) }
    for _ in 0..<rounds {
        var samples = Samples()
        for _ in 0..<5 {
            samples.add(\.freeze, roost: try victims.map { try $0.freeze() }.reduce(0, +))
            for victim in victims { try victim.thaw() }
            usleep(20_000)
            samples.add(\.freeze, c: try victims.map { try $0.freezeInC() }.reduce(0, +))
            for victim in victims { try victim.thawInC() }
            usleep(20_000)
        }
        samples.print(["apps": \.freeze])
    }
} catch {
    fail("\(error)")
}
