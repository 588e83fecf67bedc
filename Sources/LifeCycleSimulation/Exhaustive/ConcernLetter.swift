import LifeCycleModel

/// One thing that may happen with a concern and an app of the small world.
enum ConcernLetter: String, Hashable, Sendable, CaseIterable {
    // The app calls the completion handler of an event that it was called for.
    case finishEvent = "finish event"

    // Background fetch: the app asks for it, or for none; the user gives it an opportunity.
    case askForFetches = "ask for fetches"
    case askForNoFetches = "ask for no fetches"
    case offerFetch = "offer fetch"

    // Local notifications: the app registers, schedules, cancels; the user taps the newest one.
    case register
    case schedule
    case cancel
    case tap

    // Remote notifications: the app registers; one comes, silent or visible; Low Power Mode holds silent ones back.
    case askForPushes = "ask for pushes"
    case push
    case alert
    case lowPower = "low power"
    case fullPower = "full power"

    // Background transfers: the app opens its session, begins a download, takes what has arrived, has handled the session's
    // events; the engine brings the file, or fails.
    case openSession = "open session"
    case download
    case take
    case handled
    case arrive
    case fail
}
