import LifeCycleModel
import LifeCyclePolicy
import RoostPorts

/// What an effect has to wait for where the store fails.
extension Effect {
    /// The app whose record it builds on: after a crash nobody would know of what it has done. Whatever else is done
    /// with an app waits for no disk: nobody may be kept from hearing and answering in time, or outlive a watchdog.
    var appBuiltUpon: AppID? {
        switch self {
        case .launch(let launch, .start), .launch(let launch, .prewarm): launch.app
        case .device(.removeFiles(let app)): app
        case .launch, .device, .concern, .store, .decided: nil
        }
    }

    /// The launch whose start it is, or which has to have been started before; nil for a kill, which ends the waiting.
    var launch: LaunchID? {
        switch self {
        case .launch(_, .kill), .device, .concern, .store, .decided: nil
        case .launch(let launch, _): launch
        }
    }

    /// The transfer whose record it builds on. Begun, moved or discarded before that is kept, it would be begun, moved or
    /// told of again after a crash, with files that are not there any more.
    var transferBuiltUpon: TransferID? {
        switch self {
        case .concern(.transfer(.stop)): nil
        case .concern(.transfer(let output)): output.id
        case .launch, .device, .concern, .store, .decided: nil
        }
    }

    /// The transfer that is acted upon: what is to be done with one is done in its order.
    var transfer: TransferID? {
        if case .concern(.transfer(let output)) = self { output.id } else { nil }
    }

    /// The launch that is told what became of a transfer: nobody is told what is not kept.
    var hearerOfTransfer: LaunchID? {
        if case .launch(let launch, .send(.transfer)) = self { launch } else { nil }
    }

    /// The app whose notifications it shows, or tells it of: a crash may not show one twice, nor forget what an app was
    /// told to be heard.
    var appNotified: AppID? {
        switch self {
        case .concern(.notification(.show(let shown))): shown.id.app
        case .launch(let launch, .send(.notification)): launch.app
        default: nil
        }
    }

    /// The app whose registration for remote notifications is to be confirmed: by then it is persisted.
    var appRegistered: AppID? {
        if case .concern(.notification(.confirmToken(let app))) = self { app } else { nil }
    }

    /// Whether it is news that the next makes old.
    var isProgress: Bool {
        if case .launch(_, .send(.transfer(_, .progressed))) = self { true } else { false }
    }
}

extension TransferChange {
    /// The transfer that is left alone until the change is persisted; nil for a change of a session.
    var transfer: TransferID? {
        switch self {
        case .task(let record): record.id
        case .taskRemoved(let id): id
        case .session, .sessionRemoved: nil
        }
    }

    /// The app that is told nothing of its transfers until the change is persisted.
    var app: AppID {
        switch self {
        case .session(let record): record.id.app
        case .sessionRemoved(let id): id.app
        case .task(let record): record.id.session.app
        case .taskRemoved(let id): id.session.app
        }
    }
}

extension NotificationRecord {
    /// Whose it is.
    var app: AppID {
        switch self {
        case .client(let record): record.app
        case .scheduled(let record): record.id.app
        case .delivered(let record): record.id.app
        case .unscheduled(let id), .removed(let id): id.app
        }
    }
}

/// What could not be written yet, and what has to wait for it.
struct Unwritten {
    /// Apps that are not started, nor their files removed.
    private(set) var apps: Set<AppID> = []
    /// Transfers that are not begun, moved or discarded.
    private(set) var transfers: Set<TransferID> = []
    /// Apps that hear nothing of their transfers.
    private(set) var hearers: Set<AppID> = []
    /// Apps whose notifications are not shown, and which hear nothing of them.
    private(set) var notified: Set<AppID> = []
    /// Apps whose registration for remote notifications is not confirmed.
    private(set) var registered: Set<AppID> = []

    /// Nothing waits.
    init() {}

    /// What waits for these.
    init(_ changes: [StoreChange]) {
        for case .record(let record) in changes {
            switch record {
            case .app(let record): apps.insert(record.app)
            case .appRemoved(let app): apps.insert(app)
            case .concern(.notification(let record)): notified.insert(record.app)
            case .concern(.push(let record)): registered.insert(record.app)
            case .concern(.transfer(let change)):
                if let id = change.transfer { transfers.insert(id) }
                hearers.insert(change.app)
            case .concern, .device, .launch, .launchEnded: break
            }
        }
    }

    /// Whether an effect builds on any of it.
    func holdsBack(_ effect: Effect) -> Bool {
        if let app = effect.appBuiltUpon { return apps.contains(app) }
        if let id = effect.transferBuiltUpon { return transfers.contains(id) }
        if let app = effect.appNotified { return notified.contains(app) }
        if let app = effect.appRegistered { return registered.contains(app) }
        if let launch = effect.hearerOfTransfer { return hearers.contains(launch.app) }
        return false
    }
}

/// Effects that wait, in their order, for something owed to be written, or for an app's files.
struct HeldEffects {
    private var effects: [Effect] = []
    private var launches: Set<LaunchID> = []
    private var transfers: Set<TransferID> = []

    /// Takes an effect in if it builds on what could not be written, on the files of a launch that are not ready, or on
    /// another that waits for either.
    mutating func takes(
        _ effect: Effect, waitingFor unwritten: Unwritten, orFilesOf unready: Set<LaunchID> = []
    ) -> Bool {
        let waits =
            unwritten.holdsBack(effect)
            || effect.launch.map { launches.contains($0) || unready.contains($0) } ?? false
            || effect.transfer.map(transfers.contains) ?? false
        guard waits else { return false }
        if !effect.isProgress { hold(effect) }
        return true
    }

    /// Takes an effect in.
    mutating func hold(_ effect: Effect) {
        effects.append(effect)
        if let id = effect.transfer { transfers.insert(id) }
        // Only a start holds up what else is done with a launch.
        if effect.appBuiltUpon != nil, let launch = effect.launch { launches.insert(launch) }
    }

    /// How many wait.
    var count: Int { effects.count }

    /// All of them, to be looked at anew.
    mutating func takeAll() -> [Effect] {
        defer { self = HeldEffects() }
        return effects
    }

    /// Whether a launch's start is among them; it is dropped with whatever else was to be done with that.
    mutating func drop(_ launch: LaunchID) -> Bool {
        effects.removeAll { $0.launch == launch }
        return launches.remove(launch) != nil
    }
}
