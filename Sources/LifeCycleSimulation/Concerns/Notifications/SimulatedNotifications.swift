import LifeCycleModel
import LifeCyclePolicy

/// Local and remote notifications in the simulation.
package enum SimulatedNotifications: SimulatedConcern {
    static let calls = NotificationCall.samples.map { ConcernCall.notification($0) }
    static let reasons =
        NotificationDecision.samples.map { ConcernReason.notification($0) }
        + PushDecision.samples.map { ConcernReason.push($0) }
    static let acts = [
        // Most pushes are for apps that registered, and some arrive in pairs.
        Act(7) { history, app in
            let app = history.world.random.chance(1, in: 4) ? app : history.world.registeredApp() ?? app
            repeat {
                let push = history.world.randomPush()
                history.world.handle(.concern(.notification(.pushArrived(app, push))))
            } while history.world.random.chance(1, in: 3)
        },
        Act(10) { $0.world.useNotification(of: $1) },
    ]
    static let reference: any ReferenceConcern.Type = ReferenceNotifications.self
    static let alphabets = [
        ConcernAlphabet(
            name: "notifications", modes: [.remoteNotification],
            searchSteps: [
                .register, .schedule, .cancel, .tap, .askForPushes, .push, .alert, .lowPower, .fullPower, .finishEvent,
            ])
    ]

    static func invariants(of device: Device) -> [any Invariant] {
        [NotificationsFireOnce(device), PushesKeepTheRules(device)]
    }

    static func rules(of call: ConcernCall) -> (any SimulatedCall)? {
        if case .notification(let word) = call { word } else { nil }
    }
    static func work(_ output: ConcernOutput) -> (any SimulatedOutput)? {
        if case .notification(let word) = output { word } else { nil }
    }
    static func reason(_ reason: ConcernReason) -> (any SimulatedReason)? {
        switch reason {
        case .notification(let decision): decision
        case .push(let decision): decision
        default: nil
        }
    }
}

extension NotificationCall: SimulatedCall {
    private static let token = DeviceToken([UInt8](repeating: 0, count: DeviceToken.size))

    static let samples = everyKind(from: NotificationCall.received(LocalNotification())) { call in
        switch call {
        case .received: ([call], next: .receivedRemote(.text("{}")))
        case .receivedRemote: ([call], next: .registered([]))
        case .registered: ([call], next: .registeredForRemote(nil))
        case .registeredForRemote: ([.registeredForRemote(token), call], next: nil)
        }
    }

    func handler(deliveredBy callback: CallbackID) -> CompletionHandler? {
        switch self {
        case .receivedRemote: .event(OpenEvent(callback: callback, kind: .remoteNotification))
        case .received, .registered, .registeredForRemote: nil
        }
    }

    func opensApp(_ pushes: (PushID) -> RemoteNotification?) -> Bool {
        switch self {
        case .received: true
        case .receivedRemote(.of(let push)): pushes(push)?.isVisible ?? false
        case .receivedRemote(.text), .registered, .registeredForRemote: false
        }
    }

    /// Only the newest token is valid.
    func outdates(_ older: ConcernCall) -> Bool {
        if case (.registeredForRemote, .notification(.registeredForRemote)) = (self, older) { true } else { false }
    }
}
