import LifeCycleModel

/// The app's side of each concern: what its calls and messages change, and what is said again on a new connection.
struct AppConcerns: Hashable, Sendable {
    var fetch = FetchWish()
    var notifications = NotificationMirror()
    var transfers = BackgroundSessions()

    /// The app is about to be called.
    mutating func begin(_ call: ConcernCall) {
        switch call {
        case .fetch: break
        case .notification(let call): notifications.begin(call)
        case .transfer(let call): transfers.begin(call)
        }
    }

    mutating func hear(_ message: ConcernMessage, into steps: inout [Step]) {
        switch message {
        case .notification(let news): notifications.hear(news)
        case .transfer(let session, let news): transfers.hear(news, of: session, into: &steps)
        }
    }

    /// The requests that the system may not have heard, or may have forgotten.
    mutating func beginRepeats() -> [AppRequest] { notifications.repeats + fetch.repeats + transfers.beginRepeats() }
}
