import LifeCycleModel

/// The app's side of its sound: the session, the players, and the calls that they have to make.
struct AudioMirror: AppConcern {
    private(set) var session = AudioSession()
    /// Whether the app has set `session`, so that it is repeated after a reconnection.
    private var isSet = false
    private var isActive = false
    /// Whether the session was active in this launch.
    private var wasActive = false
    /// Whether the session is interrupted, or was and has not been activated since.
    private var wasInterrupted = false
    /// Whether a call is on that is not the app's own.
    private var isCallOn = false
    /// Whether the system has activated the session for a call of the app. Then the app may play in the background, and
    /// interrupts no other app by that: the call has done so.
    private(set) var hasCall = false
    private var players: [AudioPlayback] = []
    private var lastPlayer: Int64 = 0
    /// The calls that the session and the players have to make, oldest first.
    var deliveries: [AudioDelivery] = []

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called(.audio(.interrupted(let time)), _):
            becomeInactive(at: time, into: &steps)
            wasInterrupted = true
            deliveries.append(.interrupted)
        case .called(.audio(.interruptionEnded(let shouldResume)), _):
            deliveries.append(.interruptionEnded(shouldResume: shouldResume))
        case .called(.audio(.finished(let id)), let now):
            // The app may have stopped the player, or given it another end, before it was called.
            guard let index = index(of: id), let end = players[index].end, end <= now else { return }
            players[index].finish()
            deliveries.append(.finished(id))
        case .called(.voip(.audio(let isActive)), _): hasCall = isActive
        case .received(.audio(.deactivated(let time))): becomeInactive(at: time, into: &steps)
        case .received(.audio(.call(let isOn))): isCallOn = isOn
        case .connectedAgain:
            // The system tells of a call on each connection. After a restart of the system there is none.
            isCallOn = false
            sendAgain(into: &steps)
        case .called, .received: break
        }
    }

    /// Sends the session and the players again.
    private func sendAgain(into steps: inout [Step]) {
        if isSet { send(.setSession(session), into: &steps) }
        guard isActive else {
            // The system may have missed the end of the session.
            if wasActive, !wasInterrupted { send(.deactivate(notifiesOthers: true), into: &steps) }
            return
        }
        send(.activate, into: &steps)
        for player in players where player.startedAt != nil { send(.play(player.id, until: player.end), into: &steps) }
    }

    private func send(_ request: AudioRequest, into steps: inout [Step]) {
        steps.append(.send(.concern(.audio(request))))
    }

    /// The players are paused. The system may have received a request of a player after it ended the session.
    private mutating func becomeInactive(at time: Nanoseconds, into steps: inout [Step]) {
        isActive = false
        for index in players.indices where players[index].startedAt != nil {
            players[index].pause(at: time)
            send(.stop(players[index].id), into: &steps)
        }
    }

    // MARK: The session

    mutating func setSession(_ session: AudioSession, into steps: inout [Step]) {
        (self.session, isSet) = (session, true)
        send(.setSession(session), into: &steps)
    }

    mutating func activate(isInForeground: Bool, hasMode: Bool, into steps: inout [Step]) -> AudioFailure? {
        if isActive { return nil }
        let activation = AudioActivation(
            session: session, isInForeground: isInForeground, mayPlayInBackground: hasMode || hasCall,
            wasInterrupted: wasInterrupted || hasCall, isCallOn: isCallOn)
        if let failure = activation.failure { return failure }
        (isActive, wasActive, wasInterrupted) = (true, true, false)
        send(.activate, into: &steps)
        return nil
    }

    mutating func deactivate(notifiesOthers: Bool, at now: Nanoseconds, into steps: inout [Step]) -> AudioFailure? {
        let isBusy = players.contains { $0.startedAt != nil }
        becomeInactive(at: now, into: &steps)
        wasInterrupted = false
        send(.deactivate(notifiesOthers: notifiesOthers), into: &steps)
        return isBusy ? .isBusy : nil
    }

    // MARK: Players

    mutating func add(length: Nanoseconds) -> AudioPlayerID {
        lastPlayer += 1
        players.append(AudioPlayback(id: AudioPlayerID(lastPlayer), length: length))
        return AudioPlayerID(lastPlayer)
    }

    mutating func remove(_ id: AudioPlayerID, into steps: inout [Step]) {
        guard let index = index(of: id) else { return }
        if players[index].startedAt != nil { send(.stop(id), into: &steps) }
        players.remove(at: index)
    }

    mutating func play(
        _ id: AudioPlayerID, isInForeground: Bool, hasMode: Bool, at now: Nanoseconds, into steps: inout [Step]
    ) -> Bool {
        guard let index = index(of: id) else { return false }
        if players[index].isPlaying(at: now) { return true }
        if players[index].startedAt != nil {
            // Its sound is over, and the app was not called yet.
            players[index].finish()
            deliveries.append(.finished(id))
        }
        guard players.count(where: { $0.startedAt != nil }) < AudioPlayerID.mostPlaying,
            activate(isInForeground: isInForeground, hasMode: hasMode, into: &steps) == nil
        else { return false }
        players[index].play(at: now)
        send(.play(id, until: players[index].end), into: &steps)
        return true
    }

    mutating func pause(_ id: AudioPlayerID, at now: Nanoseconds, into steps: inout [Step]) {
        guard let index = index(of: id), players[index].startedAt != nil else { return }
        players[index].pause(at: now)
        send(.stop(id), into: &steps)
    }

    mutating func seek(_ id: AudioPlayerID, to position: Nanoseconds, at now: Nanoseconds, into steps: inout [Step]) {
        change(id, at: now, into: &steps) { $0.seek(to: position, at: now) }
    }

    mutating func setLoops(_ id: AudioPlayerID, _ loops: Int, at now: Nanoseconds, into steps: inout [Step]) {
        change(id, at: now, into: &steps) { $0.setLoops(loops, at: now) }
    }

    /// Changes a player, which continues to play if it played.
    private mutating func change(
        _ id: AudioPlayerID, at now: Nanoseconds, into steps: inout [Step], _ change: (inout AudioPlayback) -> Void
    ) {
        guard let index = index(of: id) else { return }
        let isPlaying = players[index].startedAt != nil
        change(&players[index])
        guard isPlaying else { return }
        players[index].play(at: now)
        send(.play(id, until: players[index].end), into: &steps)
    }

    /// The sounds of the players that play; nil if the session is inactive.
    var sounds: [AudibleSound]? { isActive ? players.compactMap(\.sound) : nil }

    func player(_ id: AudioPlayerID) -> AudioPlayback? { index(of: id).map { players[$0] } }

    private func index(of id: AudioPlayerID) -> Int? { players.firstIndex { $0.id == id } }
}
