import LifeCycleModel
import RoostWire

/// Displayed notifications: a line with a bell for each, and a key to answer them.
extension RunSession {
    /// Rings the bell for each notification that is newly displayed. Notifications that were displayed before this
    /// session do not ring.
    func ringForNotifications() {
        ask(.notifications(app: nil)) { [unowned self] in
            guard case .notifications(let all) = $0 else { return }
            let shown = all.filter { $0.state == "shown" }
            for notification in shown where rung.map({ !$0.contains(Self.key(of: notification)) }) ?? false {
                screen.ring(text(of: notification))
            }
            rung = Set(shown.map(Self.key))
        }
    }

    private static func key(of notification: NotificationSummary) -> String {
        "\(notification.app) \(notification.number)"
    }

    /// The most characters of a text in a line.
    private static let longestText = 200

    private func text(of notification: NotificationSummary) -> String {
        let whose = notification.app == manifest.identifier ? manifest.displayName : notification.app.rawValue
        return [whose, notification.title, notification.body].compactMap { $0 }
            .map { Output.visible(String($0.prefix(Self.longestText))) }.joined(separator: ": ")
    }

    /// Asks for a notification to tap or dismiss.
    fileprivate func answerNotification() {
        ask(.notifications(app: nil)) { [unowned self] in
            guard case .notifications(let all) = $0 else { return }
            let shown = all.filter { $0.state == "shown" }
            guard !shown.isEmpty else { return screen.say(.problem, "no notification is shown") }
            let answers = shown.flatMap { notification in NotificationUserAction.allCases.map { (notification, $0) } }
            let choices = answers.map { "\($1 == .tap ? "tap" : "dismiss") \(text(of: $0))" }
            choose(of: choices, "a notification") { [unowned self] in
                let (notification, action) = answers[$0]
                act(choices[$0], .notification(.answer(notification.app, number: notification.number, action)))
            }
        }
    }
}

extension RunKey {
    static let notification = RunKey("e", "tap a displayed notification, which opens the app, or dismiss it") {
        $0.answerNotification()
    }
}
