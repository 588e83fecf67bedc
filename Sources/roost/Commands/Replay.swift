import ArgumentParser
import LifeCycleModel
import LifeCyclePolicy
import LifeCycleSimulation
import LifeCycleText
import RoostRuntime

/// Replays recorded journals.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run the journals of a system again, and check that the same effects come out.",
        discussion: """
            A journal holds the device's state at the system's start, and each event with the effects it had. Replayed by \
            the rules of this version, each event must have the same effects and break no invariant. At the first difference, \
            replay prints the event, the recorded effects (-) and the effects now (+). A last line that a loss of power \
            cut off is reported and is not an error.

            Without an argument, the system's own journals are replayed, oldest first. The system need not run, and nothing \
            is changed.

            Exit codes: 0 all effects are as recorded; 1 an event had other effects, or an invariant was broken; 2 a file \
            cannot be read or is not a valid journal. The message begins with the file, the line and the column.
            """)

    @Argument(
        help: ArgumentHelp("The journals, each run from its own start.", valueName: "journal"),
        completion: .file(extensions: ["jsonl"]))
    var journals: [String] = []
    @OptionGroup var state: StateOptions
    @Flag(help: "Print each event, and the decisions.")
    var trace = false

    func validate() throws {
        if !journals.isEmpty, state.directory != nil {
            throw ValidationError("name journals or a state directory, not both")
        }
    }

    func run() throws {
        var (differs, unreadable) = (false, false)
        for path in try files() {
            let outcome = JournalCheck.outcome(of: path) { event, now, after, device, effects in
                if trace { tell(event, now, after, device, effects) }
            }
            let name = Output.visible(path)
            let count = "\(outcome.events) events, \(outcome.effects) effects"
            switch outcome.fault {
            case .unreadable(let problem):
                unreadable = true
                writeError("\(name):\(Output.visible("\(problem)"))\n")
            case .differs(let divergence, let event, let line, let after):
                differs = true
                print("differs  \(name): \(count), as recorded until line \(line)")
                let place = "\(name):\(line):1: error: event \(outcome.events + 1), \(after) from the beginning, "
                writeError(place + words(of: divergence, at: event) + "\n")
                for difference in divergence.differences { writeError("  \(Output.visible(difference))\n") }
            case nil:
                let cutOff = outcome.cutOffLine.map { "cut off in line \($0), which a loss of power does: " } ?? ""
                print("ok  \(name): \(cutOff)\(count), as recorded")
            }
        }
        if unreadable || differs { throw ExitCode(unreadable ? 2 : 1) }
    }

    private func files() throws -> [String] {
        guard journals.isEmpty else { return journals }
        try state.check()
        let files = Journal.files(in: state.path + "/journal")
        guard !files.isEmpty else { throw Failure.failed("there is no journal in \(state.path)/journal") }
        return files
    }

    private func words(of divergence: JournalReplay.Divergence, at event: Event) -> String {
        switch divergence {
        case .differs: "has other effects: \(Output.visible(JournalReplay.words(event)))"
        case .broken(let violation):
            "breaks an invariant: \(Output.visible(JournalReplay.words(event)))\n  \(Output.visible("\(violation)"))"
        }
    }

    private func tell(_ event: Event, _ now: Moment, _ after: Nanoseconds, _ device: Device, _ effects: [Effect]) {
        print("\(Output.time(now.wall))  +\(after)  \(Output.visible(JournalReplay.words(event)))")
        for case .decided(let decision) in effects {
            let app = decision.app.map { app in
                device.snapshot(of: app).map { "\($0.record.manifest.identifier)" } ?? "\(app)"
            }
            let (kind, text) = DecisionText.kindAndText(decision, at: now)
            let cells = [app, kind, Output.visible(text), DecisionText.rule(of: decision)].compactMap { $0 }
            print("    " + cells.joined(separator: "  "))
        }
    }
}
