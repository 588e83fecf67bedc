import LifeCycleModel
import LifeCyclePolicy

/// Kept sockets, keep-alive handlers and launches after an end in the reference model: plain
/// facts, in one table for each kind of fact.
struct ReferenceSockets: Hashable, Sendable, Encodable {
    /// A socket that the system has not got a descriptor of yet.
    struct Asked: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let socket: KeptSocket
    }

    /// The answer to a request that its app was not sent yet.
    struct Answer: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let socket: SocketID
        let failure: SocketFailure?
    }

    struct Message: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let news: SocketNews
    }

    /// The time of something that happened to an app, or began.
    struct Time: Hashable, Sendable, Encodable {
        let app: AppID
        let at: Nanoseconds
    }

    /// A wake that the rules forbid. The brain may give any of the reasons.
    struct Refused: Hashable, Sendable, Encodable {
        let app: AppID
        let obstacles: [WakeRefusal]
    }

    /// The records on disk, sorted by launch. None of them is empty.
    var records: [SocketRecord] = []
    var asked: [Asked] = []
    var answers: [Answer] = []
    /// The launches whose sockets are watched.
    var watched: [LaunchID] = []
    /// The launches that are to be woken because a socket can be read, and below them those whose wake was refused.
    var readable: [LaunchID] = []
    var refused: [LaunchID] = []
    /// The sockets whose connections have ended. They are closed as soon as their app runs.
    var over: [Asked] = []
    /// The launches that have not connected since the restart of the system.
    var absent: [LaunchID] = []
    /// The wakes by sockets since the last end for too many of them.
    var wakes: [Time] = []
    /// The beginnings of the present intervals between two calls of keep-alive handlers, for apps in the background.
    var intervals: [Time] = []
    /// The apps that have ended in the background, and below them the launches of apps because of that.
    var ended: [AppID] = []
    var launches: [Time] = []
    /// The apps that have ended too often, with the times at which they are launched.
    var delayed: [Time] = []
    /// Whether the system was restarted, and has not asked for the sockets again.
    var isRestarted = false

    var said: [SocketDecision] = []
    var messages: [Message] = []
    var outputs: [SocketOutput] = []
    /// The refused wakes for sockets, handlers and launches, and those that were reported from outside.
    var obstacles: [Refused] = []

    /// Changes the record of a launch, or makes one. An empty record is removed.
    mutating func keep(_ launch: LaunchID, _ change: (inout SocketRecord) -> Void) {
        var record = records.first { $0.launch == launch } ?? SocketRecord(launch: launch)
        change(&record)
        records.removeAll { $0.launch == launch }
        if !record.isEmpty { records.append(record) }
        records.sort { $0.launch < $1.launch }
    }

    func isKept(_ id: SocketID, _ launch: LaunchID) -> Bool {
        records.contains { $0.launch == launch && $0.sockets.contains { $0.id == id } }
    }

    func isAsked(_ id: SocketID, _ launch: LaunchID) -> Bool {
        asked.contains { $0.launch == launch && $0.socket.id == id }
    }

    /// The sockets that count for the limits, each by its launch.
    var owners: [LaunchID] {
        records.flatMap { record in record.sockets.map { _ in record.launch } } + asked.map(\.launch)
    }

    /// The app is sent the newest answer for a socket. It cannot fill the memory with requests that cannot be answered
    /// yet.
    mutating func answer(_ id: SocketID, _ failure: SocketFailure?, _ launch: LaunchID) {
        answers.removeAll { $0.launch == launch && $0.socket == id }
        if answers.count(where: { $0.launch == launch }) < SocketRecord.mostAnswers {
            answers.append(Answer(launch: launch, socket: id, failure: failure))
        }
    }

    /// The system does not have the socket any longer.
    mutating func forget(_ id: SocketID, _ launch: LaunchID) {
        asked.removeAll { $0.launch == launch && $0.socket.id == id }
        over.removeAll { $0.launch == launch && $0.socket.id == id }
        keep(launch) { $0.sockets.removeAll { $0.id == id } }
    }

    /// The app's launch is over. The system closes its sockets.
    mutating func endLaunch(of app: AppID) {
        for record in records where record.launch.app == app {
            outputs += record.sockets.map { .close(record.launch, $0.id) }
        }
        outputs += asked.filter { $0.launch.app == app }.map { .close($0.launch, $0.socket.id) }
        records.removeAll { $0.launch.app == app }
        asked.removeAll { $0.launch.app == app }
        answers.removeAll { $0.launch.app == app }
        watched.removeAll { $0.app == app }
        readable.removeAll { $0.app == app }
        refused.removeAll { $0.app == app }
        over.removeAll { $0.launch.app == app }
        absent.removeAll { $0.app == app }
        intervals.removeAll { $0.app == app }
    }
}

extension ReferenceSockets: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.sockets }
    static var comparison: any ConcernComparison { SocketComparison() }

    var isIdle: Bool { records.isEmpty }
    mutating func begin() {
        said.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
        outputs.removeAll(keepingCapacity: true)
        obstacles.removeAll(keepingCapacity: true)
    }
    mutating func systemRestarted() {
        self = ReferenceSockets(records: records, absent: records.map(\.launch), isRestarted: true)
    }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) { model.handleSocketNews(news) }
    static func settle(_ model: inout ReferenceModel) {
        model.takeSocketsAgain()
        model.launchEndedApps()
        for app in model.apps.map(\.id) { model.settleSockets(of: app) }
        model.callKeepAliveHandlers()
    }
    static func end(_ model: inout ReferenceModel) {}
    static func deadlines(in model: ReferenceModel) -> [Deadline] {
        model.keepAliveTimes.map { Deadline(at: $0.latest, reason: .keepAlive) }
            + model.sockets.delayed.map { Deadline(at: $0.at, reason: .voipLaunch) }
    }
    static func knows(_ reason: DeadlineReason) -> Bool {
        [.keepAlive, .voipLaunch].contains(reason)
    }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { false }
}
