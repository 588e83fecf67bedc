import LifeCycleModel

/// The app's only scene, and the effect of each callback on it. Without scenes the app delegate is called; with scenes,
/// the scene's delegate. The application's notifications are posted in both cases (section 1.2, 3).
struct SceneSteps: Hashable, Sendable {
    /// The scene session; nil for an app without scenes.
    let session: SceneSessionID?
    private(set) var isConnected = false

    init(session: SceneSessionID?) { self.session = session }

    /// Connects the scene of an app launched into the foreground, and announces that it will enter the foreground
    /// (T01).
    mutating func launched(for reason: LaunchReason, into steps: inout [Step]) {
        guard session != nil, reason == .user else { return }
        connect(into: &steps)
        add(.scene(.willEnterForeground), .sceneWillEnterForeground, to: &steps)
    }

    mutating func willEnterForeground(into steps: inout [Step]) {
        guard session != nil else { return add(.willEnterForeground, .willEnterForeground, to: &steps) }
        if !isConnected { connect(into: &steps) }
        add(.scene(.willEnterForeground), .sceneWillEnterForeground, to: &steps)
        steps.append(.post(.willEnterForeground))
    }

    func didBecomeActive(into steps: inout [Step]) {
        guard session != nil else { return add(.didBecomeActive, .didBecomeActive, to: &steps) }
        add(.scene(.didBecomeActive), .sceneDidActivate, to: &steps)
        steps.append(.post(.didBecomeActive))
    }

    func willResignActive(into steps: inout [Step]) {
        guard session != nil else { return add(.willResignActive, .willResignActive, to: &steps) }
        add(.scene(.willResignActive), .sceneWillDeactivate, to: &steps)
        steps.append(.post(.willResignActive))
    }

    /// A launch into the background connects no scene, so its delegate gets no call (T02).
    func didEnterBackground(into steps: inout [Step]) {
        guard session != nil else { return add(.didEnterBackground, .didEnterBackground, to: &steps) }
        if isConnected { add(.scene(.didEnterBackground), .sceneDidEnterBackground, to: &steps) }
        steps.append(.post(.didEnterBackground))
    }

    /// Disconnects the scene (T25).
    mutating func disconnect(into steps: inout [Step]) {
        guard isConnected else { return }
        isConnected = false
        add(.scene(.didDisconnect), .sceneDidDisconnect, to: &steps)
    }

    /// Reports closed sessions, and disconnects the scene if its session is one of them (T18).
    mutating func discard(_ sessions: [SceneSessionID], into steps: inout [Step]) {
        guard let session else { return }
        if sessions.contains(session) { disconnect(into: &steps) }
        steps.append(.call(.didDiscardSceneSessions(sessions)))
    }

    private mutating func connect(into steps: inout [Step]) {
        guard let session else { return }
        isConnected = true
        add(.scene(.willConnect(session)), .sceneWillConnect, to: &steps)
    }

    private func add(_ call: DelegateCall, _ notification: LifeCycleNotification, to steps: inout [Step]) {
        steps.append(.call(call))
        steps.append(.post(notification))
    }
}
