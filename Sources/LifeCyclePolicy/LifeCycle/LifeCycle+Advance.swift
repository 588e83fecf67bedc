import LifeCycleModel

extension LifeCycle {
    /// Sends the next callback on the way to the target, if no callback is under way.
    ///
    /// The reasons not to suspend the app are updated before the callback is sent. A suspended app is thus thawed
    /// first.
    mutating func advance(into signals: inout [Signal]) {
        guard case .running = state else { return }
        if signals.isEmpty { signals.reserveCapacity(4) }
        let isAnswerDue = changeRun { run in
            let isWaiting = run.pending != nil
            if !isWaiting, run.termination != nil {
                Self.advanceToEnd(&run, into: &signals)
            } else if !isWaiting {
                Self.advanceToTarget(&run, into: &signals)
            }
            // The target may also have changed while the app waits for an answer.
            if isWaiting || run.pending == nil {
                signals.append(.lifeCycleHoldsChanged)
                return false
            }
            return run.isAdopted && run.phase != .starting
        }
        if isAnswerDue == true { answerForAdopted(into: &signals) }
    }

    private static func advanceToTarget(_ run: inout Run, into signals: inout [Signal]) {
        switch run.phase {
        case .starting:
            break
        case .rising where run.pendingMessages.hasCallOnTheWay && !run.isAdopted:
            giveUpActivation(&run, into: &signals)
            sendCall(&run, into: &signals)
        case .rising:
            // A rise is always completed, even if the app is to leave again; only then does the app leave
            //
            if !run.wantsFront { run.awaitsActivation = false }
            wantActivation(&run, into: &signals)
        case .active:
            if !run.wantsFront || run.isActivationTransient || run.isInterrupted {
                send(.willResignActive, to: &run, into: &signals)
            } else {
                sendPending(&run, into: &signals)
            }
        case .falling where run.wantsFront && run.pendingMessages.hasCallOnTheWay && !run.isAdopted:
            giveUpActivation(&run, into: &signals)
            sendCall(&run, into: &signals)
        case .falling where run.wantsFront && !run.isInterrupted:
            wantActivation(&run, into: &signals)
        case .falling where run.wantsFront:
            giveUpActivation(&run, into: &signals)
            sendPending(&run, into: &signals)
        case .falling where run.exitsOnSuspend:
            run.termination = .exitsOnSuspend
            signals.append(.terminationBegan(.exitsOnSuspend))
            advanceToEnd(&run, into: &signals)
        case .falling:
            giveUpActivation(&run, into: &signals)
            signals.append(.enteredBackground)
            if run.isAdopted { signals.append(.sliceOfTimeDue(.adopted)) }
            send(.didEnterBackground, to: &run, into: &signals)
        case .background where run.isExpiryPending && !run.wantsFront:
            run.isExpiryPending = false
            send(.expireTasks, to: &run, into: &signals)
        case .background where run.pendingMessages.newFacts != nil:
            // The news of earlier events comes before the callback for the present event (R-26, T10).
            sendNewFacts(&run, into: &signals)
        case .background where run.wantsFront:
            run.isEnterBackgroundPending = false
            run.isExpiryPending = false
            // The assertion is set before the slices of time end: otherwise the app would be suspended in between.
            signals.append(.lifeCycleHoldsChanged)
            signals.append(.leftBackground)
            send(.willEnterForeground, to: &run, into: &signals)
        case .background where run.isEnterBackgroundPending:
            run.isEnterBackgroundPending = false
            send(.didEnterBackground, to: &run, into: &signals)
        case .background:
            if run.isSlicePending {
                run.isSlicePending = false
                signals.append(.sliceOfTimeDue(.wake))
            }
            sendPending(&run, into: &signals)
        }
    }

    /// Sends the pending messages one by one, when no transition of the app is due.
    private static func sendPending(_ run: inout Run, into signals: inout [Signal]) {
        if run.isAdopted {
            run.pendingMessages = PendingMessages()
        } else if run.pendingMessages.newFacts != nil {
            sendNewFacts(&run, into: &signals)
        } else if !run.pendingMessages.discardedScenes.isEmpty {
            sendDiscardedScenes(&run, into: &signals)
        } else if !run.pendingMessages.calls.isEmpty {
            sendCall(&run, into: &signals)
        } else if run.pendingMessages.memoryWarning {
            run.pendingMessages.memoryWarning = false
            send(.memoryWarning, to: &run, into: &signals)
        } else if run.pendingMessages.sceneDisconnection, run.phase == .background {
            run.pendingMessages.sceneDisconnection = false
            if run.isSceneConnected { send(.disconnectScene, to: &run, into: &signals) }
        }
    }

