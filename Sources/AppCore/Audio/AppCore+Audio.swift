public import LifeCycleModel

/// The app's sound: its audio session and its players.
///
/// The app decides at once whether its session can be activated, by what it knows of the device. The system decides
/// again; if it disagrees, it ends the session by a message or a call.
extension AppCore {
    /// The settings of the app's session.
    public var audioSession: AudioSession { concerns.audio.session }

    /// Changes the settings of the app's session.
    public mutating func setAudioSession(_ session: AudioSession, into steps: inout [Step]) {
        concerns.audio.setSession(session, into: &steps)
    }

    /// Activates the app's session. Returns the reason if it cannot be activated; nil if it is active now. `hasMode` is
    /// whether the app declares the background mode. During its own call an app has the same right without it.
    public mutating func activateAudio(hasMode: Bool, into steps: inout [Step]) -> AudioFailure? {
        concerns.audio.activate(isInForeground: applicationState.isForeground, hasMode: hasMode, into: &steps)
    }

    /// Deactivates the app's session, with its players. Returns `isBusy` if a player played.
    public mutating func deactivateAudio(
        notifiesOthers: Bool, at now: Nanoseconds, into steps: inout [Step]
    ) -> AudioFailure? {
        concerns.audio.deactivate(notifiesOthers: notifiesOthers, at: now, into: &steps)
    }

    // MARK: Players

    /// Adds a player of a sound of this length.
    public mutating func addAudioPlayer(length: Nanoseconds) -> AudioPlayerID { concerns.audio.add(length: length) }

    /// Removes a player, which stops.
    public mutating func removeAudioPlayer(_ id: AudioPlayerID, into steps: inout [Step]) {
        concerns.audio.remove(id, into: &steps)
    }

    /// Plays from the player's position on, which activates the app's session. Returns whether it plays.
    public mutating func playAudio(
        _ id: AudioPlayerID, hasMode: Bool, at now: Nanoseconds, into steps: inout [Step]
    ) -> Bool {
        concerns.audio.play(
            id, isInForeground: applicationState.isForeground, hasMode: hasMode, at: now, into: &steps)
    }

    /// Pauses a player. It keeps its position.
    public mutating func pauseAudio(_ id: AudioPlayerID, at now: Nanoseconds, into steps: inout [Step]) {
        concerns.audio.pause(id, at: now, into: &steps)
    }

    /// Moves a player to a position in its sound.
    public mutating func seekAudio(
        _ id: AudioPlayerID, to position: Nanoseconds, at now: Nanoseconds, into steps: inout [Step]
    ) {
        concerns.audio.seek(id, to: position, at: now, into: &steps)
    }

    /// The number of times that a player repeats its sound from now on; negative: without end.
    public mutating func setAudioLoops(
        _ id: AudioPlayerID, _ loops: Int, at now: Nanoseconds, into steps: inout [Step]
    ) {
        concerns.audio.setLoops(id, loops, at: now, into: &steps)
    }

    /// Whether a player plays.
    public func isAudioPlaying(_ id: AudioPlayerID, at now: Nanoseconds) -> Bool {
        concerns.audio.player(id)?.isPlaying(at: now) ?? false
    }

    /// The position of a player in its sound.
    public func audioPosition(of id: AudioPlayerID, at now: Nanoseconds) -> Nanoseconds {
        concerns.audio.player(id)?.position(at: now) ?? .zero
    }

    /// The sounds that are to be audible now; nil if nothing may be audible, because the session is inactive, or because
    /// it may not continue in the background: there the system will pause the players.
    public func audibleSounds(hasMode: Bool) -> [AudibleSound]? {
        let isAllowed =
            applicationState.isForeground
            || (hasMode || concerns.audio.hasCall) && audioSession.category.continuesInBackground
        return isAllowed ? concerns.audio.sounds : nil
    }

    // MARK: Calls

    /// The number of calls that the app's session and players have to make now.
    public var audioDeliveryCount: Int { concerns.audio.deliveries.count }

    /// Takes the next call that the app's session or a player has to make; nil if there is none.
    public mutating func nextAudioDelivery() -> AudioDelivery? {
        concerns.audio.deliveries.isEmpty ? nil : concerns.audio.deliveries.removeFirst()
    }
}

/// A call that an audio session or a player makes to the app's code.
public enum AudioDelivery: Hashable, Sendable {
    /// The session is interrupted.
    case interrupted
    /// The interruption has ended.
    case interruptionEnded(shouldResume: Bool)
    /// A player has played its sound to the end.
    case finished(AudioPlayerID)
}
