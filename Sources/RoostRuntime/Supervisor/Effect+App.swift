import LifeCycleModel
import LifeCyclePolicy

extension Effect {
    /// The app it is done with; nil where it is done with none, or changes nothing outside.
    var app: AppID? {
        switch self {
        case .start(let launch, _), .send(let launch, _), .freeze(let launch, _), .thaw(let launch),
            .requestExit(let launch), .kill(let launch, _):
            launch.app
        case .removeFiles(let app): app
        case .store, .finishShutdown, .decided: nil
        }
    }
}
