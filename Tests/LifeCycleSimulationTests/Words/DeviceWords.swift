import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

extension Event: HasWays {
    static let first = Event.deadlineReached

    var step: (way: Way, next: Event?) {
        switch self {
        case .deadlineReached: (.life(.open(one), .deadline), .app(launch(), .attached(.new)))
        case .app: (.life(.open(one), .connect(one)), nil)
        case .device, .process, .concern: (.other, nil)
        }
    }
}

extension DeviceEvent: HasWays {
    static let first = DeviceEvent.appOpened(one)

    var step: (way: Way, next: DeviceEvent?) {
        switch self {
        case .appOpened: (.life(.open(one)), .homePressed)
        case .homePressed: (.life(.home), .appForceQuit(one))
        case .appForceQuit: (.life(.quit(one)), .wakeOccurred(one, .locationMonitoring))
        case .wakeOccurred: (.life(.wake(one)), .memoryRanLow)
        case .memoryRanLow: (.life(.memoryLow), .memoryRanShort)
        case .memoryRanShort: (.life(.memoryShort), .interruptionBegan(.call))
        case .interruptionBegan: (.life(.interrupt), .interruptionDismissed)
        case .interruptionDismissed: (.life(.dismiss), .interruptionAccepted(nil))
        case .interruptionAccepted: (.life(.accept(nil)), .deviceLocked)
        case .deviceLocked: (.life(.lock), .deviceUnlocked)
        case .deviceUnlocked: (.life(.unlock), .settingChanged(.lowPowerMode(true)))
        case .settingChanged: (.fetch(.lowPower), .backgroundRefreshChanged(one, true))
        case .backgroundRefreshChanged: (.setting, .networkChanged(isConnected: true))
        case .networkChanged: (.setting, .appSwitched(nil))
        case .appSwitched: (.random, .appInstalled(one, manifest()))
        case .appInstalled: (.random, .appUninstalled(one))
        case .appUninstalled: (.random, .inputOccurred(one, .touch(x: 0, y: 0)))
        case .inputOccurred: (.random, .deviceStarted)
        case .deviceStarted: (.random, .deviceShutdownBegan)
        case .deviceShutdownBegan: (.random, .shutdownBegan)
        case .shutdownBegan: (.random, .clockWasSet)
        case .clockWasSet:
            (.none("The clock of the small world is not set by its user."), .clockStepped(by: .zero))
        case .clockStepped:
            (.none("The clock of the small world moves from one deadline to the next."), .zoneChanged("", .utc))
        case .zoneChanged: (.none("Notifications of the small world have no time zone."), nil)
        }
    }
}

extension ProcessEvent: HasWays {
    static let first = ProcessEvent.started

    var step: (way: Way, next: ProcessEvent?) {
        switch self {
        case .started: (.life(.open(one), .connect(one)), .exited(.exited(code: 0)))
        case .exited: (.life(.open(one), .exit(one)), .froze(attempt: 1, footprint: 0))
        case .froze: (.searchSteps("life cycle", Way.suspended), .freezeFailed(attempt: 1, errno: 5))
        case .freezeFailed:
            (.searchSteps("life cycle", Way.suspended.dropLast() + [.failToFreeze(one)]), .found(isFrozen: true))
        case .found: (.life(.open(one), .restart), .startFailed(errno: 2))
        case .startFailed: (.random, .thawed)
        case .thawed: (.random, .thawFailed(errno: 5))
        case .thawFailed: (.random, .footprintMeasured(size: 0))
        case .footprintMeasured:
            (
                .none("An app's size is reported when it is frozen, and stays what it was."),
                .containerMeasured(size: 0)
            )
        case .containerMeasured:
            (.none("Containers have no limit here: each measurement would make another state."), .cutOff)
        case .cutOff: (.none("Every process of the small world is known to its kernel."), nil)
        }
    }
}

extension AppRequest: HasWays {
    static let first = AppRequest.acknowledge(CallbackID(1), open: [])

    var step: (way: Way, next: AppRequest?) {
        switch self {
        case .acknowledge: (.life(.open(one), .connect(one), .acknowledge(one)), .beginTask(task()))
        case .beginTask: (.life(.wake(one), .connect(one), .beginTask(one)), .endTask(TaskID(1)))
        case .endTask:
            (.life(.wake(one), .connect(one), .beginTask(one), .endTask(one)), .eventHandled(CallbackID(1), .newData))
        case .eventHandled:
            (
                .searchSteps(
                    "fetch with transfers",
                    Way.active + [.concern(one, .offerFetch), .acknowledge(one), .concern(one, .finishEvent)]),
                .setIdleTimerDisabled(true)
            )
        case .setIdleTimerDisabled: (.random, nil)
        case .concern: (.other, nil)
        }
    }
}

extension Callback: HasWays {
    static let first = Callback.launch(.user)

    var step: (way: Way, next: Callback?) {
        switch self {
        case .launch: (.life(.open(one), .connect(one)), .didBecomeActive)
        case .didBecomeActive: (.life(.open(one), .connect(one), .acknowledge(one)), .willResignActive)
        case .willResignActive: (.searchSteps("life cycle", Way.active + [.home]), .didEnterBackground)
        case .didEnterBackground:
            (.searchSteps("life cycle", Way.active + [.home, .acknowledge(one)]), .willEnterForeground)
        case .willEnterForeground: (.searchSteps("life cycle", Way.suspended + [.open(one)]), .expireTasks)
        case .expireTasks:
            (
                .life(
                    .wake(one), .connect(one), .beginTask(one), .acknowledge(one), .acknowledge(one), .deadline,
                    .deadline),
                .deviceChanged(DeviceFacts())
            )
        case .deviceChanged: (.fetch(.lowPower), .memoryWarning)
        case .memoryWarning: (.searchSteps("life cycle", Way.active + [.memoryLow]), .disconnectScene)
        case .disconnectScene:
            (
                .searchSteps(
                    "life cycle",
                    Way.active + [.beginTask(one), .home, .acknowledge(one), .acknowledge(one)]
                        + [.memoryLow, .acknowledge(one)]),
                .discardScenes([])
            )
        case .discardScenes: (.searchSteps("life cycle", Way.active + [.quit(one), .acknowledge(one)]), .willTerminate)
        case .willTerminate:
            (.searchSteps("life cycle", Way.active + [.quit(one), .acknowledge(one), .acknowledge(one)]), nil)
        case .concern: (.other, nil)
        }
    }
}
