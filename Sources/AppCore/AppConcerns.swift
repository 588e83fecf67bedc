import LifeCycleModel

/// A happening that the app's side of a concern may react to.
enum AppHappening {
    /// The app is about to be called. The time is on CLOCK_MONOTONIC.
    case called(ConcernCall, at: Nanoseconds)
    case received(ConcernMessage)
    /// The app has reconnected: each concern repeats the requests that the system may have missed or forgotten.
    case connectedAgain
}

/// The app's side of a concern: its state changes with calls and messages, and it repeats requests after a
/// reconnection.
protocol AppConcern: Hashable, Sendable {
    mutating func handle(_ happening: AppHappening, into steps: inout [Step])
}

/// The app's side of every concern, in the order in which they repeat requests after a reconnection.
struct AppConcerns: AppConcern {
    var notifications = NotificationMirror()
    var fetch = FetchIntervalSetting()
    var transfers = BackgroundSessions()
    var location = LocationMirror()
    var voip = VoIPMirror()
    var audio = AudioMirror()
    var sockets = SocketMirror()

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        notifications.handle(happening, into: &steps)
        fetch.handle(happening, into: &steps)
        transfers.handle(happening, into: &steps)
        location.handle(happening, into: &steps)
        voip.handle(happening, into: &steps)
        audio.handle(happening, into: &steps)
        sockets.handle(happening, into: &steps)
    }
}
