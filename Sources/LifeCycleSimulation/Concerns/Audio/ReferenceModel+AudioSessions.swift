import LifeCycleModel
import LifeCyclePolicy

/// The requests of apps about their sound, and which session interrupts which, in the reference model.
extension ReferenceModel {
    private static let mostSounds = 64

    mutating func requestAudio(_ request: AudioRequest, _ launch: LaunchID) {
        let app = launch.app
        guard let index = index(of: app), let present = apps[index].launch, present.id == launch, !present.isGoing
        else { return said.append(.launch(launch, .ignoredLate)) }
        if audio[app]?.launch != launch { audio.enter(ReferenceAudio.User(launch: launch)) }
        switch request {
        case .setSession(let session): setAudioSession(session, launch, index)
        case .activate: activateAudio(launch, index)
        case .deactivate(let notifiesOthers):
            audio.notices.removeAll { $0.app == app }
            guard audio.isActive(app) || audio.loss(of: app) != nil else { return }
            audio.said.append(.deactivated(launch))
            if notifiesOthers { audio.handOver(from: app) } else { audio.endLosses(to: app, in: .unended) }
            audio.silence(app)
            audio.losses.removeAll { $0.app == app }
        case .play(let player, let end):
            if audio.loss(of: app)?.stage == .lasting { return }
            activateAudio(launch, index)
            if audio.isActive(app) { play(player, until: end, launch) }
        case .stop(let player): audio.sounds.removeAll { $0.app == app && $0.player == player }
        }
    }

    private mutating func setAudioSession(_ session: AudioSession, _ launch: LaunchID, _ index: Int) {
        guard let old = audio[launch.app]?.session else { return }
        audio.change(launch.app) { $0.session = session }
        guard audio.isActive(launch.app) else { return }
        let failure = audioFailure(of: launch.app, index)
        // A session that had interrupted the others before may stay active.
        if let failure, failure != .cannotInterruptOthers || old.isShared { return refuseAudio(launch, failure) }
        if old.isShared { interruptAudio(by: launch.app) }
    }

    private mutating func activateAudio(_ launch: LaunchID, _ index: Int) {
        guard let user = audio[launch.app], !audio.isActive(launch.app) else { return }
        if let failure = audioFailure(of: launch.app, index) { return refuseAudio(launch, failure) }
        audio.said.append(.activated(launch, user.session))
        audio.losses.removeAll { $0.app == launch.app }
        audio.active.append(launch.app)
        audio.active.sort()
        interruptAudio(by: launch.app)
    }

    private mutating func play(_ player: AudioPlayerID, until end: Nanoseconds?, _ launch: LaunchID) {
        let app = launch.app
        let isKnown = audio.sounds.contains { $0.app == app && $0.player == player }
        let isFull =
            audio.sounds.count { $0.app == app } >= Self.mostSounds
            || audio.ended.count { $0.app == app } >= 2 * Self.mostSounds
        guard isKnown || !isFull else { return said.append(.launch(launch, .ignoredLate)) }
        audio.sounds.removeAll { $0.app == app && $0.player == player }
        audio.sounds.append(ReferenceAudio.Sound(app: app, player: player, end: end))
        audio.sounds.sort { ($0.app, $0.player) < ($1.app, $1.player) }
    }

    /// The first reason not to activate the app's session; nil if there is none.
    private func audioFailure(of app: AppID, _ index: Int) -> AudioFailure? {
        guard let session = audio[app]?.session else { return nil }
        let isUnseen = foregroundApp != app && !apps[index].state.isForeground
        let seen = foregroundApp.flatMap { audio[$0] }
        let isSeenAlone = seen.map { audio.isActive($0.app) && !$0.session.isShared } ?? false
        // The call of an app has interrupted the others already, and comes before the foreground app.
        let hasCall = audio.appsWithCalls.contains(app)
        let wouldInterrupt = audio.loss(of: app) == nil && !hasCall
        let obstacles: [(isSo: Bool, failure: AudioFailure)] = [
            (audio.isCallOn(for: app) && session.isRecording, .insufficientPriority),
            (isUnseen && !mayPlayInBackground(index), .cannotStartPlaying),
            (isUnseen && !session.isLasting, .cannotStartPlaying),
            (isUnseen && !session.isShared && wouldInterrupt, .cannotInterruptOthers),
            (isUnseen && !session.isShared && isSeenAlone && !hasCall, .cannotInterruptOthers),
        ]
        return obstacles.first { $0.isSo }?.failure
    }

    /// The app believes that its session is active, and learns that it is not.
    private mutating func refuseAudio(_ launch: LaunchID, _ failure: AudioFailure) {
        audio.said.append(.refused(launch, failure))
        guard let place = audio.losses.firstIndex(where: { $0.app == launch.app }), failure != .cannotStartPlaying
        else {
            audio.losses.removeAll { $0.app == launch.app }
            return audio.deactivate(launch.app, at: now)
        }
        if audio.losses[place].stage != .lasting {
            let winner = failure == .cannotInterruptOthers ? foregroundApp : nil
            audio.said.append(.interrupted(launch, by: winner))
            audio.losses[place] = ReferenceAudio.Loss(app: launch.app, winner: winner, hadSound: true)
        }
        requests.append(.call(launch.app, .audio(.interrupted(at: now)), .whereItRuns))
    }

    /// The system ends an active session.
    mutating func stopAudio(_ launch: LaunchID) {
        guard audio.isActive(launch.app) else { return }
        audio.said.append(.stopped(launch))
        audio.deactivate(launch.app, at: now)
    }

    /// An active session that is not shared interrupts all others that are not.
    mutating func interruptAudio(by winner: AppID) {
        if audio[winner]?.session.isShared != false { return }
        for user in audio.users
        where user.app != winner && !user.session.isShared && !audio.appsWithCalls.contains(user.app) {
            interruptAudio(of: user, by: winner)
        }
    }

    /// Interrupts a session if it is active. The winner is nil for a call.
    mutating func interruptAudio(of user: ReferenceAudio.User, by winner: AppID?) {
        guard audio.isActive(user.app) else { return }
        let hadSound = audio.plays(user.app)
        audio.said.append(.interrupted(user.launch, by: winner))
        audio.silence(user.app)
        audio.losses.append(ReferenceAudio.Loss(app: user.app, winner: winner, hadSound: hadSound))
        audio.losses.sort { $0.app < $1.app }
        requests.append(.call(user.app, .audio(.interrupted(at: now)), .whereItRuns))
    }
}
