import FoundationEssentials
import Glibc
import LifeCycleModel
import RoostRuntime
import RoostWire

/// Follows downloads: a table that is redrawn on a terminal, otherwise a line for each changed download.
struct TransferFollower {
    let state: StateOptions
    let app: BundleIdentifier?
    let json: Bool

    /// The engine reports progress twice a second.
    private static let pause = Nanoseconds.milliseconds(500)

    func run() throws {
        // No cleanup is needed if the reader goes away, or after Ctrl-C on a terminal.
        let isDrawn = !json && isatty(STDOUT_FILENO) == 1
        let client = try ControlClient(to: state)
        var seen: [String: TransferStatus] = [:]
        var drawn = 0
        while true {
            let transfers = try client.transfers(of: app)
            if isDrawn {
                drawn = draw(transfers, over: drawn)
            } else {
                for transfer in transfers where seen[transfer.id].map({ hasChanged(transfer, since: $0) }) ?? true {
                    try say(transfer)
                }
                seen = Dictionary(uniqueKeysWithValues: transfers.map { ($0.id, $0) })
            }
            guard transfers.contains(where: isMoving) else { return }
            try client.wait(Self.pause)
        }
    }

    /// Whether the transfer can progress without a user action.
    private func isMoving(_ transfer: TransferStatus) -> Bool {
        switch transfer.state {
        case "running", "moving": true
        case "waiting": transfer.wait != "suspended" && transfer.wait != "paused"
        default: false
        }
    }

    private func hasChanged(_ transfer: TransferStatus, since other: TransferStatus) -> Bool {
        transfer.state != other.state || transfer.received != other.received || transfer.wait != other.wait
    }

    private func say(_ transfer: TransferStatus) throws {
        if json {
            writeOutput(try Output.jsonLine(transfer) + "\n")
        } else {
            let parts = [
                Output.time(Moment.now.wall), transfer.id, transfer.app.rawValue,
                TransferTable.progress(of: transfer, withBar: false), TransferTable.state(of: transfer),
            ]
            writeOutput(parts.joined(separator: "  ") + "\n")
        }
    }

    /// Draws over the previous lines, `drawn` in number. Returns the new number of lines.
    private func draw(_ transfers: [TransferStatus], over drawn: Int) -> Int {
        let (columns, rows) = Terminal.size
        // If not all transfers fit, running transfers come first.
        let ordered =
            transfers.count + 2 > rows
            ? transfers.filter { $0.state == "running" } + transfers.filter { $0.state != "running" } : transfers
        let table = TransferTable.rows(Array(ordered.prefix(rows)), withBars: true)
        var lines =
            transfers.isEmpty
            ? ["there are no downloads"] : Output.table(table).split(separator: "\n").map(String.init)
        if lines.count > rows - 1 { lines = lines.prefix(max(1, rows - 2)) + ["… \(transfers.count) in all"] }
        var text = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        for line in lines { text += "\r" + line.shortened(to: columns) + "\u{1B}[K\n" }
        writeOutput(text + "\u{1B}[J")
        return lines.count
    }
}
