import LifeCycleModel
import LifeCyclePolicy

/// A concern in the reference model: the facts, and the rules for them.
protocol ReferenceConcern: Hashable, Sendable, Encodable {
    /// The place of the facts in the model.
    static var facts: WritableKeyPath<ReferenceModel, Self> { get }
    /// Whether no app uses the concern.
    var isIdle: Bool { get }
    /// An event begins: the output of the last event is cleared.
    mutating func begin()
    /// The system was restarted: only the facts on disk remain.
    mutating func systemRestarted()

    /// The concern reacts to news.
    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel)
    /// The concern does what is due.
    static func settle(_ model: inout ReferenceModel)
    /// The event is over.
    static func end(_ model: inout ReferenceModel)
    /// The concern's next deadlines.
    static func deadlines(in model: ReferenceModel) -> [Deadline]
    /// Whether the model knows the times of deadlines with this reason.
    static func knows(_ reason: DeadlineReason) -> Bool
    /// Whether the brain may wait for this deadline although the model does not need it.
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool

    /// The comparison of the brain with the model.
    static var comparison: any ConcernComparison { get }
}

extension ReferenceConcern {
    static func begin(in model: inout ReferenceModel) { model[keyPath: facts].begin() }
    static func restart(in model: inout ReferenceModel) { model[keyPath: facts].systemRestarted() }
    static func isIdle(in model: ReferenceModel) -> Bool { model[keyPath: facts].isIdle }
}

/// Compares the brain's effects on a concern with the model's.
protocol ConcernComparison: Sendable {
    /// The difference; nil if both agree.
    mutating func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String?
    mutating func systemRestarted()
}

extension ConcernComparison {
    /// The difference between the brain's words and the model's; nil if they agree. The order counts within an app
    /// only.
    static func compareByApp<Word: Equatable>(
        _ ours: [Word], _ theirs: [Word], _ app: (Word) -> AppID
    ) -> String? {
        for changed in (ours + theirs).map(app) {
            guard ours.filter({ app($0) == changed }) == theirs.filter({ app($0) == changed }) else {
                return "the brain says \(ours), the model \(theirs)"
            }
        }
        return nil
    }
}

/// An occurrence within an event that concerns may react to.
enum ReferenceNews: Hashable, Sendable, Encodable {
    case removed(AppID)
    case replaced(AppID)
    case opened(AppID)
    case forceQuit(AppID)
    case enteredForeground(AppID)
    case enteredBackground(AppID)
    /// The app has connected, or a prewarmed app that had connected is launched now.
    case attached(LaunchID, Attachment)
    /// The app begins to run, or runs again.
    case resumed(LaunchID)
    /// The app is about to be suspended. Concerns settle once more.
    case suspending(LaunchID)
    /// The launch is over, or nothing but its exit is left.
    case ending(AppID)
    case killed(AppID, TerminationReason)
    /// The process of a launch is gone, and below it the same of an app in the background.
    case exited(LaunchID, TerminationReason)
    case exitedInBackground(LaunchID, TerminationReason)
    /// The app is called. `isInBackground` says whether its handler has a time limit.
    case called(LaunchID, ConcernCall, isInBackground: Bool)
    /// The time is how long the app took in the background.
    case handled(AppID, WakeEvent, BackgroundFetchResult, after: Nanoseconds)
    case requested(LaunchID, ConcernRequest)
    case reported(ConcernInput)
    case clocksWereRead
    case deviceStarted
    /// These apps have calls now.
    case callsChanged([AppID])
    /// A setting, the network or the system's shutdown may have changed.
    case deviceMayDiffer
}

/// A concern's request for an app, which is granted after all concerns have reacted.
enum ReferenceRequest: Hashable, Sendable, Encodable {
    /// Without a call, the concern calls the app later.
    case wake(AppID, LaunchReason, ConcernCall?)
    case call(AppID, ConcernCall, ReferenceLaunch.PendingCall.Place)
    case open(AppID, ConcernCall)
    /// The app is kept running for its location updates; nil: it is not any longer.
    case hold(AppID, Assertion?)
    /// The app is kept running for its sound, or is not any longer.
    case holdForSound(AppID, Bool)
    /// The same for its calls, and below it for a VoIP push.
    case holdForCall(AppID, Bool)
    case holdForPush(AppID, Bool)
    case kill(AppID, TerminationReason)
    /// The foreground app is interrupted, unless it is already, and below it such an interruption ends.
    case interrupt(Interruption)
    case endInterruption(Interruption)
    /// The other concerns learn of this.
    case tell(ReferenceNews)

    var isTelling: Bool { if case .tell = self { true } else { false } }
}

extension ReferenceModel {
    static let concerns = SimulatedConcerns.all.map { $0.reference }

    /// Lets the concerns react to news and do what is due, until nothing more follows.
    mutating func settleConcerns(at now: Nanoseconds) {
        var isAgain = true
        while isAgain {
            handleNews(at: now)
            // After the system's restart the model must first know which launches still exist.
            guard areConcernsStarted else { return }
            // A concern that comes after one that has news for it learns the news first.
            for concern in Self.concerns where !requests.contains(where: \.isTelling) { concern.settle(&self) }
            handleRequests(at: now)
            isAgain = !news.isEmpty
        }
    }

