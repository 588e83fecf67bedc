import LifeCycleModel

/// A step in the small world. The search explores all sequences of these steps.
enum SearchStep: Hashable, Sendable, CustomStringConvertible {
    // The user.
    case open(AppID)
    case home
    case quit(AppID)
    case lock, unlock
    case interrupt, dismiss
    /// To the home screen (nil), or to an app.
    case accept(AppID?)

    // The system.
    case wake(AppID)
    case memoryLow, memoryShort
    /// Time passes until the brain's next deadline.
    case deadline
    /// The system is killed and started again.
    case restart

    // An app: the next action of its process, or of the kernel on it.
    case connect(AppID)
    case acknowledge(AppID)
    case beginTask(AppID)
    case endTask(AppID)
    /// The app crashes, or it exits after it was asked to.
    case exit(AppID)
    case freeze(AppID)
    case failToFreeze(AppID)

    // Concerns.
    case concern(AppID, ConcernStep)

    /// The step as it appears in a report.
    var description: String {
        switch self {
        case .open(let app): "open \(app.rawValue)"
        case .home: "home"
        case .quit(let app): "quit \(app.rawValue)"
        case .lock: "lock"
        case .unlock: "unlock"
        case .interrupt: "interrupt"
        case .dismiss: "dismiss"
        case .accept(let app): app.map { "accept \($0.rawValue)" } ?? "accept"
        case .wake(let app): "wake \(app.rawValue)"
        case .memoryLow: "memory low"
        case .memoryShort: "memory short"
        case .deadline: "deadline"
        case .restart: "restart"
        case .connect(let app): "connect \(app.rawValue)"
        case .acknowledge(let app): "acknowledge \(app.rawValue)"
        case .beginTask(let app): "begin \(app.rawValue)"
        case .endTask(let app): "end \(app.rawValue)"
        case .exit(let app): "exit \(app.rawValue)"
        case .freeze(let app): "freeze \(app.rawValue)"
        case .failToFreeze(let app): "fail to freeze \(app.rawValue)"
        case .concern(let app, let searchStep): "\(searchStep.name) \(app.rawValue)"
        }
    }
}
