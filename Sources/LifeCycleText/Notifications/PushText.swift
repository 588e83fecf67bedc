import LifeCycleModel
import LifeCyclePolicy

/// Decisions about remote notifications as sentences.
extension PushDecision: ReasonText {
    static var kind: String { "push" }

    var launch: LaunchID? { if case .asked(let launch, _) = self { launch } else { nil } }

    var rule: String? {
        switch self {
        case .asked, .registered, .notRegistered, .delivered, .visible(_, nil): "R-90"
        case .held(_, .throttled, _): "R-91"
        case .held(_, .notUnlockedSinceStart, _): "R-124"
        case .held: "R-98"
        case .dropped(_, let loss), .visible(_, let loss?):
            switch loss {
            case .refused(let refusal): DecisionText.rule(refusal)
            case .forceQuit, .killed, .unregistered: "R-91"
            case .newsstandThrottled: "R-110"
            }
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .asked(_, true): "asks to receive remote notifications"
        case .asked(_, false): "asks not to receive remote notifications"
        case .registered(_, true): "has a device token and receives remote notifications"
        case .registered(_, false): "receives no remote notifications: its device token could not be created"
        case .notRegistered: "a remote notification is dropped: the app has not registered for remote notifications"
        case .delivered: "receives a remote notification"
        case .held(_, let hold, false): "a remote notification is held back: \(Self.text(hold))"
        case .held(_, let hold, true):
            "a remote notification is held back and replaces the previous one: \(Self.text(hold))"
        case .dropped(_, let loss): "a remote notification is dropped: \(Self.text(loss))"
        case .visible(_, nil): "a visible remote notification arrived; it does not wake the app"
        case .visible(_, let loss?):
            "a visible remote notification arrived but did not wake the app: \(Self.text(loss))"
        }
    }

    private static func text(_ hold: PushHold) -> String {
        switch hold {
        case .throttled: "the rate limit for silent pushes is reached"
        case .lowPowerMode: "Low Power Mode is on"
        case .battery: "the battery is low"
        case .notUnlockedSinceStart: "the device has not been unlocked since it started"
        case .ending: "the app is being ended"
        case .shuttingDown: "the system is shutting down"
        }
    }

    private static func text(_ loss: PushLoss) -> String {
        switch loss {
        case .refused(let refusal): DecisionText.text(refusal)
        case .forceQuit: "the user has swiped the app away"
        case .killed: "the app was killed"
        case .unregistered: "the app is no longer registered for them"
        case .newsstandThrottled: "the app was woken for a Newsstand download less than a day ago"
        }
    }
}
