import LifeCycleModel

/// The app's notifications as the app can read them. It combines the system's last report with the app's own actions
/// that the system has not confirmed.
struct NotificationMirror: AppConcern {
    /// The notifications that the system had scheduled after the last confirmed action.
    private var heard: [LocalNotification] = []
    private var status = NotificationStatus()
    /// The actions in order; those from `firstUnheard` on are unconfirmed. Confirming one of 10,000 moves no elements.
    private var acts: [NumberedNotificationAct] = []
    private var firstUnheard = 0
    private var unheard: ArraySlice<NumberedNotificationAct> { acts[firstUnheard...] }
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
        case .called(.notification(let call)): begin(call)
        case .told(.notification(let news)): hear(news)
        case .connectedAgain:
            let repeats = unheard.map { NotificationRequest.act($0) } + (unanswered.map { [$0] } ?? [])
            steps += repeats.map { .send(.concern(.notification($0))) }
        case .called, .told: break
        }
    }

    /// The value of `scheduledLocalNotifications`.
    var scheduled: [LocalNotification] {
        var all = heard
        for numbered in unheard { Self.apply(numbered.act, to: &all) }
        return all
    }

    /// The value of `applicationIconBadgeNumber`.
    var badge: Int32 {
        for numbered in unheard.reversed() {
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

    private mutating func hear(_ news: NotificationNews) {
        switch news {
        case .begins(let status):
            heard = []
            self.status = status
            // The following messages include the confirmed actions.
            acts = unheard.filter { $0.number > status.heard }
            firstUnheard = 0
        case .scheduled(let notification): heard.append(notification)
        case .unscheduled(let notification):
            if let index = heard.firstIndex(of: notification) { heard.remove(at: index) }
        case .heard(let number):
            while let first = unheard.first, first.number <= number {
                firstUnheard += 1
                Self.apply(first.act, to: &heard)
                if case .setBadge(let badge) = first.act { status.badge = max(0, badge) }
            }
            if firstUnheard > acts.count / 2 {
                acts.removeFirst(firstUnheard)
                firstUnheard = 0
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
