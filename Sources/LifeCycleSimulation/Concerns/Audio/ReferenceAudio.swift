import LifeCycleModel
import LifeCyclePolicy

/// Sound in the reference model: plain facts, in one table for each kind of fact.
///
/// A session is active if its app is in `active`. An app that lost its session has a `Loss`, until its session is
/// active or inactive again. An app in neither table has an inactive session.
struct ReferenceAudio: Hashable, Sendable, Encodable {
    /// A launch that has used sound.
    struct User: Hashable, Sendable, Encodable {
        let launch: LaunchID
        var session = AudioSession()
        /// Whether the app takes it that a phone call is on.
        var expectsCall = false

        var app: AppID { launch.app }
    }

    /// A player that plays.
    struct Sound: Hashable, Sendable, Encodable {
        let app: AppID
        let player: AudioPlayerID
        /// nil: the player repeats its sound without end.
        var end: Nanoseconds?
    }

    /// An active session that was lost to another app, or to a phone call.
    struct Loss: Hashable, Sendable, Encodable {
        enum Stage: Hashable, Sendable, Encodable {
            case lasting
            /// The winner has left without a word. The app learns of no end.
            case unended
            /// The interruption is over, and the app does not know it yet.
            case over
            /// The app knows it, and has not activated its session since.
            case reported
        }

        let app: AppID
        /// nil: a call of the telephone or of another app, or an interruption from before a restart of the system.
        var winner: AppID?
        /// Whether the app played when it was interrupted.
        let hadSound: Bool
        var stage = Stage.lasting
    }

    /// The reason for which an app is kept running.
    enum Grant: Hashable, Sendable, Encodable {
        case sound
        case time(until: Nanoseconds)
        /// The app has not connected again since a restart of the system.
        case reconnection
    }

    struct Granted: Hashable, Sendable, Encodable {
        let app: AppID
        let grant: Grant

        var end: Nanoseconds? { if case .time(let until) = grant { until } else { nil } }
    }

    /// A deactivation by the system that its app does not know yet.
    struct Notice: Hashable, Sendable, Encodable {
        let app: AppID
        let time: Nanoseconds
    }

    struct Message: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let news: AudioNews
    }

    /// Sorted by app.
    var users: [User] = []
    var active: [AppID] = []
    var sounds: [Sound] = []
    /// The sounds that are over, and whose end was not sent to the app yet.
    var ended: [Sound] = []
    var losses: [Loss] = []
    var granted: [Granted] = []
    var notices: [Notice] = []
    /// Whether a phone call is on that no app has reported, and below it the apps that have reported calls.
    var isOtherCallOn = false
    var appsWithCalls: [AppID] = []

    var said: [AudioDecision] = []
    var messages: [Message] = []

    subscript(app: AppID) -> User? { users.first { $0.app == app } }

    func isActive(_ app: AppID) -> Bool { active.contains(app) }
    func plays(_ app: AppID) -> Bool { sounds.contains { $0.app == app } }
    func loss(of app: AppID) -> Loss? { losses.first { $0.app == app } }
    /// Whether a phone call is on that is not the app's own.
    func isCallOn(for app: AppID) -> Bool { isOtherCallOn || appsWithCalls.contains { $0 != app } }
    func grant(of app: AppID) -> Grant? { granted.first { $0.app == app }?.grant }

    /// The launch uses sound from now on.
    mutating func enter(_ new: User) {
        users.removeAll { $0.app == new.app }
        users.append(new)
        users.sort { $0.launch < $1.launch }
    }

    mutating func change(_ app: AppID, _ change: (inout User) -> Void) {
        guard let index = users.firstIndex(where: { $0.app == app }) else { return }
        change(&users[index])
    }

    mutating func grant(_ app: AppID, _ grant: Grant?) {
        granted.removeAll { $0.app == app }
        if let grant { granted.append(Granted(app: app, grant: grant)) }
        granted.sort { $0.app < $1.app }
    }

    /// The app's session is not active any longer.
    mutating func silence(_ app: AppID) {
        active.removeAll { $0 == app }
        sounds.removeAll { $0.app == app }
    }

    /// The system deactivates a session. The apps that had lost theirs to it may continue.
    mutating func deactivate(_ app: AppID, at now: Nanoseconds) {
        silence(app)
        notices.removeAll { $0.app == app }
        notices.append(Notice(app: app, time: now))
        notices.sort { $0.app < $1.app }
        endLosses(to: app)
    }

    mutating func endLosses(to winner: AppID, in stage: Loss.Stage = .over) {
        for index in losses.indices where losses[index].winner == winner && losses[index].stage == .lasting {
            losses[index].stage = stage
        }
    }

    /// The calls that have interrupted an app are over.
    mutating func endLossToCalls(of app: AppID) {
        for index in losses.indices
        where losses[index].app == app && losses[index].winner == nil && losses[index].stage == .lasting {
            losses[index].stage = .over
        }
    }

    /// The winner of other sessions' losses has lost its own session, or leaves.
    mutating func handOver(from winner: AppID) {
        guard let own = losses.first(where: { $0.app == winner && $0.stage == .lasting }) else {
            return endLosses(to: winner)
        }
        for index in losses.indices where losses[index].winner == winner && losses[index].stage == .lasting {
            losses[index].winner = own.winner
            // A call interrupts all apps but its own.
            if own.winner == nil, !isCallOn(for: losses[index].app) { losses[index].stage = .over }
        }
    }

    mutating func forget(_ app: AppID) {
        handOver(from: app)
        silence(app)
        users.removeAll { $0.app == app }
        ended.removeAll { $0.app == app }
        losses.removeAll { $0.app == app }
        granted.removeAll { $0.app == app }
        notices.removeAll { $0.app == app }
    }
}

