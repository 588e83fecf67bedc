import LifeCycleModel
import LifeCyclePolicy

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

/// The concerns: the one list of them.
extension ReferenceModel {
    /// Each concern answers what has happened, and then does what is due, until nothing more follows.
    mutating func settleConcerns(at now: Nanoseconds) {
        var isAgain = true
        while isAgain {
            hearNews(at: now)
            // After the system's restart, it has to be known first which launches still exist.
            guard areConcernsStarted else { return }
            settleSessions()
            settleFetches(at: now)
            settleNotifications(at: now)
            grantWishes(at: now)
            isAgain = !news.isEmpty
        }
    }

    /// Each concern answers what has happened.
    mutating func hearNews(at now: Nanoseconds) {
        while !news.isEmpty {
            let heard = news
            news.removeAll(keepingCapacity: true)
            for news in heard { hearForFetches(news) }
            for news in heard { hearForNotifications(news) }
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
                bringToLife(index, for: reason, hasHandler: true, at: now)
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
        fetches.systemRestarted()
        notifications.systemRestarted()
        sessions.systemRestarted()
        (clocks, zone, isConnected) = (ReferenceClocks(), nil, true)
        areConcernsStarted = fetches.records.isEmpty && notifications.isIdle && sessions.sessions.isEmpty
    }

    /// When the earliest concern wants to be asked again.
    var concernDeadlines: [Deadline] {
        guard areConcernsStarted else { return [Deadline(at: .zero, reason: .recovery)] }
        return fetchDeadlines + notificationDeadlines
    }
}
