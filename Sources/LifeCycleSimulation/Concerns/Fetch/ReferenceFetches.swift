import LifeCycleModel
import LifeCyclePolicy

/// Background fetch in the reference model: the apps' requests, and the queue.
struct ReferenceFetches: Hashable, Sendable, Encodable {
    static let never = Nanoseconds.seconds(10 * 365 * 86_400)
    static let day = Nanoseconds.seconds(86_400)

    /// A decision. If several reasons apply, any of them may be given.
    enum ExpectedDecision: Hashable, Sendable, Encodable {
        case exactly(FetchDecision)
        case declined(LaunchID, [WakeRefusal])
        case missed(AppID, [WakeRefusal])
    }

    /// Sorted by app.
    var records: [FetchRecord] = []
    /// The records that must be on disk.
    var kept: [FetchRecord] = []
    /// The apps that are due to fetch, in order.
    var turns: [AppID] = []
    var underWay: [AppID] = []
    /// The decisions that the event must lead to.
    var said: [ExpectedDecision] = []

    subscript(app: AppID) -> FetchRecord? {
        get { records.first { $0.app == app } }
        set { Self.put(newValue, of: app, into: &records) }
    }

    /// The current record, or its absence, must be on disk.
    mutating func keep(_ app: AppID) { Self.put(self[app], of: app, into: &kept) }

    private static func put(_ record: FetchRecord?, of app: AppID, into records: inout [FetchRecord]) {
        records.removeAll { $0.app == app }
        if let record { records.append(record) }
        records.sort { $0.app < $1.app }
    }

    mutating func forget(_ app: AppID) {
        records.removeAll { $0.app == app }
        kept.removeAll { $0.app == app }
        turns.removeAll { $0 == app }
        underWay.removeAll { $0 == app }
    }

}

extension ReferenceFetches: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.fetches }
    static var comparison: any ConcernComparison { FetchComparison() }

    var isIdle: Bool { records.isEmpty }
    mutating func begin() { said.removeAll(keepingCapacity: true) }
    mutating func systemRestarted() { (records, turns, underWay) = (kept, [], []) }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) { model.handleFetchNews(news) }
    static func settle(_ model: inout ReferenceModel) { model.settleFetches(at: model.now) }
    static func end(_ model: inout ReferenceModel) {}
    static func deadlines(in model: ReferenceModel) -> [Deadline] { model.fetchDeadlines }
    static func knows(_ reason: DeadlineReason) -> Bool { reason == .backgroundFetch }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { false }
}

/// The intervals between an app's fetches.
extension FetchRecord {
    /// The interval, doubled for an app whose fetches are unproductive.
    func wait(_ policy: Policy) -> Nanoseconds {
        let asked = min(max(minimumInterval, policy.fetchInterval), ReferenceFetches.never)
        return Int64(unproductive) < policy.unproductiveFetches ? asked : asked + asked
    }

    /// The earliest time of the next fetch, on the wall clock.
    func mayFetch(_ policy: Policy) -> Nanoseconds {
        guard let day, let spent, spent >= policy.fetchBudget else { return last + wait(policy) }
        return max(last + wait(policy), day + ReferenceFetches.day)
    }

    /// The latest time of the next fetch on the wall clock, if no obstacle exists. Local time is ahead of the wall
    /// clock by `ahead`.
    func mustFetch(_ policy: Policy, ahead: Nanoseconds) -> Nanoseconds {
        let (wait, first) = (wait(policy), mayFetch(policy))
        let last = first + max(.zero, min(wait.part(19, of: 20), patience + wait.part(6, of: 25)))
        // The fetch comes shortly before the hour at which the user usually opens the app, now or with the next fetch.
        for later in [.zero, wait] {
            if let time = habit(first + later, last + later, ahead + policy.fetchLead) { return time - later }
        }
        return last
    }

    /// The first time in this range, shifted by `shift`, that begins an hour in which the user usually opens the app.
    /// Every day is the same. Returns nil if the range has no such time.
    private func habit(_ first: Nanoseconds, _ last: Nanoseconds, _ shift: Nanoseconds) -> Nanoseconds? {
        guard let usage else { return nil }
        let start = (first + shift).hour(roundedUp: true)
        for hour in start..<start + 24 {
            let time = Nanoseconds.seconds(hour * 3600) - shift
            if time > last { return nil }
            if usage.habit(in: hour...hour) != nil { return time }
        }
        return nil
    }
}

