import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import RoostRuntime

/// Replays journals: the brain must produce the same effects and break no invariant.
struct JournalCheck {
    /// The result of one journal.
    struct Outcome {
        /// The reason why the replay stopped before the last line.
        enum Fault {
            /// The journal cannot be read.
            case unreadable(JournalProblem)
            /// The effects differ, or an invariant is broken.
            case differs(JournalReplay.Divergence, Event, line: Int, after: Nanoseconds)
        }

        /// The number of events that were replayed with the same effects, and the number of these effects.
        var (events, effects) = (0, 0)
        /// The number of the last line if it was truncated; nil otherwise.
        var cutOffLine: Int?
        var fault: Fault?
    }

    /// The number of events that were replayed with the same effects.
    private(set) var events = 0
    /// The findings, a sentence each.
    private(set) var findings: [String] = []

    /// Replays the journal at `path`, and adds its findings.
    mutating func run(_ path: String) {
        let outcome = Self.outcome(of: path)
        events += outcome.events
        switch outcome.fault {
        case .unreadable(let problem): findings.append("\(path):\(problem)")
        case .differs(let divergence, _, let line, _): findings.append("\(path):\(line): \(divergence)")
        case nil: break
        }
    }

    /// Replays the journal at `path` from its start, up to the first difference. `observer` is called with each event,
    /// its time, the time since the first event, the device after the event, and the effects.
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
                    outcome.fault = .differs(error, event, line: reader.line, after: now.elapsed - first.elapsed)
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
