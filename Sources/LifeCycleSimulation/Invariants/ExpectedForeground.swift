import LifeCycleModel
import LifeCyclePolicy

/// The app that the user sees or waits for, from the user's actions and the ends of launches. `ForegroundIsHonored` uses
/// it.
struct ExpectedForeground: Hashable, Sendable {
    /// nil on the home screen, and while the screen is locked.
    private(set) var app: AppID?
    /// The foreground app at the time of the lock, while it lives.
    private var beforeLock: AppID?
    private var isLocked = false
    /// Whether something interrupts the app.
    private(set) var isInterrupted = false
    /// In the order of their last use.
    private var switcher: [AppID] = []
    /// For look-up only, so the order does not matter.
    private var installed: Set<AppID> = []
    private var ending: Set<AppID> = []
    /// Prewarmed launches (T28), and below them the ending apps that were only prewarmed. No prewarmed launch has a
    /// record. The end of a prewarmed launch is not reported if the system is restarted first.
    private var prewarmed: Set<LaunchID> = []
    private var endingUnrecorded: Set<AppID> = []
    /// The app that was opened while it was ending. The app has to come back, if the user stays with it.
    private var openedAgain: AppID?

    /// A request to reopen an ending app has no record. After a restart, a user who waited for it is on the home
    /// screen.
    mutating func systemRestarted() {
        if let openedAgain { leave(openedAgain) }
        openedAgain = nil
        ending.subtract(endingUnrecorded)
        endingUnrecorded = []
        prewarmed = []
    }

    mutating func note(_ event: Event, _ effects: [Effect]) {
        let isRefused = effects.contains { effect in
            switch effect {
            case .decided(.device(.actRefused)), .decided(.app(_, .wakeRefused(.user, _))): true
            default: false
            }
        }
        switch event {
        case .device(.appInstalled(let id, _)): installed.insert(id)
        case .device(.appUninstalled(let id)):
            installed.remove(id)
            switcher.removeAll { $0 == id }
            leave(id)
        case .device(.appOpened(let id)): if !isRefused { open(id) }
        case .device(.appSwitched(let id)):
            if !isRefused, let id = id ?? switcher.last(where: { $0 != app }) { open(id) }
        case .device(.interruptionAccepted(let id)):
            if !isRefused, isInterrupted { if let id { open(id) } else { app = nil } }
        case .concern(.notification(.tapped(let id))):
            if effects.contains(.decided(.concern(.notification(.answered(id, .tapped))))) { open(id.app) }
        case .device(.homePressed): if !isRefused { app = nil }
        case .device(.appForceQuit(let id)):
            switcher.removeAll { $0 == id }
            leave(id)
        case .device(.deviceStarted):
            app = nil
            beforeLock = nil
            isInterrupted = false
            ending = []
        default: break
        }
        if openedAgain != app { openedAgain = nil }
        for case .decided(let decision) in effects { note(decision, effects) }
    }

    private mutating func note(_ decision: Decision, _ effects: [Effect]) {
        switch decision {
        case .launch(_, .interrupted): isInterrupted = true
        case .launch(_, .interruptionEnded): isInterrupted = false
        case .device(.locked):
            beforeLock = app
            app = nil
            isLocked = true
        case .device(.unlocked):
            isLocked = false
            if let beforeLock, !ending.contains(beforeLock) { open(beforeLock) }
            beforeLock = nil
        case .launch(let launch, .prewarmed): prewarmed.insert(launch)
        case .launch(let launch, .launched(_)): prewarmed.remove(launch)
        case .launch(let launch, .terminating(_, _)):
            ending.insert(launch.app)
            if prewarmed.contains(launch) { endingUnrecorded.insert(launch.app) }
        case .launch(let launch, .ended(_, _)):
            ending.remove(launch.app)
            endingUnrecorded.remove(launch.app)
            // The end of an app leaves the user on the home screen. The cause does not matter; it may be an update. If
            // the app was opened again meanwhile, it comes back at once.
            let isBack = Self.isLaunched(launch.app, by: effects)
            if !isBack, openedAgain != launch.app { leave(launch.app) }
            if isBack, openedAgain == launch.app { openedAgain = nil }
        default: break
        }
    }

    private mutating func open(_ id: AppID) {
        guard installed.contains(id) else { return }
        app = id
        openedAgain = ending.contains(id) ? id : nil
        switcher.removeAll { $0 == id }
        switcher.append(id)
    }

    private mutating func leave(_ id: AppID) {
        if app == id {
            app = nil
            isInterrupted = false
        }
        if beforeLock == id { beforeLock = nil }
    }

    private static func isLaunched(_ id: AppID, by effects: [Effect]) -> Bool {
        effects.contains { effect in
            if case .launch(let launch, .start(.user)) = effect { launch.app == id } else { false }
        }
    }
}
