import Glibc
import LifeCycleSimulation

// Plays five histories of one kind through the brain, for scripts/instructions to count: `instructions KIND EVENTS`.
// Each history has at least EVENTS events; the program prints the total.

func fail(_ message: String, code: Int32) -> Never {
    let line = "instructions: \(message)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, let kind = EventRecording.Kind(rawValue: arguments[0]), let count = Int(arguments[1]),
    (1...1_000_000).contains(count)
else {
    let kinds = EventRecording.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    fail("expected a kind (\(kinds)) and a number of events from 1 to 1000000", code: 2)
}
var events = 0
// The events of another seed cost up to 5 % more or less; the mean of five seeds varies less.
for seed in UInt64(1)...5 {
    let recording = EventRecording(kind, seed: seed, events: count)
    guard recording.play() == recording.end else {
        fail("the recording with seed \(seed) leads to another device when it is played again", code: 1)
    }
    events += recording.events.count
}
print(events)
