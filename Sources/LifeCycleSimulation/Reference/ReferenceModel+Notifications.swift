import LifeCycleModel
import LifeCyclePolicy

/// What notifications mean for an app's own way: it is handed those that fire while it is in front, and hears of the one
/// the user opens it by before it is active.
extension ReferenceModel {
    /// The user taps one. That it was there, and that the app may be opened, is given.
    mutating func openByTap(at now: Nanoseconds) {
        guard let id = given.tapped, let index = index(of: id.app),
            let notification = delivered.first(where: { $0.id == id })
        else { return }
        if let launch = apps[index].launch, !launch.isGoing, launch.ending == nil, !launch.isEarly {
            apps[index].launch?.owe(notification.call, .tap)
        } else {
            let isWaiting = apps[index].launch?.isEarly == true && apps[index].launch?.ending == nil
            apps[index].opening = ReferenceApp.Opening(
                launch: apps[index].launchCount + (isWaiting ? 0 : 1), notification: notification)
        }
        open(id.app, at: now)
        obstacles = []
    }

    /// What is kept of them changes: whoever is to be handed one is.
    mutating func take(_ records: [NotificationRecord], at now: Nanoseconds) {
        for record in records {
            switch record {
            case .delivered(let record):
                let isNew = !delivered.contains { $0.id == record.id }
                delivered.removeAll { $0.id == record.id }
                delivered.append(record)
                // That a remote one is handed over is given by itself.
                if isNew, record.stage == .handed, record.remote == nil {
                    owe(record.id.app, .received(record.notification), at: now)
                }
            case .removed(let id): delivered.removeAll { $0.id == id }
            case .client(let record):
                clients.removeAll { $0.app == record.app }
                clients.append(record)
            case .scheduled, .unscheduled: break
            }
        }
    }

    mutating func owe(_ app: AppID, _ callback: NotificationCall, at now: Nanoseconds) {
        guard let index = index(of: app), let launch = apps[index].launch, !launch.isGoing else { return }
        let isReceived = if case .received = callback { true } else { false }
        apps[index].launch?.owe(
            .notification(callback), isReceived ? .foreground(wakesElsewhere: false) : .whereItRuns)
        drawConsequences(at: now)
    }

    /// What it does with its notifications, as far as that concerns itself.
    mutating func notify(_ index: Int, _ numbered: NumberedNotificationAct, at now: Nanoseconds) {
        guard let launch = apps[index].launch else { return }
        let before = clients.first { $0.app == launch.id.app && $0.launch == launch.id.number }?.heard ?? 0
        let isKept = given.notifications.contains {
            if case .client(let record) = $0 {
                record.app == launch.id.app && record.launch == launch.id.number && record.heard == numbered.number
            } else {
                false
            }
        }
        if !isKept || numbered.number <= before { said.append(.launch(launch.id, .ignoredLate)) }
    }

    /// It connects for the first time in a launch that began with a tap: with scenes there are no launch options.
    mutating func hearOfOpening(_ index: Int, _ attachment: Attachment) {
        guard let opening = apps[index].opening, let launch = apps[index].launch,
            launch.id.number == opening.launch, !launch.isEarly
        else { return }
        if attachment.phase != .starting {
            apps[index].opening = nil
        } else if apps[index].manifest.usesScenes {
            apps[index].opening = nil
            apps[index].launch?.owe(opening.notification.call, .tap)
        } else if opening.notification.remote != nil, !opening.isOwed {
            apps[index].opening?.isOwed = true
            apps[index].launch?.owe(opening.notification.call, .tap)
        }
    }
}
