import LifeCycleModel

/// The app's one scene, and what each callback means for it. Without scenes it is the app delegate that is called; with
/// them its scene's delegate is instead, and the application's notifications are posted all the same (section 1.2, 3).
struct SceneSteps: Hashable, Sendable {
    /// Nil for an app without scenes.
    let session: SceneSessionID?
    private(set) var isConnected = false

    init(session: SceneSessionID?) { self.session = session }

    /// T01: the scene of an app launched to the foreground is connected, and told that it will enter it.
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

    /// A scene that is not connected has nobody to tell: a launch into the background makes none (T02).
    func didEnterBackground(into steps: inout [Step]) {
        guard session != nil else { return add(.didEnterBackground, .didEnterBackground, to: &steps) }
        if isConnected { add(.scene(.didEnterBackground), .sceneDidEnterBackground, to: &steps) }
        steps.append(.post(.didEnterBackground))
    }

    /// T25.
    mutating func disconnect(into steps: inout [Step]) {
        guard isConnected else { return }
        isConnected = false
        add(.scene(.didDisconnect), .sceneDidDisconnect, to: &steps)
    }

    /// T18: a scene whose session was closed goes with it.
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
