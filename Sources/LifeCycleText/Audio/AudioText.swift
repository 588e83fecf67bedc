import LifeCycleModel
import LifeCyclePolicy

/// Decisions about sound as sentences.
extension AudioDecision: ReasonText {
    static var kind: String { "audio" }

    var launch: LaunchID? {
        switch self {
        case .activated(let launch, _), .refused(let launch, _), .deactivated(let launch), .stopped(let launch),
            .session(let launch, _), .interrupted(let launch, _), .interruptionEnded(let launch, _):
            launch
        }
    }

    var rule: String? {
        switch self {
        case .activated: "R-153"
        case .refused(_, .insufficientPriority), .interrupted: "R-157"
        case .refused: "R-156"
        case .deactivated: "R-82"
        case .stopped, .session: "R-154"
        case .interruptionEnded: "R-158"
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .activated(_, let session): "activates its audio session: \(Self.text(session))"
        case .refused(_, let failure): "may not have an active audio session: \(Self.text(failure))"
        case .deactivated: "deactivates its audio session"
        case .stopped:
            "has its audio session deactivated: it is suspended, or its sound may not continue in the background"
        case .session(_, true): "plays sound in the background: it is not suspended"
        case .session(_, false): "is no longer kept running by its sound"
        case .interrupted(_, nil): "has its audio session interrupted by a phone call"
        case .interrupted(_, .some): "has its audio session interrupted by another app"
        case .interruptionEnded(_, shouldResume: true):
            "is told that the interruption of its audio session has ended: it should continue to play"
        case .interruptionEnded(_, shouldResume: false):
            "is told that the interruption of its audio session has ended"
        }
    }

    private static func text(_ session: AudioSession) -> String {
        session.category.rawValue + (session.mixes ? ", which mixes with the sound of others" : "")
    }

    private static func text(_ failure: AudioFailure) -> String {
        switch failure {
        case .isBusy: "it plays"
        case .cannotStartPlaying: "in the background it needs the mode audio, and a category that continues there"
        case .cannotInterruptOthers: "in the background it may not interrupt the sound of others"
        case .insufficientPriority: "it would record, and a phone call is on"
        }
    }
}
