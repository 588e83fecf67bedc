/// The app's scenes. An app has one scene, as on an iPhone.
extension UIApplication {
    /// At most one scene; empty before the scene connects and after it disconnects.
    public var connectedScenes: Set<UIScene> { Set([sceneHost?.scene].compactMap(\.self)) }

    /// The sessions of this launch that the user has not closed, with or without a scene.
    public var openSessions: Set<UISceneSession> { Set(sceneHost?.sessions ?? []) }

    /// Whether the app may have several scenes at a time; always false, as on an iPhone, regardless of `Info.plist`.
    public var supportsMultipleScenes: Bool { false }

    /// Requests a scene. The app's existing session needs no action; a second session is an error, as on an iPhone.
    ///
    /// - Parameters:
    ///   - sceneSession: The session to activate; nil for a new session.
    ///   - userActivity: Always nil: Foundation on Linux has no `NSUserActivity`.
    ///   - options: The options; ignored.
    ///   - errorHandler: Called later on the main thread with a `UISceneError`.
    public func requestSceneSessionActivation(
        _ sceneSession: UISceneSession?, userActivity: Never?, options: UIScene.ActivationRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) {
        if let sceneSession, openSessions.contains(sceneSession) { return }
        refuse(errorHandler)
    }

    /// Requests the destruction of a scene; always an error, as on an iPhone, where only the user closes it. The error
    /// handler runs later on the main thread.
    public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
        errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) {
        refuse(errorHandler)
    }

    /// Requests a new snapshot of a scene. Does nothing, because Roost draws nothing.
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {}

    private func refuse(_ errorHandler: (@MainActor @Sendable (any Error) -> Void)?) {
        guard let errorHandler else { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated { errorHandler(UISceneError(.multipleScenesNotSupported)) }
        }
    }

    /// The app's windows in order of creation.
    public var windows: [UIWindow] { WindowList.shared.all }

    /// The window that receives typed text; nil if there is none.
    public var keyWindow: UIWindow? { WindowList.shared.key }
}
