import LifeCycleModel
import LifeCyclePolicy

extension Effect {
    /// The app whose owed records it has to wait for; nil where it waits for none.
    var app: AppID? {
        switch self {
        case .start(let launch, _), .prewarm(let launch), .send(let launch, _), .freeze(let launch, _),
            .thaw(let launch),
            .prioritize(let launch, _), .measureContainer(let launch), .requestExit(let launch):
            launch.app
        case .removeFiles(let app): app
        // A kill waits for nothing: nobody is to outlive a watchdog, or the system, because a disk is full.
        case .kill, .store, .keepAwake, .finishShutdown, .decided: nil
        }
    }
}
