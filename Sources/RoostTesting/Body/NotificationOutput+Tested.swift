import LifeCycleModel
import LifeCyclePolicy

extension NotificationOutput: TestedWork {
    func perform(by body: Body) {
        func report(_ input: NotificationInput) { body.enqueue(.concern(.notification(input))) }
        switch self {
        case .makeDeviceToken(let app):
            // The token is the same in each run, but different for each app.
            let bytes = (0..<DeviceToken.size).map { UInt8(truncatingIfNeeded: Int(app.rawValue) * 31 + $0) }
            report(.tokenMade(app, DeviceToken(bytes)))
        case .confirmToken(let app): report(.tokenPersisted(app))
        case .readZone(let name): report(.zoneRead(name, VirtualZones.rules(of: name)))
        case .examineSound(let id, _):
            // Nothing is played here, and apps in the test's process have no bundle. So every sound name counts as
            // valid.
            report(.soundExamined(id, .sound(.linearPCM, length: .seconds(1))))
        // The brain itself knows which notifications are displayed.
        case .show, .withdraw, .setBadge: break
        }
    }
}
