import LifeCycleModel

/// Something that happens to an app and that its side of a concern may care about.
enum AppHappening {
    /// The app is about to be called.
    case called(ConcernCall)
    case told(ConcernMessage)
    /// The app is connected again: each concern says what the system may not have heard, or may have forgotten.
    case connectedAgain
}

/// The app's side of a concern: what its calls and messages change, and what is said again on a new connection.
protocol AppConcern: Hashable, Sendable {
    mutating func handle(_ happening: AppHappening, into steps: inout [Step])
}

/// The app's side of every concern. Its order is that in which they speak on a new connection.
struct AppConcerns: AppConcern {
    var notifications = NotificationMirror()
    var fetch = FetchWish()
    var transfers = BackgroundSessions()

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        notifications.handle(happening, into: &steps)
        fetch.handle(happening, into: &steps)
        transfers.handle(happening, into: &steps)
    }
}
