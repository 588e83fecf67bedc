import LifeCycleSimulation
import RoostPorts
import RoostRuntime

/// Runs journals again: the brain must decide the same, and break no invariant.
struct JournalCheck {
    /// How many events were run so far.
    private(set) var events = 0
    /// What was not as it should be, a sentence each.
    private(set) var findings: [String] = []

    /// Runs the journal at `path` from its start; stops at the first event that does not give the same.
    mutating func run(_ path: String) {
        var replay: JournalReplay?
        do {
            for entry in try JournalReader.entries(of: path) {
                switch entry {
                case .start(_, let device): replay = JournalReplay(start: device)
                case .turn(let now, let event, let effects):
                    try replay?.replay(event, at: now, recorded: effects)
                }
            }
        } catch let error as SystemError {
            findings.append(error.description)
        } catch {
            findings.append("\(path): \(error)")
        }
        events += replay?.eventCount ?? 0
    }
}
