import LifeCycleModel
import LifeCyclePolicy
import Testing

extension EndToEnd {
    /// Whoever adds something that a person or the device can do has to say here what key does it.
    @Suite struct RunKeyTests {
        /// What brings an event about at the keys of `roost run`; nil for what no person and no device does by itself.
        private func key(for event: Event) -> Character? {
            switch event {
            case .appOpened: "o"
            case .appSwitched(nil): "s"
            case .appSwitched: "n"
            case .homePressed: "h"
            case .appForceQuit: "k"
            case .wakeOccurred: "b"
            case .memoryRanLow: "w"
            case .memoryRanShort: "m"
            case .interruptionBegan: "i"
            case .interruptionDismissed: "d"
            case .interruptionAccepted(nil): "a"
            case .interruptionAccepted: "g"
            case .deviceLocked: "l"
            case .deviceUnlocked: "u"
            case .settingChanged, .backgroundRefreshChanged: "p"
            case .inputOccurred(_, .text): "t"
            case .inputOccurred(_, .touch): "f"
            case .clockWasSet: "c"
            case .deviceShutdownBegan, .deviceStarted: "z"
            // The end of `roost run` itself.
            case .shutdownBegan: "q"
            // `roost run` is for one app, which it installs itself.
            case .appInstalled, .appUninstalled: nil
            case .processStarted, .processStartFailed, .processExited, .processFroze, .processThawed, .freezeFailed,
                .thawFailed,
                .footprintMeasured, .containerMeasured, .launchCutOff, .processFound, .appAttached, .appRequested,
                .networkChanged, .transferReported, .transferWished, .deviceTokenMade, .deadlineReached:
                nil
            // A payload is no matter of a key: `roost push`.
            case .pushArrived: nil
            case .notification(.tapped), .notification(.dismissed): "e"
            // Whether an app may is a matter of `roost notifications`.
            case .notification: nil
            }
        }

        private let acts: [Event] = {
            let app = AppID(1)
            return [
                .appOpened(app), .appSwitched(nil), .appSwitched(app), .homePressed, .appForceQuit(app),
                .wakeOccurred(app, .locationMonitoring), .memoryRanLow, .memoryRanShort, .interruptionBegan(.call),
                .interruptionDismissed, .interruptionAccepted(nil), .interruptionAccepted(app), .deviceLocked,
                .deviceUnlocked, .settingChanged(.passcode(true)), .backgroundRefreshChanged(app, true),
                .inputOccurred(app, .text("a")), .inputOccurred(app, .touch(x: 0, y: 0)), .clockWasSet,
                .deviceShutdownBegan, .deviceStarted, .shutdownBegan,
                .notification(.tapped(NotificationID(app: app, number: 1))),
            ]
        }()

        /// `?` shows exactly these, and the few that are two acts in one, and `p` offers every setting.
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
                    #expect(Set(shown) == Set(acts.compactMap(key)).union("ryv?"), "\(shown)")
                    #expect(shown.count == Set(shown).count)
                    try tmux.press("p")
                    let line = try tmux.untilStatus("passcode")
                    for setting in DeviceSetting.names { #expect(line.contains(" \(setting.name) "), "\(line)") }
                    #expect(line.contains(" for Counter"), "\(line)")
                    try tmux.press("Escape", "q")
                    #expect(try tmux.end(of: program) == 0)
                }
            }
        }
    }
}
