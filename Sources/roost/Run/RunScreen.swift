import LifeCycleModel
import RoostRuntime

/// Lines that scroll by, and below them on a terminal one line that stays and says how things are.
final class RunScreen {
    /// What a line tells of.
    enum Kind: String {
        /// What the person at the keys did.
        case you
        /// What the app was told.
        case told
        /// The app's state.
        case state
        /// What the app printed.
        case output
        /// What a notification tells.
        case bell
        /// What else the system decided or did.
        case system
        /// What went wrong.
        case problem

        fileprivate var colour: Colour? {
            switch self {
            case .you: .bold
            case .told: .cyan
            case .state: .green
            case .output: nil
            case .bell: .bold
            case .system: .dim
            case .problem: .red
            }
        }
    }

    private let terminal: Terminal?
    /// What is not written yet, so that a flood of lines is one write.
    private var unwritten = ""
    private var status = ""
    /// The status as it stands on the screen now.
    private var shown = ""

    init(terminal: Terminal?) { self.terminal = terminal }

    /// A line, at its time.
    func say(_ kind: Kind, _ text: String, at time: Nanoseconds = Moment.now.wall) {
        let label = kind.rawValue + String(repeating: " ", count: 7 - kind.rawValue.count)
        let line = "\(label)  \(Output.visible(text.replacing("\t", with: "    ")))"
        unwritten += "\(Colour.dim.paint(Output.time(time)))  \(kind.colour?.paint(line) ?? line)\n"
    }

    /// A line for which the terminal's bell rings.
    func ring(_ text: String) {
        say(.bell, text)
        if terminal != nil { unwritten += "\u{7}" }
    }

    /// A line that is of no time, as help is.
    func say(_ text: String) { unwritten += text + "\n" }

    /// What the last line is to say.
    func setStatus(_ text: String) { status = text }

    /// Writes what has come. Called at the end of each turn.
    func flush() {
        guard let terminal else {
            if !unwritten.isEmpty { writeOutput(unwritten) }
            unwritten = ""
            return
        }
        let columns = Terminal.size.columns
        // In the last column many terminals go on to the next line.
        let status = " \(status) ".shortened(to: columns - 1)
        guard !unwritten.isEmpty || status != shown else { return }
        terminal.write(erasing(columns) + unwritten + Colour.reverse.paint(status))
        unwritten = ""
        shown = status
    }

    /// Draws anew what stays: the terminal has another size, or somebody else had it meanwhile.
    func redraw() {
        guard let terminal else { return }
        terminal.write(erasing(Terminal.size.columns))
        shown = ""
        flush()
    }

    /// Takes the last line away for good.
    func close() {
        flush()
        guard let terminal else { return }
        terminal.write(erasing(Terminal.size.columns))
        shown = ""
    }

    /// A terminal that has become narrower has wrapped the line over several.
    private func erasing(_ columns: Int) -> String {
        let above = shown.isEmpty ? 0 : (shown.displayWidth - 1) / max(1, columns)
        return "\r" + (above > 0 ? "\u{1B}[\(above)A" : "") + "\u{1B}[J"
    }
}
