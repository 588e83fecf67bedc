import LifeCycleModel
import LifeCycleText
import RoostRuntime
import RoostWire

/// The table of downloads for `transfers`.
enum TransferTable {
    static let head = ["ID", "APP", "PROGRESS", "SIZE", "SPEED", "STATE", "SINCE", "URL"]
    private static let barLength: Int64 = 20

    /// The header, and a row for each download, optionally with a bar.
    static func rows(_ transfers: [TransferStatus], withBars: Bool = false, at now: Nanoseconds? = nil) -> [[String]] {
        let now = now ?? Moment.now.wall
        return [head]
            + transfers.map { transfer in
                [
                    transfer.id, transfer.app.rawValue, progress(of: transfer, withBar: withBars), size(of: transfer),
                    transfer.rate.map { SizeText.text($0) + "/s" } ?? "-", state(of: transfer),
                    length(now - transfer.since), Output.visible(transfer.url),
                ]
            }
    }

    /// `47 %`, optionally after a bar; `-` if the length is unknown.
    static func progress(of transfer: TransferStatus, withBar: Bool) -> String {
        guard let expected = transfer.expected, expected > 0 else { return "-" }
        // A floating-point division cannot overflow.
        let share = Double(min(transfer.received, expected)) / Double(expected)
        let percent = Int64(share * 100)
        let digits = String(percent)
        let number = String(repeating: " ", count: max(0, 3 - digits.count)) + digits + " %"
        guard withBar else { return number }
        let full = Int(share * Double(barLength))
        return String(repeating: "█", count: full) + String(repeating: "░", count: Int(barLength) - full) + " " + number
    }

    private static func size(of transfer: TransferStatus) -> String {
        let received = SizeText.text(transfer.received)
        guard let expected = transfer.expected else { return received }
        return transfer.received == expected ? received : "\(received) of \(SizeText.text(expected))"
    }

    /// The state, and the reason for waiting.
    static func state(of transfer: TransferStatus) -> String {
        switch transfer.state {
        case "running": "downloading"
        case "moving": transfer.waitsFor.map { "waits for \($0)" } ?? "being moved to the app"
        case "delivering":
            transfer.failure.map { "failed; the app has yet to be notified: \(Output.visible($0))" }
                ?? "done; the app has yet to be notified"
        case "retained": "partial file, for the app to resume"
        default: transfer.waitsFor.map { "waits for \($0)" } ?? transfer.state
        }
    }

    /// `3 h 20 min`: the two largest units.
    static func length(_ time: Nanoseconds) -> String {
        let seconds = max(0, time.rawValue / 1_000_000_000)
        return switch seconds {
        case 86_400...: "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
        case 3600...: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        case 60...: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(seconds) s"
        }
    }
}
