import LifeCycleModel
import LifeCyclePolicy

extension FetchDecision: SimulatedReason {
    static let samples: [FetchDecision] = everyKind(from: .asked(.sample, nil)) { decision in
        let (launch, app) = (LaunchID.sample, LaunchID.sample.app)
        return switch decision {
        case .asked: ([.asked(launch, nil), .asked(launch, .zero)], next: .offered(app, late: .zero))
        case .offered: ([decision], next: .spent(app, until: .zero))
        case .spent: ([decision], next: .declined(launch, .modeNotDeclared))
        case .declined:
            ([.modeNotDeclared, .fetchDisabled].map { .declined(launch, $0) }, next: .barred(app, nil))
        case .barred: (obstacles.map { .barred(app, $0) }, next: .missed(app, .ending))
        case .missed: ([decision], next: nil)
        }
    }

    /// The obstacles of an app that has requested fetches.
    private static let obstacles: [FetchObstacle?] =
        [nil] + FetchHold.allCases.map { .held($0) }
        + [
            .modeNotDeclared, .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh, .notUnlockedSinceStart,
            .noScenes,
        ].map { .refused($0) }

    var name: String {
        switch self {
        case .asked(_, let interval): interval == nil ? "fetch no longer asked for" : "fetch asked for"
        case .declined(_, let refusal): "fetch asked for in vain: \(refusal.rawValue)"
        case .barred(_, .refused(let refusal)?): "fetch barred: \(refusal.rawValue)"
        case .barred(_, .held(let hold)?): "fetch held: \(hold.rawValue)"
        case .barred(_, nil): "fetch no longer barred"
        case .offered: "fetch offered"
        case .missed(_, let refusal): "fetch missed: \(refusal.rawValue)"
        case .spent: "fetch time spent"
        }
    }

    var isOwnWake: Bool { if case .offered = self { true } else { false } }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        if case .offered(app, _) = self { reason == .backgroundFetch } else { false }
    }
}
