import LifeCycleModel
import LifeCyclePolicy

/// A concern in the reference model: the facts, and the rules for them.
protocol ReferenceConcern: Hashable, Sendable, Encodable {
    /// The place of the facts in the model.
    static var facts: WritableKeyPath<ReferenceModel, Self> { get }
    /// Whether no app uses the concern.
    var isIdle: Bool { get }
    /// An event begins: what had to come of the last one is forgotten.
    mutating func begin()
    /// Only what is on the disk is left.
    mutating func systemRestarted()

    /// The concern answers what has happened.
    static func hear(_ news: ReferenceNews, in model: inout ReferenceModel)
    /// The concern does what is due.
    static func settle(_ model: inout ReferenceModel)
    /// The event is over.
    static func end(_ model: inout ReferenceModel)
    /// When the concern wants to be asked again.
    static func deadlines(in model: ReferenceModel) -> [Deadline]
    /// Whether the model knows when deadlines with this reason are.
    static func knows(_ reason: DeadlineReason) -> Bool
    /// Whether the brain may wait for this, which the model does not want.
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool

    /// What holds the brain beside the model.
    static var comparison: any ConcernComparison { get }
}

extension ReferenceConcern {
    static func begin(in model: inout ReferenceModel) { model[keyPath: facts].begin() }
    static func restart(in model: inout ReferenceModel) { model[keyPath: facts].systemRestarted() }
    static func isIdle(in model: ReferenceModel) -> Bool { model[keyPath: facts].isIdle }
}

/// Holds what the brain does about a concern beside what the model wants.
protocol ConcernComparison: Sendable {
    /// Where they part; nil where they agree.
    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String?
    mutating func systemRestarted()
}

/// What has happened in an event that a concern may have to answer.
enum ReferenceNews: Hashable, Sendable, Encodable {
    case removed(AppID)
    case replaced(AppID)
    case opened(AppID)
    case forceQuit(AppID)
    case enteredForeground(AppID)
    case enteredBackground(AppID)
    /// The app has connected; or its process had, and the app is launched now.
    case attached(LaunchID, Attachment)
    /// The app begins to run, or runs again.
    case resumed(LaunchID)
    /// The launch is over, or as good as over.
    case ending(AppID)
    case killed(AppID, TerminationReason)
    /// The app is called; `isBehind` says whether it has a limited time for that.
    case called(LaunchID, ConcernCall, isBehind: Bool)
    /// The time is how long the app took off the foreground.
    case handled(AppID, WakeEvent, BackgroundFetchResult, after: Nanoseconds)
    case requested(LaunchID, ConcernRequest)
    case reported(ConcernInput)
    case clocksWereRead
}

/// What concerns want done to apps; it is done when all concerns have answered.
enum ReferenceWish: Hashable, Sendable, Encodable {
    case wake(AppID, LaunchReason, ConcernCall)
    case call(AppID, ConcernCall, ReferenceLaunch.Owed.Place)
    case open(AppID, ConcernCall)
}

extension ReferenceModel {
    static let concerns = SimulatedConcerns.all.map { $0.reference }

    /// Each concern answers what has happened, and then does what is due, until nothing more follows.
    mutating func settleConcerns(at now: Nanoseconds) {
        var isAgain = true
        while isAgain {
            hearNews(at: now)
            // After the system's restart, it has to be known first which launches still exist.
            guard areConcernsStarted else { return }
            for concern in Self.concerns { concern.settle(&self) }
            grantWishes(at: now)
            isAgain = !news.isEmpty
        }
    }

    /// Each concern answers what has happened.
    mutating func hearNews(at now: Nanoseconds) {
        while !news.isEmpty {
            let heard = news
            news.removeAll(keepingCapacity: true)
            for concern in Self.concerns {
                for news in heard { concern.hear(news, in: &self) }
            }
            grantWishes(at: now)
        }
    }

    private mutating func grantWishes(at now: Nanoseconds) {
        let granted = wishes
        wishes.removeAll(keepingCapacity: true)
        for wish in granted {
            switch wish {
            case .wake(let app, let reason, let call):
                guard let index = index(of: app), mayWake(index, for: reason) else { continue }
                let hasHandler = call.rules.handler(deliveredBy: .none) != nil
                bringToLife(index, for: reason, hasHandler: hasHandler, at: now)
                drawConsequences(at: now)
                owe(index, call, .anywhere, at: now)
            case .call(let app, let call, let place): if let index = index(of: app) { owe(index, call, place, at: now) }
            case .open(let app, let call):
                guard let index = index(of: app) else { continue }
                if isOpenable(index) { apps[index].launch?.owe(call, .tap) }
                open(app, at: now)
                obstacles = []
                drawConsequences(at: now)
            }
        }
    }

    mutating func owe(_ index: Int, _ call: ConcernCall, _ place: ReferenceLaunch.Owed.Place, at now: Nanoseconds) {
        guard let launch = apps[index].launch, !launch.isGoing else { return }
        apps[index].launch?.owe(call, place)
        drawConsequences(at: now)
    }

    // MARK: The device, as concerns see it

    var wallNow: Nanoseconds { now + clocks.wallAhead }
    /// How far the device's clocks are ahead of UTC.
    var ahead: Nanoseconds {
        .seconds((zone?.rules ?? .utc).civil(at: wallNow).seconds - CivilTime(utc: wallNow).seconds)
    }
    var isBatteryLow: Bool { device.settings.power == .battery && device.settings.batteryLevel < 20 }

    mutating func concernsRestarted() {
        for concern in Self.concerns { concern.restart(in: &self) }
        (clocks, zone, isConnected) = (ReferenceClocks(), nil, true)
        areConcernsStarted = Self.concerns.allSatisfy { $0.isIdle(in: self) }
    }

    /// When the earliest concern wants to be asked again.
    var concernDeadlines: [Deadline] {
        guard areConcernsStarted else { return [Deadline(at: .zero, reason: .recovery)] }
        return Self.concerns.flatMap { $0.deadlines(in: self) }
    }
}
