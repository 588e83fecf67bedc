import LifeCycleModel

/// The app's notifications as the app can read them. The mirror combines the system's last report with the app's own
/// actions that the system has not confirmed.
struct NotificationMirror: AppConcern {
    /// The notifications that the system had scheduled after the last confirmed action.
    private var confirmed: [LocalNotification] = []
    private var status = NotificationStatus()
    /// The actions in order; the actions from `firstUnconfirmed` on are unconfirmed. Confirming one of 10,000 actions
    /// moves no elements.
    private var acts: [NumberedNotificationAct] = []
    private var firstUnconfirmed = 0
    private var unconfirmed: ArraySlice<NumberedNotificationAct> { acts[firstUnconfirmed...] }
    /// The number of the last action.
    private(set) var last: Int64 = 0
    /// The local notification by which the user launched the app; nil if there is none.
    private(set) var launchedBy: LocalNotification?
    /// The payload of the remote notification that launched the app; nil if there is none.
    private(set) var launchPayload: String?
    /// Whether the push that launched the app has not been delivered to the delegate yet.
    private var isLaunchPushAhead = true

    /// Whether the app has its device token.
    private(set) var isRegisteredForRemote = false
    /// The unanswered registration for remote notifications; nil if there is none.
    private var unanswered: NotificationRequest?

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called(.notification(let call), _): begin(call)
        case .received(.notification(let news)): receive(news)
        case .connectedAgain:
            let repeats = unconfirmed.map { NotificationRequest.act($0) } + (unanswered.map { [$0] } ?? [])
            steps += repeats.map { .send(.concern(.notification($0))) }
        case .called, .received: break
        }
    }

    /// The value of `scheduledLocalNotifications`.
    var scheduled: [LocalNotification] {
        var all = confirmed
        for numbered in unconfirmed { Self.apply(numbered.act, to: &all) }
        return all
    }

    /// The value of `applicationIconBadgeNumber`.
    var badge: Int32 {
        for numbered in unconfirmed.reversed() {
            if case .setBadge(let number) = numbered.act { return max(0, number) }
        }
        return status.badge
    }

    /// The notification types that the user allows.
    var types: NotificationTypes { status.types }

    mutating func does(_ act: NotificationAct) -> AppRequest {
        last += 1
        let numbered = NumberedNotificationAct(number: last, act: act)
        acts.append(numbered)
        return .concern(.notification(.act(numbered)))
    }

    private mutating func receive(_ news: NotificationNews) {
        switch news {
        case .begins(let status):
            confirmed = []
            self.status = status
            // The following messages include the confirmed actions.
            acts = unconfirmed.filter { $0.number > status.received }
            firstUnconfirmed = 0
        case .scheduled(let notification): confirmed.append(notification)
        case .unscheduled(let notification):
            if let index = confirmed.firstIndex(of: notification) { confirmed.remove(at: index) }
        case .received(let number):
            while let first = unconfirmed.first, first.number <= number {
                firstUnconfirmed += 1
                Self.apply(first.act, to: &confirmed)
                if case .setBadge(let badge) = first.act { status.badge = max(0, badge) }
            }
            if firstUnconfirmed > acts.count / 2 {
                acts.removeFirst(firstUnconfirmed)
                firstUnconfirmed = 0
            }
        case .badge(let number): status.badge = number
        case .launchedBy(let notification): launchedBy = notification
        case .launchedByRemote(let payload): launchPayload = payload.text
        }
    }

    /// Whether a payload belongs to the push that launched the app; true once.
    mutating func takeLaunchPush(_ payload: String) -> Bool {
        guard isLaunchPushAhead, payload == launchPayload else { return false }
        isLaunchPushAhead = false
        return true
    }

    private mutating func begin(_ call: NotificationCall) {
        switch call {
        case .registered(let types): status.types = types
        case .registeredForRemote(let token):
            unanswered = nil
            isRegisteredForRemote = token != nil
        case .received, .receivedRemote: break
        }
    }

    /// Records that the app has registered or unregistered for remote notifications.
    mutating func asked(_ request: NotificationRequest, isWanted: Bool) {
        unanswered = isWanted ? request : nil
        if !isWanted { isRegisteredForRemote = false }
    }

    private static func apply(_ act: NotificationAct, to scheduled: inout [LocalNotification]) {
        switch act {
        case .schedule(let notification):
            if notification.fireDate != nil { scheduled.append(notification) }
        case .cancel(let notification): scheduled.removeAll { $0 == notification }
        case .cancelAll: scheduled = []
        case .present, .setBadge, .register: break
        }
    }
}