extension Nanoseconds {
    fileprivate func part(_ count: Int64, of whole: Int64) -> Nanoseconds { Nanoseconds(rawValue / whole * count) }

    /// The hour since 1970 that contains the time, or the first hour that does not begin before it.
    fileprivate func hour(roundedUp: Bool = false) -> Int64 {
        let length = Nanoseconds.seconds(3600).rawValue
        let rest = (rawValue % length + length) % length
        return (rawValue - rest) / length + (roundedUp && rest > 0 ? 1 : 0)
    }
}

extension ReferenceModel {
    /// All obstacles to a fetch by the app at `index`.
    func fetchObstacles(_ index: Int) -> [FetchObstacle] {
        let app = apps[index]
        if app.isToBeRemoved { return [.refused(.ending)] }
        // The app's end may be over by the time of the fetch, so an ending app is no obstacle.
        var found = obstacles(index, .backgroundFetch).filter { $0 != .ending }.map { FetchObstacle.refused($0) }
        if app.manifest.isAdopted { found.append(.refused(.modeNotDeclared)) }
        if device.settings.network == .none || !isConnected { found.append(.held(.network)) }
        if device.settings.lowPowerMode { found.append(.held(.lowPowerMode)) }
        if isBatteryLow { found.append(.held(.battery)) }
        if device.settings.lowDataMode { found.append(.held(.lowDataMode)) }
        return found
    }

    /// The apps that wait to become due, in order.
    private var waitingForFetch: [FetchRecord] {
        fetches.records.filter { record in
            !fetches.turns.contains(record.app) && !fetches.underWay.contains(record.app)
                && index(of: record.app).map { fetchObstacles($0).isEmpty } ?? false
        }
    }

    fileprivate var fetchDeadlines: [Deadline] {
        waitingForFetch.map {
            let wall = $0.mustFetch(policy, ahead: ahead)
            return Deadline(at: wall - clocks.wallAhead, reason: .backgroundFetch)
        }
    }

    // MARK: News

    fileprivate mutating func handleFetchNews(_ news: ReferenceNews) {
        switch news {
        case .removed(let app): fetches.forget(app)
        case .opened(let app):
            guard var usage = fetches[app].map({ $0.usage ?? AppUsage() }) else { return }
            usage.opened(inHour: (wallNow + ahead).hour())
            guard usage != fetches[app]?.usage else { return }
            fetches[app]?.usage = usage
            fetches.keep(app)
        case .enteredForeground(let app), .ending(let app): fetches.underWay.removeAll { $0 == app }
        case .called(let launch, .fetch(.performFetch), isInBackground: false):
            fetches.underWay.removeAll { $0 == launch.app }
        case .killed(let app, .eventNotHandled(.backgroundFetch)):
            fetched(nil, app, after: policy.backgroundFetch)
        case .handled(let app, .backgroundFetch, let result, let time): fetched(result, app, after: time)
        case .requested(let launch, .fetch(.setMinimumInterval(let interval))): asked(interval, launch)
        case .reported(.fetch(.opportunityOffered(let app))):
            let isAllowed = index(of: app).map { obstacles($0, .backgroundFetch).isEmpty } ?? false
            if isAllowed { tookTurn(app, isUsed: true) }
            requests.append(.wake(app, .backgroundFetch, .fetch(.performFetch)))
        case .clocksWereRead:
            // No recorded time may be in the future.
            for place in fetches.records.indices {
                fetches.records[place].last = min(fetches.records[place].last, wallNow)
                fetches.records[place].day = fetches.records[place].day.map { min($0, wallNow) }
            }
        default: break
        }
    }

