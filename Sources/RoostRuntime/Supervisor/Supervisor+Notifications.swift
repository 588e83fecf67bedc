import LifeCycleModel
import LifeCyclePolicy
import Logging
import RoostPorts

/// The output of notifications: tokens, rules of time zones, sounds, and display.
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
        // On Linux only `roost notifications` displays notifications, and it asks the brain.
        case .withdraw, .setBadge: break
        }
    }

    /// Logs what a device would display, play or vibrate: there is no screen, speaker or motor here.
    private func show(_ shown: ShownNotification) {
        let app = identifiers[shown.id.app].map(\.rawValue) ?? "\(shown.id.app)"
        logger.notice(
            "a notification is shown",
            metadata: ["app": "\(app)", "notification": "\(shown.id)", "sound": "\(Self.name(of: shown.sound))"])
        if shown.sound != .none {
            logger.notice("the device vibrates", metadata: ["app": "\(app)", "notification": "\(shown.id)"])
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
