import LifeCycleModel
import LifeCyclePolicy

extension AudioDecision: SimulatedReason {
    static let samples: [AudioDecision] = everyKind(from: .activated(.sample, AudioSession())) { decision in
        let launch = LaunchID.sample
        return switch decision {
        case .activated: ([decision], next: .refused(launch, .cannotStartPlaying))
        case .refused: (failures.map { .refused(launch, $0) }, next: .deactivated(launch))
        case .deactivated: ([decision], next: .stopped(launch))
        case .stopped: ([decision], next: .session(launch, true))
        case .session: ([decision, .session(launch, false)], next: .interrupted(launch, by: nil))
        case .interrupted:
            (
                [decision, .interrupted(launch, by: launch.app)],
                next: .interruptionEnded(launch, shouldResume: true)
            )
        case .interruptionEnded: ([decision, .interruptionEnded(launch, shouldResume: false)], next: nil)
        }
    }

    /// Only the app itself finds that its session is busy.
    private static let failures: [AudioFailure] = [.cannotStartPlaying, .cannotInterruptOthers, .insufficientPriority]

    var name: String {
        switch self {
        case .activated: "audio session activated"
        case .refused(_, let failure): "audio session refused: \(failure)"
        case .deactivated: "audio session deactivated"
        case .stopped: "audio session stopped"
        case .session(_, let isOn): isOn ? "sound in the background begun" : "sound in the background ended"
        case .interrupted(_, let app): app == nil ? "audio session interrupted by a call" : "audio session interrupted"
        case .interruptionEnded(_, let shouldResume):
            shouldResume ? "audio interruption ended, to resume" : "audio interruption ended"
        }
    }

    /// A suspended app may be thawed to learn the end of an interruption.
    var isOwnWake: Bool { if case .interruptionEnded = self { true } else { false } }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool { false }
}
