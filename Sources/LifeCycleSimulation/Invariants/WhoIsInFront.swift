import LifeCycleModel
import LifeCyclePolicy

/// The app the user sees or waits for, told from what they did and which launches ended: what `FrontIsHonoured` goes by.
struct WhoIsInFront: Hashable, Sendable {
    /// Nil on the home screen.
    private(set) var app: AppID?
    /// In no order that matters: looked up only.
    private var installed: Set<AppID> = []

    mutating func note(_ event: Event, _ effects: [Effect]) {
        switch event {
        case .appInstalled(let id, _): installed.insert(id)
        case .appUninstalled(let id):
            installed.remove(id)
            leave(id)
        case .appOpened(let id): if installed.contains(id) { app = id }
        case .homePressed: app = nil
        case .appForceQuit(let id): leave(id)
        default: break
        }
        // One that ends leaves the user nowhere, however it came to its end (installed over itself, say), unless it
        // was opened again meanwhile: then it comes back in the same moment.
        for case .decided(.ended(let launch, _, _)) in effects where !Self.isLaunched(launch.app, by: effects) {
            leave(launch.app)
        }
    }

    private mutating func leave(_ id: AppID) {
        if app == id { app = nil }
    }

    private static func isLaunched(_ id: AppID, by effects: [Effect]) -> Bool {
        effects.contains { effect in
            if case .start(let launch, .user) = effect { launch.app == id } else { false }
        }
    }
}
