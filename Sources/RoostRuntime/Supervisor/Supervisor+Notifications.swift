import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// The work that notifications ask for: tokens, the rules of time zones, sounds, and what is shown.
extension Supervisor {
    func perform(_ output: NotificationOutput) {
        switch output {
        case .makeDeviceToken(let app): submit(.concern(.notification(.tokenMade(app, .random()))))
        case .confirmToken(let app): submit(.concern(.notification(.tokenPersisted(app))))
        case .readZone(let name): submit(.concern(.notification(.zoneRead(name, parts.zones?.rules(of: name)))))
        case .examineSound(let id, let name):
            let file = identifiers[id.app].map { parts.examineSound($0, name) } ?? .missing
            submit(.concern(.notification(.soundExamined(id, file))))
        case .show(let shown): show(shown)
        // Nobody but `roost notifications` shows them here, which asks the brain.
        case .withdraw, .setBadge: break
        }
    }

    /// There is no screen, no loudspeaker and no motor here: what they would do is told.
    private func show(_ shown: ShownNotification) {
        let app = identifiers[shown.id.app].map(\.rawValue) ?? "\(shown.id.app)"
        logger.notice(
            "a notification is shown",
            metadata: ["app": "\(app)", "notification": "\(shown.id)", "sound": "\(Self.name(of: shown.sound))"])
        if shown.sound != .none {
            logger.notice("the device is to vibrate", metadata: ["app": "\(app)", "notification": "\(shown.id)"])
        }
    }

    private static func name(of sound: NotificationSound) -> String {
        switch sound {
        case .none: "none"
        case .standard: "default"
        case .named(let name): name
        }
    }
}