extension ReferenceAudio: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.audio }
    static var comparison: any ConcernComparison { AudioComparison() }

    var isIdle: Bool { users.isEmpty && !isOtherCallOn && appsWithCalls.isEmpty }
    mutating func begin() {
        said.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
    }
    /// Nothing is on disk. The apps that may have played are found by their launches (`audioRestarted`).
    mutating func systemRestarted() { self = ReferenceAudio() }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) { model.handleAudioNews(news) }
    static func settle(_ model: inout ReferenceModel) {
        for user in model.audio.users { model.silenceSuspended(user.launch) }
        model.freeLosersToSuspended()
        for user in model.audio.users { model.settleAudio(of: user.launch) }
    }
    static func end(_ model: inout ReferenceModel) {}
    static func deadlines(in model: ReferenceModel) -> [Deadline] {
        let ends = model.audio.sounds.compactMap(\.end) + model.audio.granted.compactMap(\.end)
        return ends.map { Deadline(at: $0, reason: .audio) }
    }
    static func knows(_ reason: DeadlineReason) -> Bool { reason == .audio }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { false }
}

extension ReferenceModel {
    fileprivate mutating func handleAudioNews(_ news: ReferenceNews) {
        switch news {
        case .removed(let app), .ending(let app): audio.forget(app)
        case .enteredBackground(let app): stopAudioInBackground(app)
        case .attached(let launch, _):
            audio.change(launch.app) { $0.expectsCall = false }
            audio.sounds.removeAll { $0.app == launch.app }
            guard audio.grant(of: launch.app) == .reconnection else { return }
            audio.grant(launch.app, .time(until: now + policy.audioGrace))
        case .requested(let launch, .audio(let request)): requestAudio(request, launch)
        case .called(let launch, .audio(.finished(let player)), _):
            audio.ended.removeAll { $0.app == launch.app && $0.player == player }
        case .reported(.audio(.call(let isOn))):
            guard audio.isOtherCallOn != isOn else { return }
            audio.isOtherCallOn = isOn
            callsChanged()
        case .callsChanged(let apps):
            let former = audio.appsWithCalls
            audio.appsWithCalls = apps
            callsChanged()
            for app in former where !apps.contains(app) {
                stopAudioInBackground(app)
                loseCallsRank(app)
            }
        default: break
        }
    }

