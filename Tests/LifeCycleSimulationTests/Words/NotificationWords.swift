import LifeCycleModel

@testable import LifeCycleSimulation

private let id = NotificationID(app: one, number: 1)
private let push = RemoteNotification(payload: "{}", isContentAvailable: true)

/// A notification that is displayed while its app is in the background, and tapped.
private let tap: [SearchStep] =
    Way.active + [.concern(one, .register), .acknowledge(one), .concern(one, .schedule)]
    + [.home, .acknowledge(one), .acknowledge(one), .freeze(one), .deadline, .concern(one, .tap)]

extension SimulatedNotifications: ConcernWithWays {
    static var words: [Word] {
        NotificationRequest.words + NotificationAct.words + NotificationInput.words + NotificationCall.words
    }
}

extension NotificationRequest: HasWays {
    static let first = NotificationRequest.setRemoteNotifications(true)

    var step: (way: Way, next: NotificationRequest?) {
        switch self {
        case .setRemoteNotifications: (.fetch(.askForPushes), nil)
        case .act: (.other, nil)
        }
    }
}

extension NotificationAct: HasWays {
    static let first = NotificationAct.register(.all)

    var step: (way: Way, next: NotificationAct?) {
        switch self {
        case .register: (.fetch(.register), .schedule(LocalNotification()))
        case .schedule: (.fetch(.schedule), .cancelAll)
        case .cancelAll: (.fetch(.schedule, .cancel), .present(LocalNotification()))
        case .present: (.random, .cancel(LocalNotification()))
        case .cancel: (.random, .setBadge(0))
        case .setBadge: (.random, nil)
        }
    }
}

extension NotificationInput: HasWays {
    static let first = NotificationInput.tapped(id)

    var step: (way: Way, next: NotificationInput?) {
        switch self {
        case .tapped: (.searchSteps("fetch with notifications", tap), .pushArrived(one, push))
        case .pushArrived: (.fetch(.push), .tokenMade(one, nil))
        case .tokenMade: (.fetch(.askForPushes), .tokenPersisted(one))
        case .tokenPersisted: (.fetch(.askForPushes), .dismissed(id))
        case .dismissed: (.random, .allowed(one, true))
        case .allowed: (.random, .zoneRead("", nil))
        case .zoneRead: (.none("Notifications of the small world have no time zone."), .soundExamined(id, .missing))
        case .soundExamined: (.none("Notifications of the small world have no sound of their own."), nil)
        }
    }
}

extension NotificationCall: HasWays {
    static let first = NotificationCall.received(LocalNotification())

    var step: (way: Way, next: NotificationCall?) {
        switch self {
        case .received:
            (.searchSteps("fetch with notifications", tap + [.acknowledge(one)]), .receivedRemote(.text("{}")))
        case .receivedRemote:
            (
                .searchSteps(
                    "fetch with notifications",
                    Way.active + [.concern(one, .askForPushes), .acknowledge(one), .concern(one, .push)]),
                .registered([])
            )
        case .registered: (.fetch(.register), .registeredForRemote(nil))
        case .registeredForRemote: (.fetch(.askForPushes), nil)
        }
    }
}