    private mutating func asked(_ interval: Nanoseconds?, _ launch: LaunchID) {
        guard let index = index(of: launch.app), !apps[index].isToBeRemoved else { return }
        let refusals = obstacles(index, .backgroundFetch).filter { [.modeNotDeclared, .fetchDisabled].contains($0) }
        guard refusals.isEmpty else { return fetches.said.append(.declined(launch, refusals)) }
        fetches.said.append(.exactly(.asked(launch, interval)))
        let app = launch.app
        guard let interval, interval < ReferenceFetches.never else {
            // The app may finish a pending fetch.
            fetches[app] = nil
            fetches.turns.removeAll { $0 == app }
            return fetches.keep(app)
        }
        let asked = max(.zero, interval)
        // Apps repeat the request at each launch.
        if fetches[app]?.minimumInterval == asked { return }
        var record = fetches[app] ?? FetchRecord(app: app, minimumInterval: asked, last: wallNow)
        record.minimumInterval = asked
        record.patience = record.wait(policy).part(1, of: 2)
        fetches[app] = record
        if record.mayFetch(policy) > wallNow { fetches.turns.removeAll { $0 == app } }
        fetches.keep(app)
    }

    /// Records the result of a fetch. `result` is nil if the app never called the handler; `time` is the fetch's time
    /// in the background.
    private mutating func fetched(_ result: BackgroundFetchResult?, _ app: AppID, after time: Nanoseconds) {
        fetches.underWay.removeAll { $0 == app }
        guard var record = fetches[app] else { return }
        switch result {
        case .newData: record.unproductive = 0
        case .noData, .failed:
            let count = Int64(record.unproductive) + 1 + time.rawValue / policy.longFetch.rawValue
            record.unproductive = Int32(clamping: min(policy.unproductiveFetches, count))
        case nil: record.unproductive = Int32(clamping: policy.unproductiveFetches)
        }
        if time > .zero {
            let isSameDay = record.day.map { $0 <= wallNow && wallNow < $0 + ReferenceFetches.day } ?? false
            let before = isSameDay ? record.spent ?? .zero : .zero
            if !isSameDay { record.day = wallNow }
            record.spent = before + time
            if before < policy.fetchBudget, before + time >= policy.fetchBudget {
                fetches.said.append(.exactly(.spent(app, until: record.mayFetch(policy))))
            }
        }
        guard record != fetches[app] else { return }
        fetches[app] = record
        fetches.keep(app)
    }

    // MARK: Turns

    fileprivate mutating func settleFetches(at now: Nanoseconds) {
        fetches.turns = fetches.turns.filter { app in index(of: app).map { fetchObstacles($0).isEmpty } ?? false }
        let isTime = fetchDeadlines.contains { $0.at <= now }
        // If one app has waited as long as it may, all apps that may fetch do so now.
        if isTime { fetches.turns += waitingForFetch.filter { $0.mayFetch(policy) <= wallNow }.map(\.app) }
        while fetches.underWay.count < policy.fetchesAtOnce,
            let app = fetches.turns.first(where: { !isBeingFrozen($0) })
        {
            takeTurn(app)
        }
    }

    private mutating func takeTurn(_ app: AppID) {
        guard let index = index(of: app), let record = fetches[app] else {
            return fetches.turns.removeAll { $0 == app }
        }
        let isForeground =
            foregroundApp == app || apps[index].state.isForeground && apps[index].launch.map { !$0.isGoing } ?? false
        let refusals = obstacles(index, .backgroundFetch)
        tookTurn(app, isUsed: refusals.isEmpty && !isForeground)
        if isForeground { return }
        guard refusals.isEmpty else { return fetches.said.append(.missed(app, refusals)) }
        fetches.said.append(.exactly(.offered(app, late: max(.zero, wallNow - record.mayFetch(policy)))))
        requests.append(.wake(app, .backgroundFetch, .fetch(.performFetch)))
    }

    private mutating func tookTurn(_ app: AppID, isUsed: Bool) {
        fetches.turns.removeAll { $0 == app }
        if isUsed, !fetches.underWay.contains(app) { fetches.underWay.append(app) }
        guard var record = fetches[app] else { return }
        let (wait, lateness) = (record.wait(policy), wallNow - record.mayFetch(policy))
        // The lateness that this fetch did not use remains for the next fetch.
        let left = record.patience + wait.part(6, of: 25) - max(.zero, lateness)
        record.patience = lateness > wait ? wait.part(1, of: 2) : min(left, wait + wait)
        record.last = wallNow
        fetches[app] = record
        fetches.keep(app)
    }

    /// Whether the app is being frozen. The freeze is finished first, because no event freezes and thaws an app.
    func isBeingFrozen(_ app: AppID) -> Bool {
        guard let index = index(of: app), case .freezing = apps[index].launch?.ice else { return false }
        return true
    }
}
