import LifeCycleModel
import LifeCyclePolicy

/// VoIP pushes and calls in the reference model: plain facts, in one table for each kind of fact.
struct ReferenceVoIP: Hashable, Sendable, Encodable {
    /// A push that waits until a launch of its app has a registry.
    struct Waiting: Hashable, Sendable, Encodable {
        let app: AppID
        let push: VoIPPush
        var until: Nanoseconds
    }

    /// A push that an app is called for, until the app has handled it.
    struct Open: Hashable, Sendable, Encodable {
        let app: AppID
        let number: Int64
        /// The end of the app's time; nil if the app was not called yet.
        var until: Nanoseconds?
        var isReported = false
        var hasReturned = false
        var isCompleted = false
    }

    /// The answer to a report that its app was not sent yet.
    struct Answer: Hashable, Sendable, Encodable {
        let app: AppID
        let call: CallID
        let failure: CallFailure?
    }

    /// The answer to a transaction that its app was not sent yet.
    struct Transaction: Hashable, Sendable, Encodable {
        let app: AppID
        let number: Int64
        let failure: TransactionFailure?
    }

    /// The most answers to transactions that wait for an app.
    static let mostTransactions = 64

    struct Message: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let news: VoIPNews
    }

    /// Sorted by app.
    var records: [VoIPRecord] = []
    /// The records that must be on disk.
    var kept: [VoIPRecord] = []
    /// The apps whose token is being made, and below them the apps whose token is not persisted yet.
    var registering: [AppID] = []
    var unconfirmed: [AppID] = []
    /// The launches that have a registry.
    var registries: [LaunchID] = []
    /// In the order in which the pushes came.
    var waiting: [Waiting] = []
    /// The apps that were being ended when the last of these pushes came. They are launched for the pushes after that.
    var doomed: [AppID] = []
    /// In the order in which the pushes came.
    var open: [Open] = []
    var answers: [Answer] = []
    var transactions: [Transaction] = []
    /// The apps whose audio session is active for a call.
    var audible: [AppID] = []
    /// The apps whose session may be active: after a restart of the system, for a call that is being ended.
    var perhapsAudible: [AppID] = []
    /// Whether a call has begun to ring in this event.
    var isNewlyRinging = false
    /// Whether the foreground app is interrupted by a call that rings.
    var isInterrupting = false
    /// The next time for which the system waits, as of the last event; nil before the concerns have started.
    var awaited: Nanoseconds?
    /// Whether the system has been restarted, and no event has ended since.
    var isRestarted = false
    /// The apps with calls, as sound knows them.
    var toldApps: [AppID] = []

    var said: [VoIPDecision] = []
    var messages: [Message] = []
    var outputs: [VoIPOutput] = []
    /// All reasons to refuse a push; the brain may give any of them.
    var obstacles: [WakeRefusal] = []

    subscript(app: AppID) -> VoIPRecord? { records.first { $0.app == app } }

    /// Changes the record of an app, or makes one. It must be on disk.
    mutating func keep(_ app: AppID, _ change: (inout VoIPRecord) -> Void) {
        var record = self[app] ?? VoIPRecord(app: app)
        change(&record)
        records.removeAll { $0.app == app }
        records.append(record)
        records.sort { $0.app < $1.app }
        kept.removeAll { $0.app == app }
        kept.append(record)
        kept.sort { $0.app < $1.app }
    }

    /// The calls of an app, in the order in which they were reported or started.
    func calls(of app: AppID) -> [PhoneCall] { self[app]?.calls ?? [] }

    /// The oldest such call of the device.
    func oldestCall(_ isMeant: (PhoneCall) -> Bool) -> (launch: LaunchID, call: PhoneCall)? {
        let all = records.flatMap { record in
            record.calls.compactMap { call in record.launch.map { (launch: $0, call: call) } }
        }
        return all.filter { isMeant($0.call) }.min { $0.call.number < $1.call.number }
    }

    var isRinging: Bool { oldestCall { $0.state == .ringing } != nil }

    /// Whether pushes reach the app: it has asked for them, and its token is persisted.
    func isRegistered(_ app: AppID) -> Bool { self[app]?.token != nil && !unconfirmed.contains(app) }

    /// The times at which something of pushes or calls is due.
    var times: [Nanoseconds] {
        records.flatMap(\.calls).flatMap(\.duties).map(\.until) + open.compactMap(\.until) + waiting.map(\.until)
    }

    /// No push waits for the app any longer.
    mutating func dropWaiting(_ app: AppID, _ loss: VoIPLoss) {
        for _ in waiting.filter({ $0.app == app }) { said.append(.dropped(app, loss)) }
        forgetWaiting(app)
    }

    mutating func forgetWaiting(_ app: AppID) {
        waiting.removeAll { $0.app == app }
        doomed.removeAll { $0 == app }
    }

    /// The app's launch is over.
    mutating func forgetLaunch(of app: AppID) {
        registries.removeAll { $0.app == app }
        open.removeAll { $0.app == app }
        answers.removeAll { $0.app == app }
        transactions.removeAll { $0.app == app }
        audible.removeAll { $0 == app }
        perhapsAudible.removeAll { $0 == app }
    }

    mutating func forget(_ app: AppID) {
        forgetLaunch(of: app)
        forgetWaiting(app)
        records.removeAll { $0.app == app }
        kept.removeAll { $0.app == app }
        registering.removeAll { $0 == app }
        unconfirmed.removeAll { $0 == app }
    }
}

extension ReferenceVoIP: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.voip }
    static var comparison: any ConcernComparison { VoIPComparison() }

    var isIdle: Bool { records.isEmpty }
    mutating func begin() {
        said.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
        outputs.removeAll(keepingCapacity: true)
        obstacles.removeAll(keepingCapacity: true)
    }
    /// The pushes are lost. Other facts about calls are found again later (`callsRestarted`).
    mutating func systemRestarted() { self = ReferenceVoIP(records: kept, kept: kept, isRestarted: true) }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) {
        model.noticeStallOfVoIP()
        model.handleVoIPNews(news)
    }
    static func settle(_ model: inout ReferenceModel) {
        model.noticeStallOfVoIP()
        model.waitForReconnections()
        for app in model.apps.map(\.id) { model.settleVoIP(of: app) }
        model.settleRinging()
        model.informOfCalls()
    }
    static func end(_ model: inout ReferenceModel) {
        model.voip.awaited = model.areConcernsStarted ? model.voip.times.min() : nil
    }
    static func deadlines(in model: ReferenceModel) -> [Deadline] {
        model.voip.times.map { Deadline(at: $0, reason: .voip) }
    }
    static func knows(_ reason: DeadlineReason) -> Bool { reason == .voip }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { false }
}