    /// A call interrupts the sound of every app but its own, until its end.
    private mutating func callsChanged() {
        for user in audio.users {
            if audio.isCallOn(for: user.app) {
                interruptAudio(of: user, by: nil)
            } else {
                audio.endLossToCalls(of: user.app)
            }
        }
    }

    /// During its call, an app outranks all others. Afterwards one of two sessions that do not mix has to yield.
    private mutating func loseCallsRank(_ app: AppID) {
        guard let index = index(of: app), let user = audio[app], audio.isActive(app), !user.session.isShared
        else { return }
        if foregroundApp == app || apps[index].state.isForeground { return interruptAudio(by: app) }
        let rivals = audio.users.filter { $0.app != app && audio.isActive($0.app) && !$0.session.isShared }
        if let rival = rivals.first { interruptAudio(of: user, by: rival.app) }
    }

    /// In the background, an app has no active session if its sound may not continue there.
    private mutating func stopAudioInBackground(_ app: AppID) {
        guard let index = index(of: app), let user = audio[app], !isInForeground(index) else { return }
        if mayPlayInBackground(index), user.session.isLasting { return }
        stopAudio(user.launch)
        audio.handOver(from: app)
    }

    /// Whether the app declares the mode, or has a call.
    func mayPlayInBackground(_ index: Int) -> Bool {
        let hasMode = !apps[index].isToBeRemoved && apps[index].manifest.backgroundModes.contains(.audio)
        return hasMode || audio.appsWithCalls.contains(apps[index].id)
    }

    // MARK: A restart of the system

    /// The apps that may have played before the system's restart are kept running until they connect.
    mutating func audioRestarted() {
        for index in apps.indices where mayPlayInBackground(index) && !apps[index].manifest.isAdopted {
            guard let launch = apps[index].launch, !launch.isSuspendedOrAboutToBe else { continue }
            audio.enter(ReferenceAudio.User(launch: launch.id))
            audio.losses.append(
                ReferenceAudio.Loss(app: launch.id.app, winner: nil, hadSound: false, stage: .reported))
            audio.grant(launch.id.app, .reconnection)
            apps[index].launch?.audioHold = .audio
        }
        if !audio.isIdle { areConcernsStarted = false }
    }

    /// The app turns out to be frozen.
    mutating func forgetAudioHold(_ index: Int) {
        apps[index].launch?.audioHold = nil
        audio.grant(apps[index].id, nil)
    }

    // MARK: The end of an event

    fileprivate mutating func settleAudio(of launch: LaunchID) {
        let app = launch.app
        guard let index = index(of: app), let user = audio[app] else { return }
        finishSounds(of: app)
        informOfAudio(user, index)
        keepRunning(user, index)
        endLoss(of: user, index)
    }

    /// A suspended app has no active session.
    fileprivate mutating func silenceSuspended(_ launch: LaunchID) {
        guard let index = index(of: launch.app), apps[index].launch?.isSuspendedOrAboutToBe == true else { return }
        stopAudio(launch)
        if audio.grant(of: launch.app) != .reconnection {
            audio.losses.removeAll { $0.app == launch.app && $0.stage == .reported }
        }
    }

    /// No session is lost to an app that is suspended.
    fileprivate mutating func freeLosersToSuspended() {
        while let loss = audio.losses.first(where: { loss in
            guard loss.stage == .lasting, let winner = loss.winner, let index = index(of: winner) else { return false }
            return apps[index].launch?.isSuspendedOrAboutToBe == true
        }), let winner = loss.winner {
            audio.handOver(from: winner)
        }
    }

    private mutating func finishSounds(of app: AppID) {
        let now = self.now
        let isOver = { (sound: ReferenceAudio.Sound) in
            sound.app == app && sound.end.map { $0 <= now } ?? false
        }
        let players = audio.sounds.filter(isOver).map(\.player).sorted()
        audio.sounds.removeAll(where: isOver)
        for player in players {
            audio.ended.removeAll { $0.app == app && $0.player == player }
            audio.ended.append(ReferenceAudio.Sound(app: app, player: player))
            requests.append(.call(app, .audio(.finished(player)), .whereItRuns))
        }
    }

