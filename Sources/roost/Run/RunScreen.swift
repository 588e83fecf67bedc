import LifeCycleModel
import RoostRuntime

/// Scrolling lines, and on a terminal a fixed status line below them.
final class RunScreen {
    /// The kind of a line.
    enum Kind: String {
        /// An action of the user.
        case you
        /// A callback to the app.
        case calls
        /// The app's state.
        case state
        /// The app's output.
        case output
        /// A notification.
        case bell
        /// Other decisions of the system.
        case system
        case problem

        fileprivate var color: Color? {
            switch self {
            case .you: .bold
            case .calls: .cyan
            case .state: .green
            case .output: nil
            case .bell: .bold
            case .system: .dim
            case .problem: .red
            }
        }
    }

    private let terminal: Terminal?
    /// Unwritten text, so that many lines need a single write.
    private var unwritten = ""
    private var status = ""
    /// The status that is on the screen.
    private var shown = ""

    init(terminal: Terminal?) { self.terminal = terminal }

    /// Adds a line with its time.
    func say(_ kind: Kind, _ text: String, at time: Nanoseconds = Moment.now.wall) {
        let label = kind.rawValue + String(repeating: " ", count: 7 - kind.rawValue.count)
        let line = "\(label)  \(Output.visible(text.replacing("\t", with: "    ")))"
        unwritten += "\(Color.dim.paint(Output.time(time)))  \(kind.color?.paint(line) ?? line)\n"
    }

    /// Adds a line, and rings the terminal's bell.
    func ring(_ text: String) {
        say(.bell, text)
        if terminal != nil { unwritten += "\u{7}" }
    }

    /// Adds a line without a time, such as help.
    func say(_ text: String) { unwritten += text + "\n" }

    /// Sets the status line.
    func setStatus(_ text: String) { status = text }

    /// Writes all changes. Called at the end of each iteration.
    func flush() {
        guard let terminal else {
            if !unwritten.isEmpty { writeOutput(unwritten) }
            unwritten = ""
            return
        }
        let columns = Terminal.size.columns
        // In the last column, many terminals move to the next line.
        let status = " \(status) ".shortened(to: columns - 1)
        guard !unwritten.isEmpty || status != shown else { return }
        terminal.write(erasing(columns) + unwritten + Color.reverse.paint(status))
        unwritten = ""
        shown = status
    }

    /// Redraws the status line, after the terminal was resized or used by another program.
    func redraw() {
        guard let terminal else { return }
        terminal.write(erasing(Terminal.size.columns))
        shown = ""
        flush()
    }

    /// Removes the status line.
    func close() {
        flush()
        guard let terminal else { return }
        terminal.write(erasing(Terminal.size.columns))
        shown = ""
    }

    /// Erases the status line. In a terminal that has become narrower, it covers several lines.
    private func erasing(_ columns: Int) -> String {
        let above = shown.isEmpty ? 0 : (shown.displayWidth - 1) / max(1, columns)
        return "\r" + (above > 0 ? "\u{1B}[\(above)A" : "") + "\u{1B}[J"
    }
}