    private static func sendCall(_ run: inout Run, into signals: inout [Signal]) {
        if let call = run.pendingMessages.takeCall() { send(.concern(call), to: &run, into: &signals) }
    }

    private static func sendNewFacts(_ run: inout Run, into signals: inout [Signal]) {
        guard let news = run.pendingMessages.newFacts else { return }
        run.pendingMessages.newFacts = nil
        run.pendingMessages.knownFacts = news
        send(.deviceChanged(news), to: &run, into: &signals)
    }

    private static func sendDiscardedScenes(_ run: inout Run, into signals: inout [Signal]) {
        let sessions = run.pendingMessages.discardedScenes
        run.pendingMessages.discardedScenes = []
        send(.discardScenes(sessions), to: &run, into: &signals)
    }

    private static func giveUpActivation(_ run: inout Run, into signals: inout [Signal]) {
        guard run.awaitsActivation else { return }
        run.awaitsActivation = false
        signals.append(.activationReleased)
    }

    /// Sends `willTerminate`, to an active app only after `willResignActive` (R-12, T18, T20).
    private static func advanceToEnd(_ run: inout Run, into signals: inout [Signal]) {
        giveUpActivation(&run, into: &signals)
        switch run.phase {
        case .active: send(.willResignActive, to: &run, into: &signals)
        case .rising, .falling, .background:
            if !run.pendingMessages.discardedScenes.isEmpty, !run.isAdopted {
                // The user closed the app's card: the app is notified of that before it ends (T18).
                sendDiscardedScenes(&run, into: &signals)
            } else {
                send(.willTerminate, to: &run, into: &signals)
            }
        case .starting: send(.willTerminate, to: &run, into: &signals)
        }
    }

    private static func wantActivation(_ run: inout Run, into signals: inout [Signal]) {
        guard !run.awaitsActivation else { return }
        run.awaitsActivation = true
        signals.append(.activationWanted)
    }

    static func send(_ callback: Callback, to run: inout Run, into signals: inout [Signal]) {
        guard rely(on: run.pending == nil, else: .callbackOutOfTurn, into: &signals) else { return }
        let id = run.nextCallback
        run.nextCallback = id.next
        run.pending = PendingCallback(id: id, callback: callback)
        // An adopted app's callbacks are answered before the signals are routed. Its assertions are updated when it
        // rests.
        if !run.isAdopted || run.phase == .starting { signals.append(.lifeCycleHoldsChanged) }
        signals.append(.callbackDue(id, callback))
    }

    /// The callback under way has returned: the app enters the phase that it leads to.
    static func callbackReturned(_ run: inout Run, into signals: inout [Signal]) {
        // Restore identifiers are for the launch callback, which is the first.
        run.restoreIdentifiers = []
        guard let pending = run.pending else { return }
        run.pending = nil
        signals.append(.callbackReturned(pending.callback))
        switch pending.callback {
        case .launch(.user):
            run.phase = .rising
            run.isSceneConnected = run.usesScenes
        case .launch: run.phase = .background
        case .willEnterForeground:
            run.phase = .rising
            run.isSceneConnected = run.usesScenes
            run.pendingMessages.sceneDisconnection = false
        case .didBecomeActive: run.phase = .active
        case .willResignActive:
            run.phase = .falling
            run.isActivationTransient = false
            signals.append(.activationReleased)
        case .didEnterBackground: run.phase = .background
        case .disconnectScene: run.isSceneConnected = false
        case .discardScenes(let sessions):
            run.isSceneConnected = false
            signals.append(.scenesDiscarded(sessions))
        case .expireTasks, .deviceChanged, .memoryWarning, .concern, .willTerminate:
            break
        }
    }

    /// Answers for an adopted app: every callback counts as answered, and `willTerminate` becomes SIGTERM.
    mutating func answerForAdopted(into signals: inout [Signal]) {
        guard case .running(let run) = state, let pending = run.pending else { return }
        switch pending.callback {
        case .willTerminate:
            // A suspended app is thawed first, because a frozen process does not receive a signal.
            signals.append(.lifeCycleHoldsChanged)
            signals.append(.exitRequested)
            exitExpected(into: &signals)
        case .launch, .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .expireTasks,
            .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern:
            changeRun { Self.callbackReturned(&$0, into: &signals) }
            advance(into: &signals)
        }
    }
}