    /// Reports the end of an interruption to its app, which is thawed first if it may play.
    private mutating func endLoss(of user: ReferenceAudio.User, _ index: Int) {
        let app = user.app
        guard let place = audio.losses.firstIndex(where: { $0.app == app && $0.stage == .over }),
            let launch = apps[index].launch, !isBeingFrozen(app), !audio.isCallOn(for: app)
        else { return }
        let isUseful =
            foregroundApp == app && isOpenable(index) || user.session.isLasting && mayPlayInBackground(index)
        guard isUseful else { return }
        let hadSound = audio.losses[place].hadSound
        let isKept =
            hadSound && user.session.isLasting && isOpenable(index) && mayPlayInBackground(index)
            && shutdown == .none && foregroundApp != app
        if isKept { keepRunning(user, index, for: .time(until: now + policy.eventSlice)) }
        guard !launch.isSuspendedOrAboutToBe else { return }
        audio.losses[place].stage = .reported
        audio.said.append(.interruptionEnded(user.launch, shouldResume: hadSound))
        requests.append(.call(app, .audio(.interruptionEnded(shouldResume: hadSound)), .whereItRuns))
    }

    /// Changes the reason for which an app is kept running, if it has to change.
    private mutating func keepRunning(_ user: ReferenceAudio.User, _ index: Int) {
        let app = user.app
        let isOver = if case .time(let until) = audio.grant(of: app) { until <= now } else { false }
        guard isOpenable(index) else {
            if isOver { keepRunning(user, index, for: nil) }
            return
        }
        let isKept =
            mayPlayInBackground(index) && apps[index].launch?.isSuspendedOrAboutToBe == false
            && (foregroundApp != app || audio.grant(of: app) == .reconnection)
        if isKept, user.session.isLasting, audio.isActive(app), audio.plays(app) {
            return keepRunning(user, index, for: .sound)
        }
        guard let grant = audio.grant(of: app) else { return }
        if !isKept || isOver { return keepRunning(user, index, for: nil) }
        switch grant {
        case .sound:
            let rest = audio.loss(of: app) == nil ? policy.audioGrace : policy.audioResumeWindow
            keepRunning(user, index, for: .time(until: now + rest))
        case .time, .reconnection: break
        }
    }

    private mutating func keepRunning(_ user: ReferenceAudio.User, _ index: Int, for grant: ReferenceAudio.Grant?) {
        let old = audio.grant(of: user.app)
        if (old == .sound) != (grant == .sound) { audio.said.append(.session(user.launch, grant == .sound)) }
        audio.grant(user.app, grant)
        let isHeld = grant != nil
        if (apps[index].launch?.audioHold != nil) != isHeld { requests.append(.holdForSound(user.app, isHeld)) }
    }

    private mutating func informOfAudio(_ user: ReferenceAudio.User, _ index: Int) {
        let app = user.app
        guard let launch = apps[index].launch, !launch.isGoing, !launch.isSuspendedOrAboutToBe,
            audio.grant(of: app) != .reconnection
        else { return }
        for notice in audio.notices where notice.app == app {
            audio.messages.append(
                ReferenceAudio.Message(launch: user.launch, news: .deactivated(at: notice.time)))
        }
        audio.notices.removeAll { $0.app == app }
        let isOn = audio.isCallOn(for: app)
        guard user.expectsCall != isOn else { return }
        audio.change(app) { $0.expectsCall = isOn }
        audio.messages.append(ReferenceAudio.Message(launch: user.launch, news: .call(isOn: isOn)))
    }
}

/// The rules for categories.
extension AudioSession {
    /// Whether the sound may continue in the background.
    var isLasting: Bool { [.playback, .record, .playAndRecord, .multiRoute].contains(category) }
    var isRecording: Bool { [.record, .playAndRecord].contains(category) }
    /// Whether others may play at the same time.
    var isShared: Bool {
        if category == .ambient { return true }
        return mixesWithOthers && [.playback, .playAndRecord, .multiRoute].contains(category)
    }
}
