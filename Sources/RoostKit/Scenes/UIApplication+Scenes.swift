/// The app's scenes: one, as on an iPhone.
extension UIApplication {
    /// The scenes that are connected.
    public var connectedScenes: Set<UIScene> { Set([sceneHost?.scene].compactMap(\.self)) }

    /// The sessions there are, with a scene or without.
    public var openSessions: Set<UISceneSession> { Set(sceneHost?.sessions ?? []) }

    /// Whether the app may have several scenes at a time: false, as on an iPhone, whatever its `Info.plist` says.
    public var supportsMultipleScenes: Bool { false }

    /// Asks for a scene. For the app's own session there is nothing to do; a second one is an error, as on an iPhone.
    ///
    /// - Parameters:
    ///   - sceneSession: The session to activate; nil for a new one.
    ///   - userActivity: Nil: Foundation on Linux has no `NSUserActivity`.
    ///   - options: How; not looked at.
    ///   - errorHandler: Called with a `UISceneError`, later on the main thread.
    public func requestSceneSessionActivation(
        _ sceneSession: UISceneSession?, userActivity: Never?, options: UIScene.ActivationRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) {
        if let sceneSession, openSessions.contains(sceneSession) { return }
        refuse(errorHandler)
    }

    /// Asks for a scene to go: an error, as on an iPhone, where the user alone closes it.
    public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) {
        refuse(errorHandler)
    }

    /// Asks for a new snapshot of a scene. There are none, because nothing is drawn: does nothing.
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {}

    private func refuse(_ errorHandler: (@MainActor @Sendable (any Error) -> Void)?) {
        guard let errorHandler else { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated { errorHandler(UISceneError(.multipleScenesNotSupported)) }
        }
    }

    /// The app's windows, in the order they were made.
    public var windows: [UIWindow] { WindowList.shared.all }

    /// The window that gets what is typed.
    public var keyWindow: UIWindow? { WindowList.shared.key }
}
