import Foundation
import LifeCycleModel
import LifeCyclePolicy
import Testing

extension EndToEnd {
    /// Every new action of the user or the device needs an entry here, with its key.
    @Suite struct RunKeyTests {
        /// The key of `roost run` that causes an event; nil if neither the user nor the device can cause it directly.
        private func key(for event: Event) -> Character? {
            switch event {
            case .device(.appOpened): "o"
            case .device(.appSwitched(nil)): "s"
            case .device(.appSwitched): "n"
            case .device(.homePressed): "h"
            case .device(.appForceQuit): "k"
            case .device(.wakeOccurred): "b"
            case .device(.memoryRanLow): "w"
            case .device(.memoryRanShort): "m"
            case .device(.interruptionBegan): "i"
            case .device(.interruptionDismissed): "d"
            case .device(.interruptionAccepted(nil)): "a"
            case .device(.interruptionAccepted): "g"
            case .device(.deviceLocked): "l"
            case .device(.deviceUnlocked): "u"
            case .device(.settingChanged), .device(.backgroundRefreshChanged): "p"
            case .device(.inputOccurred(_, .text)): "t"
            case .device(.inputOccurred(_, .touch)): "f"
            case .device(.clockWasSet): "c"
            case .device(.deviceShutdownBegan), .device(.deviceStarted): "z"
            // The end of `roost run` itself.
            case .device(.shutdownBegan): "q"
            // `roost run` is for one app, which the command installs itself.
            case .device(.appInstalled), .device(.appUninstalled): nil
            // Concerns have their own keys.
            case .device(.networkChanged), .device(.zoneChanged), .process, .app, .deadlineReached, .concern: nil
            // The kernel reports it.
            case .device(.clockStepped): nil
            }
        }

        private let acts: [Event] = {
            let app = AppID(1)
            return [
                .device(.appOpened(app)), .device(.appSwitched(nil)), .device(.appSwitched(app)), .device(.homePressed),
                .device(.appForceQuit(app)),
                .device(.wakeOccurred(app, .locationMonitoring)), .device(.memoryRanLow), .device(.memoryRanShort),
                .device(.interruptionBegan(.call)),
                .device(.interruptionDismissed), .device(.interruptionAccepted(nil)),
                .device(.interruptionAccepted(app)), .device(.deviceLocked),
                .device(.deviceUnlocked), .device(.settingChanged(.passcode(true))),
                .device(.backgroundRefreshChanged(app, true)),
                .device(.inputOccurred(app, .text("a"))), .device(.inputOccurred(app, .touch(x: 0, y: 0))),
                .device(.clockWasSet),
                .device(.deviceShutdownBegan), .device(.deviceStarted), .device(.shutdownBegan),
            ]
        }()

        /// The keys of the table in docs/cli.md.
        private func documented() throws -> Set<Character> {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let text = try String(contentsOf: root.appending(path: "../docs/cli.md"), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let start = try #require(lines.firstIndex { $0.hasPrefix("| key | what it does | key") })
            let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
            return Set(
                rows.flatMap { row in
                    let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
                        $0.drop { $0 == " " }
                    }
                    return [cells[1], cells[3]].flatMap {
                        $0.split(separator: ",").compactMap { $0.first { $0 != " " } }
                    }
                })
        }

        /// `?` shows exactly the documented keys, with a key for each action, and `p` offers every setting.
        @Test(.whereTmuxIs) func eachActHasAKey() throws {
            try TestSystem.run(starting: false) { system in
                try Tmux.run(in: system, columns: 240, rows: 60) { tmux in
                    let program = try tmux.start("run", try system.copyOfExample("Counter"))
                    try tmux.untilStatus("Counter · active")
                    try tmux.press("?")
                    try tmux.until("q  quit")
                    let shown = try tmux.screen().compactMap { line -> Character? in
                        guard line.hasPrefix("  "), line.dropFirst(3).hasPrefix("  ") else { return nil }
                        return line.dropFirst(2).first
                    }
                    #expect(try Set(shown) == documented(), "\(shown)")
                    #expect(Set(shown).isSuperset(of: acts.compactMap(key)), "\(shown)")
                    #expect(shown.count == Set(shown).count)
                    try tmux.press("p")
                    let line = try tmux.untilStatus("passcode")
                    for setting in DeviceSetting.names { #expect(line.contains(" \(setting.name) "), "\(line)") }
                    #expect(line.contains(" for Counter"), "\(line)")
                    // Pressed separately: a busy system would read both at once, as another key.
                    try tmux.press("Escape")
                    try tmux.untilStatus("Counter · active")
                    try tmux.press("q")
                    #expect(try tmux.end(of: program) == 0)
                }
            }
        }
    }
}
