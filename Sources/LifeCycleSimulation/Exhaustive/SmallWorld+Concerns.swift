import LifeCycleModel
import LifeCyclePolicy

/// What the small world knows of an app's background session, and what the engine carries.
struct SmallDownloads: Hashable, Sendable, Encodable {
    struct Carried: Hashable, Sendable, Encodable {
        let id: TransferID
        let attempt: Int32
    }

    /// The launch that has the session open.
    var launch: LaunchID?
    /// The number of its next download; nil before the system has opened it.
    var next: Int64?
    /// The downloads it was told of, and has not taken.
    var told: [Int64] = []
    /// Whether the launch was called for the session's events.
    var owesHandled = false
    /// What the engine has under way.
    var carried: [Carried] = []

    /// Neither what the app has open nor what was under way outlives the system.
    mutating func systemRestarted() { self = SmallDownloads() }

    mutating func hear(_ news: TransferNews, by launch: LaunchID) {
        guard launch == self.launch else { return }
        switch news {
        case .opened(_, let lowestFree): next = lowestFree
        case .downloaded(let number, _, _, _), .failed(let number, _): told.append(number)
        case .invalidated: (self.launch, next, told) = (nil, nil, [])
        case .listed, .progressed, .resumed, .willBegin, .eventsFinished: break
        }
    }
}

/// The letters of concerns.
extension SmallWorld {
    private static var url: String { "http://one.example.org/file" }

    private static var session: SessionIdentifier {
        guard let session = SessionIdentifier("session") else { preconditionFailure("it is short") }
        return session
    }

    private var session: SessionIdentifier { isNewsstand ? .newsstand : Self.session }

    /// Does what `letter` says; false if that is impossible as things are.
    mutating func perform(_ letter: ConcernLetter, _ app: AppID) -> Bool {
        switch letter {
        case .offerFetch: handle(.device(.wakeOccurred(app, .backgroundFetch)))
        case .push: arrives(RemoteNotification(payload: "{}", isContentAvailable: true), app)
        case .alert:
            let presentation = RemoteNotification.Presentation(Self.notification)
            arrives(RemoteNotification(payload: "{1}", isContentAvailable: true, presentation: presentation), app)
        case .lowPower, .fullPower:
            let isOn = letter == .lowPower
            guard core.device.record.settings.lowPowerMode != isOn else { return false }
            handle(.device(.settingChanged(.lowPowerMode(isOn))))
        case .tap:
            let shown = core.device.notificationRecords.delivered.last { $0.id.app == app && $0.stage == .shown }
            guard let shown else { return false }
            handle(.concern(.notification(.tapped(shown.id))))
        case .arrive, .fail: return carry(isWhole: letter == .arrive)
        case .finishEvent, .askForFetches, .askForNoFetches, .register, .schedule, .cancel, .askForPushes, .openSession,
            .download, .take, .handled:
            guard let index = processes.firstIndex(where: { $0.launch.app == app }), processes[index].isAttached,
                !processes[index].isFrozen, processes[index].exit == nil
            else { return false }
            return run(letter, index)
        }
        return true
    }

    private static var notification: LocalNotification {
        var notification = LocalNotification()
        notification.alertBody = "news"
        return notification
    }

    private mutating func arrives(_ push: RemoteNotification, _ app: AppID) {
        handle(.concern(.notification(.pushArrived(app, push))))
    }

    // MARK: What apps do

    private mutating func run(_ letter: ConcernLetter, _ index: Int) -> Bool {
        let launch = processes[index].launch
        switch letter {
        case .finishEvent:
            guard let event = processes[index].openEvents.first else { return false }
            processes[index].openEvents.removeFirst()
            request(.eventHandled(event.callback, .newData), launch)
        case .askForFetches: request(.concern(.fetch(.setMinimumInterval(.zero))), launch)
        case .askForNoFetches: request(.concern(.fetch(.setMinimumInterval(nil))), launch)
        case .register: act(.register(.all), index)
        case .schedule:
            guard core.device.notificationRecords.scheduled.isEmpty else { return false }
            var notification = Self.notification
            notification.fireDate = core.now.wall + .seconds(1)
            act(.schedule(notification), index)
        case .cancel: act(.cancelAll, index)
        case .askForPushes:
            guard core.device.deviceToken(of: launch.app) == nil else { return false }
            request(.concern(.notification(.setRemoteNotifications(true))), launch)
        case .openSession:
            guard downloads.launch != launch else { return false }
            (downloads.launch, downloads.next, downloads.told) = (launch, nil, [])
            say(.open(TransferSessionConfiguration()), launch)
        case .download:
            // One at a time.
            guard downloads.launch == launch, let number = downloads.next, core.device.transferIDs.isEmpty else {
                return false
            }
            downloads.next = number + 1
            say(.make(NewTransfer(number: number, request: TransferRequest(url: Self.url))), launch)
            say(.resume(number), launch)
        case .take:
            guard downloads.launch == launch, !downloads.told.isEmpty else { return false }
            let told = downloads.told
            downloads.told = []
            say(.acknowledge(told), launch)
        case .handled:
            guard downloads.owesHandled else { return false }
            downloads.owesHandled = false
            say(.handled, launch)
        default: return false
        }
        return true
    }

    private mutating func request(_ request: AppRequest, _ launch: LaunchID) {
        handle(.app(launch, .requested(request)))
    }

    private mutating func act(_ act: NotificationAct, _ index: Int) {
        processes[index].notificationActs += 1
        let numbered = NumberedNotificationAct(number: processes[index].notificationActs, act: act)
        request(.concern(.notification(.act(numbered))), processes[index].launch)
    }

    private mutating func say(_ act: TransferAct, _ launch: LaunchID) {
        request(.concern(.transfer(session, act)), launch)
    }

    // MARK: Adapters

    mutating func perform(_ output: NotificationOutput) {
        switch output {
        case .makeDeviceToken(let app):
            let token = DeviceToken(Array(repeating: 1, count: DeviceToken.size))
            handle(.concern(.notification(.tokenMade(app, token))))
        case .confirmToken(let app): handle(.concern(.notification(.tokenPersisted(app))))
        case .readZone, .examineSound, .show, .withdraw, .setBadge: break
        }
    }

    mutating func perform(_ output: TransferOutput) {
        switch output {
        case .begin(let id, let attempt): downloads.carried.append(SmallDownloads.Carried(id: id, attempt: attempt))
        case .stop(let id):
            guard let carried = downloads.carried.first(where: { $0.id == id }) else { return }
            downloads.carried.removeAll { $0.id == id }
            report(.stopped(id, attempt: carried.attempt, nil))
        case .move(let id): report(.moved(id, errno: nil))
        case .discard(let id): downloads.carried.removeAll { $0.id == id }
        }
    }

    /// What is under way has arrived, or cannot arrive.
    private mutating func carry(isWhole: Bool) -> Bool {
        guard let carried = downloads.carried.first else { return false }
        downloads.carried.removeFirst()
        let (id, attempt) = (carried.id, carried.attempt)
        if isWhole {
            let response = TransferResponse(url: Self.url, status: 200, fields: [])
            report(.completed(id, attempt: attempt, response, size: 1))
        } else {
            report(
                .failed(id, attempt: attempt, TransferProblem(code: -1202, reason: "bad certificate", mayPass: false)))
        }
        return true
    }

    private mutating func report(_ report: TransferReport) { handle(.concern(.transfer(.reported(report)))) }
}
