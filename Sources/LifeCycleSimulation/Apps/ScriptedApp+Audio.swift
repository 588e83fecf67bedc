import AppCore
import LifeCycleModel

/// An app's use of sound, by its behavior profile or its script.
extension ScriptedApp {
    /// The player of an app's sounds.
    struct Player: Hashable, Sendable {
        let id: AudioPlayerID
        /// The length of the sound; nil if it is repeated without end.
        let length: Nanoseconds?
    }

    var hasAudioMode: Bool { modes.contains(.audio) }

    /// Plays a sound of this length from its beginning; nil plays a sound without end. The first player has the number
    /// 1. A sound of another length has another player.
    mutating func play(_ length: Nanoseconds?, at now: Nanoseconds, into steps: inout [Step]) {
        let id: AudioPlayerID
        if let player, player.length == length {
            id = player.id
        } else {
            if let player { core.removeAudioPlayer(player.id, into: &steps) }
            id = core.addAudioPlayer(length: length ?? .seconds(60))
            player = Player(id: id, length: length)
        }
        core.seekAudio(id, to: .zero, at: now, into: &steps)
        if length == nil { core.setAudioLoops(id, -1, at: now, into: &steps) }
        _ = core.playAudio(id, hasMode: hasAudioMode, at: now, into: &steps)
    }

    /// In the middle of a callback, the app uses sound. After an interruption it usually continues to play.
    mutating func useAudio(
        in call: DelegateCall, at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]
    ) {
        // The session and the players notify no code of a scripted app.
        while core.nextAudioDelivery() != nil {}
        guard profile.plays > 0 else { return }
        var isToResume = false
        if case .concern(.audio(.interruptionEnded(let shouldResume)), _) = call { isToResume = shouldResume }
        guard random.chance(isToResume ? 80 : profile.plays, in: 100) else { return }
        // An app in any language may make requests that the app's side of RoostKit would not make.
        if !isToResume, random.chance(1, in: 3) { return requestSound(at: now, random: &random, into: &acts) }
        var new: [Step] = []
        switch isToResume ? 9 : random.below(10) {
        case 0: _ = core.deactivateAudio(notifiesOthers: random.chance(3, in: 4), at: now, into: &new)
        case 1...3: core.setAudioSession(Self.session(random: &random), into: &new)
        case 4: _ = core.activateAudio(hasMode: hasAudioMode, into: &new)
        case 5: if let player { core.pauseAudio(player.id, at: now, into: &new) }
        default: play(Self.length(random: &random), at: now, into: &new)
        }
        sendOnly(new, into: &acts)
    }

    private func requestSound(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        if profile.floods > 0, random.chance(1, in: 10) {
            acts.append(.fault(.flood))
            for number in 1...70 { send(.play(AudioPlayerID(Int64(number)), until: nil), into: &acts) }
            return
        }
        let id = AudioPlayerID(Int64(1 + random.below(3)))
        switch random.below(8) {
        case 0: send(.deactivate(notifiesOthers: random.chance(3, in: 4)), into: &acts)
        case 1: send(.setSession(Self.session(random: &random)), into: &acts)
        case 2: send(.stop(id), into: &acts)
        case 3, 4: send(.activate, into: &acts)
        default: send(.play(id, until: Self.length(random: &random).map { now + $0 }), into: &acts)
        }
    }

    private func send(_ request: AudioRequest, into acts: inout [Act]) {
        acts.append(.send(.concern(.audio(request))))
    }

    private static func length(random: inout RandomSource) -> Nanoseconds? {
        let lengths: [Nanoseconds?] = [.milliseconds(300), .seconds(3), .seconds(3), .seconds(20), .seconds(200), nil]
        return lengths[random.below(lengths.count)]
    }

    private static func session(random: inout RandomSource) -> AudioSession {
        let mixing = AudioSession(category: .playback, mixesWithOthers: true)
        let alone = AudioSession(category: .playback)
        let rare: [AudioSession] = [
            AudioSession(), AudioSession(category: .ambient), AudioSession(category: .record),
            AudioSession(category: .playAndRecord), AudioSession(category: .multiRoute, mixesWithOthers: true),
        ]
        let all = [alone, alone, alone, mixing, mixing] + rare
        return all[random.below(all.count)]
    }
}
