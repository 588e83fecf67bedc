import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import RoostRuntime

/// Runs journals again: the brain must decide the same, and break no invariant.
struct JournalCheck {
    /// What came of one journal.
    struct Outcome {
        /// How it ended before its last line.
        enum Fault {
            /// It cannot be read.
            case unreadable(JournalProblem)
            /// The brain did something else, or broke an invariant.
            case parted(JournalReplay.Divergence, Event, line: Int, after: Nanoseconds)
        }

        /// How many events gave the same, and how many effects those were.
        var (events, effects) = (0, 0)
        /// The last line, where it was cut off.
        var cutOffLine: Int?
        var fault: Fault?
    }

    /// How many events gave the same so far.
    private(set) var events = 0
    /// What was not as it should be, a sentence each.
    private(set) var findings: [String] = []

    /// Runs the journal at `path`, and keeps what it finds.
    mutating func run(_ path: String) {
        let outcome = Self.outcome(of: path)
        events += outcome.events
        switch outcome.fault {
        case .unreadable(let problem): findings.append("\(path):\(problem)")
        case .parted(let divergence, _, let line, _): findings.append("\(path):\(line): \(divergence)")
        case nil: break
        }
    }

    /// Runs the journal at `path` from its start; stops at the first event that does not give the same. `observer` is
    /// given each event with its time since the first, the device as it is then, and what it came to.
    static func outcome(
        of path: String, observer: (Event, Moment, Nanoseconds, Device, [Effect]) -> Void = { _, _, _, _, _ in }
    ) -> Outcome {
        var outcome = Outcome()
        do throws(JournalProblem) {
            let reader = try JournalReader(path: path)
            var replay = JournalReplay(start: try reader.start())
            var began: Moment?
            while case .turn(let now, let event, let effects)? = try reader.turn() {
                let first = began ?? now
                began = first
                do throws(JournalReplay.Divergence) {
                    try replay.replay(event, at: now, recorded: effects)
                } catch {
                    outcome.fault = .parted(error, event, line: reader.line, after: now.elapsed - first.elapsed)
                    return outcome
                }
                outcome.events += 1
                outcome.effects += effects.count
                observer(event, now, now.elapsed - first.elapsed, replay.device, effects)
            }
            outcome.cutOffLine = reader.cutOffLine
        } catch {
            outcome.fault = .unreadable(error)
        }
        return outcome
    }
}
