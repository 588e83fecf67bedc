/// What the system calls an app for. One at a time, each acknowledged (section 1.2, 1.3).
public enum Callback: Hashable, Sendable, Codable {
    /// `willFinishLaunching`, then `didFinishLaunching`: to the foreground for `.user`, else to the background.
    case launch(LaunchReason)
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case willEnterForeground
    /// Every outstanding expiration handler.
    case expireTasks
    case willTerminate

    /// The name of the delegate method it ends in, for logs and reports.
    public var name: String {
        switch self {
        case .launch: "didFinishLaunching"
        case .didBecomeActive: "didBecomeActive"
        case .willResignActive: "willResignActive"
        case .didEnterBackground: "didEnterBackground"
        case .willEnterForeground: "willEnterForeground"
        case .expireTasks: "expirationHandlers"
        case .willTerminate: "willTerminate"
        }
    }
}
