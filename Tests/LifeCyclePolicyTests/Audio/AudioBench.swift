import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// Effects that concern sound as text, one a line. Times are seconds after the start.
enum AudioLines {
    /// Nil for an effect that does not concern sound.
    static func of(_ effect: Effect) -> String? {
        switch effect {
        case .launch(let launch, .send(.callback(_, .concern(.audio(let call))))): "\(launch) \(of(call))"
        case .launch(let launch, .send(.concern(.audio(.call(let isOn))))):
            "\(launch) knows: call \(isOn ? "on" : "off")"
        case .launch(let launch, .send(.concern(.audio(.deactivated(let time))))):
            "\(launch) inactive since \(time - start)"
        case .launch(let launch, .thaw): "thaw \(launch)"
        case .launch(let launch, .freeze): "freeze \(launch)"
        case .decided(.concern(.audio(let decision))): "· \(of(decision))"
        case .decided(.launch(let launch, .ignoredLate)): "· \(launch) ignored, late"
        default: nil
        }
    }

    private static func of(_ call: AudioCall) -> String {
        switch call {
        case .interrupted(let time): "interrupted at \(time - start)"
        case .interruptionEnded(let shouldResume): "interruption ended\(shouldResume ? ", resume" : "")"
        case .finished(let player): "finished \(player.rawValue)"
        }
    }

    private static func of(_ decision: AudioDecision) -> String {
        switch decision {
        case .activated(let launch, let session):
            "\(launch) active: \(session.category)\(session.mixes ? ", mixes" : "")"
        case .refused(let launch, let failure): "\(launch) refused: \(failure)"
        case .deactivated(let launch): "\(launch) deactivates"
        case .stopped(let launch): "\(launch) stopped"
        case .session(let launch, let isOn): "\(launch) \(isOn ? "begins" : "ends") a session"
        case .interrupted(let launch, let other): "\(launch) interrupted by \(other.map { "\($0)" } ?? "a call")"
        case .interruptionEnded(let launch, let shouldResume): "\(launch) again\(shouldResume ? ", resume" : "")"
        }
    }
}

extension Bench {
    /// Handles an event and the events of all helpers that follow. Returns what concerns sound.
    mutating func sounds(_ event: Event) -> String {
        let count = effects.count
        _ = plays(event)
        return sounded(since: count)
    }

    /// The effects that concern sound since the first `count` effects.
    func sounded(since count: Int) -> String {
        effects[count...].compactMap(AudioLines.of).joined(separator: "\n")
    }

    /// Advances the clock, meets the deadlines on the way, and lets the helpers act. Returns what concerns sound.
    mutating func listens(_ span: Nanoseconds) -> String {
        let count = effects.count
        _ = passes(span)
        _ = plays()
        return sounded(since: count)
    }

    mutating func asks(_ request: AudioRequest, _ launch: LaunchID = launch(1)) -> String {
        sounds(.app(launch, .requested(.concern(.audio(request)))))
    }

    /// A player plays for a time from now on; nil: without end.
    mutating func starts(_ length: Nanoseconds?, player: Int64 = 1, _ launch: LaunchID = launch(1)) -> String {
        asks(.play(AudioPlayerID(player), until: length.map { now.awake + $0 }), launch)
    }

    mutating func phoneCall(isOn: Bool) -> String { sounds(.concern(.audio(.call(isOn: isOn)))) }

    /// A bench with two apps that have the mode `audio`. The first one plays for a time in the foreground.
    static func playing(
        _ length: Nanoseconds? = nil, _ session: AudioSession = AudioSession(category: .playback),
        modes: [BackgroundMode] = [.audio], _ policy: Policy = .iOS26
    ) -> Bench {
        var bench = Bench(policy, [.sample(1, modes: modes), .sample(2, modes: modes)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.setSession(session))
        _ = bench.starts(length)
        return bench
    }

    /// Opens the second app, with a session.
    mutating func opensSecond(_ session: AudioSession = AudioSession(category: .playback)) -> String {
        let count = effects.count
        _ = plays(.device(.appOpened(app(2))))
        _ = asks(.setSession(session), launch(2))
        return sounded(since: count)
    }
}
