import LifeCycleModel
import LifeCyclePolicy

/// An occurrence in a random history that is not an action of an app's process.
struct Act: Sendable {
    /// The frequency of the act, relative to the other acts.
    let weight: Int
    /// Whether every history has the act. Without time and without a user nothing happens.
    let isNeeded: Bool
    let perform: @Sendable (inout History, AppID) -> Void

    init(_ weight: Int, isNeeded: Bool = false, _ perform: @escaping @Sendable (inout History, AppID) -> Void) {
        (self.weight, self.isNeeded, self.perform) = (weight, isNeeded, perform)
    }

    static let all = user + device + faults + SimulatedConcerns.all.flatMap { $0.acts }

    // MARK: The user

    private static let open = Act(40, isNeeded: true) { $0.world.handle(.device(.appOpened($1))) }
    private static let home = Act(20) { history, _ in history.world.handle(.device(.homePressed)) }
    private static let forceQuit = Act(8) { $0.world.handle(.device(.appForceQuit($1))) }
    private static let switchApp = Act(4) { history, app in
        history.world.handle(.device(.appSwitched(history.world.random.chance(1, in: 2) ? app : nil)))
    }
    private static let interrupt = Act(8) { history, _ in
        history.world.handle(.device(.interruptionBegan(history.pick(Interruption.allCases))))
    }
    private static let dismiss = Act(5) { history, _ in history.world.handle(.device(.interruptionDismissed)) }
    private static let lock = Act(5) { history, _ in history.world.handle(.device(.deviceLocked)) }
    private static let unlock = Act(7) { history, _ in history.world.handle(.device(.deviceUnlocked)) }

    private static let user = [
        open, home, forceQuit, switchApp, interrupt, dismiss,
        Act(3) { history, app in
            history.world.handle(.device(.interruptionAccepted(history.world.random.chance(1, in: 2) ? app : nil)))
        },
        lock, unlock,
        Act(8) { $0.world.handle(.device(.inputOccurred($1, .touch(x: 1000, y: 1000)))) },
    ]

    // MARK: The device

    private static let device = [
        // Two wakes in five are for any event, the others for the event that may wake every app.
        Act(16) { history, app in
            let isAny = history.world.random.chance(2, in: 5)
            let reason = isAny ? history.pick(LaunchReason.allCases.filter(\.isEvent)) : .locationMonitoring
            history.world.handle(.device(.wakeOccurred(app, reason)))
        },
        Act(1) { $0.world.handle(.device(.wakeOccurred($1, .voip))) },
        Act(4) { history, _ in history.world.handle(.device(.memoryRanShort)) },
        Act(3) { history, _ in history.world.handle(.device(.memoryRanLow)) },
        Act(7) { history, _ in history.world.handle(.device(.settingChanged(history.setting()))) },
        Act(2) { history, app in
            history.world.handle(.device(.backgroundRefreshChanged(app, history.world.random.chance(2, in: 3))))
        },
        Act(1) { history, app in
            // An uninstalled app does not come back: an app that is installed later has a new number.
            guard history.world.device.snapshot(of: app) != nil else { return }
            let manifest = History.manifest(Int(app.rawValue) - 1, random: &history.world.random)
            history.world.handle(.device(.appInstalled(app, manifest)))
        },
        Act(1) { $0.world.handle(.device(.appUninstalled($1))) },
        Act(3) { history, _ in history.world.setNetwork(history.pick([.none, .cellular, .wifi, .wifi])) },
        Act(2) { history, _ in history.world.loseNetwork(for: history.span(upTo: 200_000_000_000)) },
        Act(2) { history, _ in history.world.fillDisk(for: history.span(upTo: 4_000_000_000_000)) },
        Act(2) { history, _ in history.world.failStore(for: history.span(upTo: 120_000_000_000)) },
    ]

    // MARK: Time, and the system

    private static let faults = [
        Act(7, isNeeded: true) { history, _ in history.world.advance(by: history.span(upTo: 60_000_000_000)) },
        Act(1) { history, _ in history.world.setClock(by: history.span(upTo: 90_000_000_000_000_000)) },
        Act(5) { history, _ in history.world.fallAsleep(for: history.span(upTo: 3_600_000_000_000)) },
        Act(2) { history, _ in history.world.restartSystem() },
        Act(1) { history, _ in history.world.diesNext = true },
        Act(1) { history, _ in if history.world.random.chance(1, in: 4) { history.world.reboot() } },
        Act(2) { $0.world.breakConnection(of: $1) },
        // The loop stalls, usually for a short time. The user may act meanwhile.
        Act(3) { history, _ in
            let span = history.span(upTo: 40_000_000_000)
            history.world.stopLoop()
            while history.world.random.chance(1, in: 3) {
                let act = history.pick([open, open, home, forceQuit, switchApp, lock, unlock, interrupt, dismiss])
                let app = AppID(1 + Int32(history.world.random.below(Int(history.appCount))))
                act.perform(&history, app)
            }
            history.world.startLoop(after: span)
        },
        Act(2) { $0.world.thawFromOutside($1) },
    ]
}
