import LifeCycleModel
import LifeCyclePolicy

/// What an effect has to wait for where the store fails.
extension Effect {
    /// The app whose record it builds on: after a crash nobody would know of what it has done. Whatever else is done
    /// with an app waits for no disk: nobody may be kept from hearing and answering in time, or outlive a watchdog.
    var appBuiltUpon: AppID? {
        switch self {
        case .start(let launch, _), .prewarm(let launch): launch.app
        case .removeFiles(let app): app
        case .send, .freeze, .thaw, .prioritize, .measureContainer, .keepAwake, .requestExit, .kill, .store,
            .finishShutdown, .decided, .beginTransfer, .stopTransfer, .moveTransfer, .discardTransfer:
            nil
        }
    }

    /// The launch whose start it is, or which has to have been started before; nil for a kill, which ends the waiting.
    var launch: LaunchID? {
        switch self {
        case .start(let launch, _), .prewarm(let launch), .send(let launch, _), .freeze(let launch, _),
            .thaw(let launch), .prioritize(let launch, _), .measureContainer(let launch), .requestExit(let launch):
            launch
        case .kill, .store, .keepAwake, .removeFiles, .finishShutdown, .decided, .beginTransfer, .stopTransfer,
            .moveTransfer, .discardTransfer:
            nil
        }
    }
}