    /// Lets each concern react to the news.
    mutating func handleNews(at now: Nanoseconds) {
        while !news.isEmpty {
            let received = news
            news.removeAll(keepingCapacity: true)
            for concern in Self.concerns {
                for news in received { concern.receive(news, in: &self) }
            }
            handleRequests(at: now)
        }
    }

    private mutating func handleRequests(at now: Nanoseconds) {
        let granted = requests
        requests.removeAll(keepingCapacity: true)
        for request in granted {
            switch request {
            case .wake(let app, let reason, let call):
                guard let index = index(of: app) else { continue }
                guard mayWake(index, for: reason) else {
                    // Something has changed since the concern looked at the app.
                    if reason == .voip { refuseVoIPWake(app, obstacles(index, reason)) }
                    continue
                }
                let hasHandler = call?.rules.handler(deliveredBy: .none) != nil
                bringToLife(index, for: reason, hasHandler: hasHandler, at: now)
                drawConsequences(at: now)
                if let call { enqueue(index, call, .anywhere, at: now) }
            case .hold(let app, let assertion):
                if let index = index(of: app) { hold(index, at: now) { $0.locationHold = assertion } }
            case .holdForSound(let app, let isHeld):
                if let index = index(of: app) { hold(index, at: now) { $0.audioHold = isHeld ? .audio : nil } }
            case .holdForCall(let app, let isHeld):
                if let index = index(of: app) { hold(index, at: now) { $0.isHeldForCall = isHeld } }
            case .holdForPush(let app, let isHeld):
                if let index = index(of: app) { hold(index, at: now) { $0.isHeldForPush = isHeld } }
            case .kill(let app, let reason):
                if let index = index(of: app) { kill(index, reason) }
                drawConsequences(at: now)
            case .interrupt(let kind):
                if isInterruptible { interrupt(kind, at: now) }
            case .endInterruption(let kind): if device.interruption == kind { interrupt(nil, at: now) }
            case .tell(let change): news.append(change)
            case .call(let app, let call, let place):
                if let index = index(of: app) { enqueue(index, call, place, at: now) }
            case .open(let app, let call):
                guard let index = index(of: app) else { continue }
                if isOpenable(index) { apps[index].launch?.enqueue(call, .tap) }
                open(app, at: now)
                obstacles = []
                drawConsequences(at: now)
            }
        }
    }

    /// The foreground app is interrupted from now on, or not any longer.
    private mutating func interrupt(_ kind: Interruption?, at now: Nanoseconds) {
        touch(at: now)
        device.interruption = kind
        drawConsequences(at: now)
    }

    /// Changes the assertions of concerns. While the app has one without a time limit, its background time does not
    /// count.
    private mutating func hold(_ index: Int, at now: Nanoseconds, _ change: (inout ReferenceLaunch) -> Void) {
        guard var launch = apps[index].launch, !launch.isGoing else { return }
        change(&launch)
        // A frozen app that was found after a restart of the system runs again, and has to connect.
        if case .recovering(nil) = launch.stage, launch.isSuspendedOrAboutToBe, !launch.unlimitedHolds.isEmpty {
            launch.stage = .recovering(until: now + policy.reconnect)
        }
        apps[index].launch = launch
        if launch.unlimitedHolds.isEmpty {
            startTime(index, at: now)
        } else if launch.timeUp != nil {
            apps[index].launch?.timeUp = nil
            apps[index].launch?.isExpiring = false
            done.append(.launch(launch.id, .send(.backgroundTime(until: nil))))
        }
        drawConsequences(at: now)
    }

    mutating func enqueue(
        _ index: Int, _ call: ConcernCall, _ place: ReferenceLaunch.PendingCall.Place, at now: Nanoseconds
    ) {
        guard let launch = apps[index].launch, !launch.isGoing else { return }
        apps[index].launch?.enqueue(call, place)
        drawConsequences(at: now)
    }

    // MARK: The device, as concerns see it

    var wallNow: Nanoseconds { now + clocks.wallAhead }
    /// How far the device's local time is ahead of UTC.
    var ahead: Nanoseconds {
        .seconds((zone?.rules ?? .utc).civil(at: wallNow).seconds - CivilTime(utc: wallNow).seconds)
    }
    var isBatteryLow: Bool {
        device.settings.power == .battery && Int64(device.settings.batteryLevel) < policy.lowBattery
    }

    mutating func concernsRestarted() {
        for concern in Self.concerns { concern.restart(in: &self) }
        (clocks, zone, isConnected) = (ReferenceClocks(), nil, true)
        areConcernsStarted = Self.concerns.allSatisfy { $0.isIdle(in: self) }
    }

    /// Before the concerns have started, only the deadline of recovery.
    var concernDeadlines: [Deadline] {
        guard areConcernsStarted else { return [Deadline(at: .zero, reason: .recovery)] }
        return Self.concerns.flatMap { $0.deadlines(in: self) }
    }
}
