import LifeCycleModel

/// The sound of a launch that has asked for any, or that may have before a restart of the system.
struct AudioClient: Hashable, Sendable, Codable {
    /// The state of the audio session.
    ///
    /// ```
    ///   inactive ◀──suspended── resumable ◀──told── ended
    ///    │   ▲                                        ▲
    ///    activate, deactivate                the interrupter goes
    ///    ▼   │                                        │
    ///   active ────────────interrupt──────────▶ interrupted ──the interrupter says nothing──▶ abandoned
    /// ```
    ///
    /// `activate` leads to `active` from every state, and `deactivate` to `inactive`. A refusal or a stop by the system
    /// also ends `active`. After a restart of the system the state is `resumable`.
    enum State: Hashable, Sendable, Codable {
        case inactive
        case active
        /// Interrupted by an app, or by a phone call if that is nil.
        case interrupted(by: AppID?, wasPlaying: Bool)
        /// The interrupter has deactivated its session without a word to others. No end follows.
        case abandoned
        /// The interruption has ended, and the app is not called yet.
        case ended(shouldResume: Bool)
        /// The app may activate its session again, also in the background.
        case resumable
    }

    /// Why the app has the assertion of sound.
    enum Hold: Hashable, Sendable, Codable {
        /// After a restart of the system, the app has not connected again.
        case reconnecting
        case playing
        /// It has played, was called about the end of an interruption, or has connected again. The time is on the awake
        /// clock.
        case until(Nanoseconds)
    }

    /// A player that plays.
    struct Player: Hashable, Sendable, Codable {
        /// The end of its sound on the awake clock; nil for none.
        let until: Nanoseconds?
    }

    let launch: LaunchID
    var session = AudioSession()
    var state = State.inactive
    /// The players that play. There are none unless the session is active.
    var players = SortedMap<AudioPlayerID, Player>()
    /// The players that have ended, until the app is sent the call about it.
    var finished = SortedMap<AudioPlayerID, Present>()
    var hold: Hold?
    /// The time at which the system deactivated the session, until the app is told.
    var deactivatedAt: Nanoseconds?
    /// Whether the app knows that a phone call is on.
    var knowsCall = false

    init(launch: LaunchID) { self.launch = launch }

    /// Whether the session was interrupted, and has not been activated since.
    var wasInterrupted: Bool {
        switch state {
        case .inactive, .active: false
        case .interrupted, .abandoned, .ended, .resumable: true
        }
    }

    /// Whether another app or a phone call interrupts the session now.
    var isInterrupted: Bool { if case .interrupted = state { true } else { false } }

    /// The next time at which a player ends, or the app is no longer held.
    var next: Nanoseconds? {
        let ends = players.compactMap(\.value.until)
        return if case .until(let time) = hold { (ends + [time]).min() } else { ends.min() }
    }
}
