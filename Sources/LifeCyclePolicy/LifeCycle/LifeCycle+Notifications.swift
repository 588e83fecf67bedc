import LifeCycleModel

/// What an app is called for because of its notifications.
extension LifeCycle {
    /// It is to be called for one of them, or for the user's answer, once nothing else is under way. One that is
    /// suspended is not woken for that.
    mutating func notify(_ callback: NotificationCallback, isSuspended: Bool, into signals: inout [Signal]) {
        change(advancing: !isSuspended, into: &signals) { $0.notifications.append(callback) }
    }

    /// The user opens it by a notification: it is called for it on its way to the front.
    mutating func tapped(_ callback: Callback) {
        var none: [Signal] = []
        change(advancing: false, into: &none) { $0.taps.append(callback) }
    }

    /// It was to be handed notifications in front, and leaves it: they are shown instead. What the user let it show it
    /// is still told.
    mutating func forgetNotifications() {
        var none: [Signal] = []
        change(advancing: false, into: &none) { $0.forgetNotifications() }
    }

    /// It is in front, and is to be called for what a provider has sent to the user, once nothing else is under way.
    mutating func hand(_ push: HandedPush, into signals: inout [Signal]) {
        change(into: &signals) { $0.handedPushes.append(push) }
    }

    private mutating func change(
        advancing: Bool = true, into signals: inout [Signal], _ change: (inout Owed) -> Void
    ) {
        switch state {
        case .notRunning, .ending:
            return
        case .running(var run):
            guard !run.isAdopted else { return }
            change(&run.owed)
            state = .running(run)
            if advancing { advance(into: &signals) }
        case .recovering(var run, let until):
            change(&run.owed)
            state = .recovering(run, until: until)
        }
    }
}

extension LifeCycle.Owed {
    /// What fired or came in front, and it was not called for yet. What wakes it is handed to it off the front as well.
    mutating func forgetNotifications() {
        events += handedPushes.filter(\.wakes).map { .remoteNotification($0.push) }
        handedPushes = []
        notifications.removeAll { if case .received = $0 { true } else { false } }
    }
}
