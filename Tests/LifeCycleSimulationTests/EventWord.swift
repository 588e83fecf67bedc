import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// How the exhaustive search comes to a word: by these letters of an alphabet; or why it never does.
enum Way {
    case letters(String, [Letter])
    case none(String)

    private static let app = AppID(1)

    /// The letters of the life cycle with two apps.
    static func life(_ letters: Letter...) -> Way { .letters("life cycle", letters) }
    /// The letters of two concerns, after app 1 was opened and is active.
    static func concerns(_ alphabet: String, _ letters: Letter...) -> Way { .letters(alphabet, active + letters) }
    static func fetch(_ letters: ConcernLetter...) -> Way {
        .letters("fetch with notifications", active + letters.map { .concern(app, $0) })
    }
    static func transfers(_ letters: ConcernLetter...) -> Way {
        .letters("fetch with transfers", active + letters.map { .concern(app, $0) })
    }

    static let active: [Letter] = [.open(app), .connect(app), .acknowledge(app), .acknowledge(app)]
    static let suspended: [Letter] = active + [.home, .acknowledge(app), .acknowledge(app), .freeze(app)]

    // Reasons that several words have.
    static let setting = Way.none("A setting only bars wakes; Low Power Mode stands for all of them.")
    static let random = Way.none("It brings no new order of events for its price; random histories have it.")
    static let report = Way.none("It changes only numbers that are shown; random histories have it.")
}

/// The words of `Event`. A new event does not compile until it is one of them.
enum EventWord: String, CaseIterable {
    case appInstalled, appUninstalled, appOpened, appSwitched, homePressed, appForceQuit, wakeOccurred, memoryRanLow
    case memoryRanShort, interruptionBegan, interruptionDismissed, interruptionAccepted, deviceLocked, deviceUnlocked
    case settingChanged, backgroundRefreshChanged, inputOccurred, clockWasSet, zoneChanged, networkChanged
    case deviceStarted, deviceShutdownBegan, shutdownBegan

    case started, startFailed, exited, froze, freezeFailed, thawed, thawFailed, footprintMeasured, containerMeasured
    case cutOff, found

    case attached, acknowledge, beginTask, endTask, setIdleTimerDisabled, eventHandled, setMinimumInterval
    case schedule, present, cancel, cancelAll, setBadge, register, setRemoteNotifications
    case openSession, makeTask, resumeTask, suspendTask, cancelTask, setPriority, setText, setEarliestBegin
    case setExpectedToReceive, proceed, list, acknowledgeOutcomes, finishTasksAndInvalidate, invalidateAndCancel,
        handled

    case opportunityOffered, pushArrived, tokenMade, tokenPersisted, zoneRead, soundExamined, tapped, dismissed, allowed
    case responded, progressed, checkpointed, completed, failed, stopped, moved, wished

    case deadlineReached

    init(_ event: Event) {
        switch event {
        case .device(let event): self.init(event)
        case .process(_, let event): self.init(event)
        case .app(_, .attached): self = .attached
        case .app(_, .requested(let request)): self.init(request)
        case .concern(let input): self.init(input)
        case .deadlineReached: self = .deadlineReached
        }
    }

    private init(_ event: DeviceEvent) {
        self =
            switch event {
            case .appInstalled: .appInstalled
            case .appUninstalled: .appUninstalled
            case .appOpened: .appOpened
            case .appSwitched: .appSwitched
            case .homePressed: .homePressed
            case .appForceQuit: .appForceQuit
            case .wakeOccurred: .wakeOccurred
            case .memoryRanLow: .memoryRanLow
            case .memoryRanShort: .memoryRanShort
            case .interruptionBegan: .interruptionBegan
            case .interruptionDismissed: .interruptionDismissed
            case .interruptionAccepted: .interruptionAccepted
            case .deviceLocked: .deviceLocked
            case .deviceUnlocked: .deviceUnlocked
            case .settingChanged: .settingChanged
            case .backgroundRefreshChanged: .backgroundRefreshChanged
            case .inputOccurred: .inputOccurred
            case .clockWasSet: .clockWasSet
            case .zoneChanged: .zoneChanged
            case .networkChanged: .networkChanged
            case .deviceStarted: .deviceStarted
            case .deviceShutdownBegan: .deviceShutdownBegan
            case .shutdownBegan: .shutdownBegan
            }
    }

    private init(_ event: ProcessEvent) {
        self =
            switch event {
            case .started: .started
            case .startFailed: .startFailed
            case .exited: .exited
            case .froze: .froze
            case .freezeFailed: .freezeFailed
            case .thawed: .thawed
            case .thawFailed: .thawFailed
            case .footprintMeasured: .footprintMeasured
            case .containerMeasured: .containerMeasured
            case .cutOff: .cutOff
            case .found: .found
            }
    }

    private init(_ request: AppRequest) {
        self =
            switch request {
            case .acknowledge: .acknowledge
            case .beginTask: .beginTask
            case .endTask: .endTask
            case .setIdleTimerDisabled: .setIdleTimerDisabled
            case .eventHandled: .eventHandled
            case .concern(.transfer(_, let act)): Self.word(act)
            case .concern(.fetch(.setMinimumInterval)): .setMinimumInterval
            case .concern(.notification(.setRemoteNotifications)): .setRemoteNotifications
            case .concern(.notification(.act(let numbered))): Self.word(numbered.act)
            }
    }

    private static func word(_ act: NotificationAct) -> EventWord {
        switch act {
        case .schedule: .schedule
        case .present: .present
        case .cancel: .cancel
        case .cancelAll: .cancelAll
        case .setBadge: .setBadge
        case .register: .register
        }
    }

    private static func word(_ act: TransferAct) -> EventWord {
        switch act {
        case .open: .openSession
        case .make: .makeTask
        case .resume: .resumeTask
        case .suspend: .suspendTask
        case .cancel: .cancelTask
        case .setPriority: .setPriority
        case .setText: .setText
        case .setEarliestBegin: .setEarliestBegin
        case .setExpectedToReceive: .setExpectedToReceive
        case .proceed: .proceed
        case .list: .list
        case .acknowledge: .acknowledgeOutcomes
        case .finishTasksAndInvalidate: .finishTasksAndInvalidate
        case .invalidateAndCancel: .invalidateAndCancel
        case .handled: .handled
        }
    }

    private init(_ input: ConcernInput) {
        self =
            switch input {
            case .fetch(.opportunityOffered): .opportunityOffered
            case .transfer(.wished): .wished
            case .transfer(.reported(let report)): Self.word(report)
            case .notification(let input): Self.word(input)
            }
    }

    private static func word(_ input: NotificationInput) -> EventWord {
        switch input {
        case .pushArrived: .pushArrived
        case .tokenMade: .tokenMade
        case .tokenPersisted: .tokenPersisted
        case .zoneRead: .zoneRead
        case .soundExamined: .soundExamined
        case .tapped: .tapped
        case .dismissed: .dismissed
        case .allowed: .allowed
        }
    }

    private static func word(_ report: TransferReport) -> EventWord {
        switch report {
        case .responded: .responded
        case .progressed: .progressed
        case .checkpointed: .checkpointed
        case .completed: .completed
        case .failed: .failed
        case .stopped: .stopped
        case .moved: .moved
        }
    }
}
