public import LifeCycleModel
import LifeCyclePolicy

/// Remote notifications in the virtual world.
extension World {
    /// Makes a token that is not secret, but the same in each run. Sometimes no token can be made.
    mutating func makeToken() -> DeviceToken? {
        if goesWrong(1, in: 20) {
            faultObserver?(.noToken)
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: DeviceToken.size)
        for index in bytes.indices { bytes[index] = UInt8(random.below(256)) }
        return DeviceToken(bytes)
    }

    /// The held push of an app; nil if no push is held.
    public func heldPush(of app: AppID) -> PushID? {
        core.checked.disk.concerns.pushes.first { $0.app == app }?.held
    }

    /// Any app that is registered for remote notifications; nil if no app is registered.
    mutating func registeredApp() -> AppID? {
        let apps = device.snapshots.map(\.record.app).filter { device.deviceToken(of: $0) != nil }
        return apps.isEmpty ? nil : apps[random.below(apps.count)]
    }

    /// A random push. Most are silent. The others are an alert, an alert with the app's own sound, an alert with a
    /// badge of zero, or only a badge.
    mutating func randomPush() -> RemoteNotification {
        let isVisible = random.chance(1, in: 4)
        let number = random.below(4)
        var shown = LocalNotification()
        if number > 0 { shown.alertBody = "news \(number)" }
        if number == 1 { shown.sound = .named("news.caf") }
        let presentation = RemoteNotification.Presentation(shown, badge: [4, nil, 0, nil][number])
        return RemoteNotification(
            payload: "{\"aps\":{},\"number\":\(number)}", isContentAvailable: random.chance(5, in: 6),
            presentation: isVisible ? presentation : nil)
    }
}
