import LifeCycleModel

/// Calls of concerns, completion handlers, and the rates of requests.
extension DeviceState {
    /// Queues a call of a concern for the app.
    mutating func enqueue(
        _ call: ConcernCall, _ delivery: LifeCycle.Delivery, _ slot: Int, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        guard !apps[slot].record.manifest.isAdopted else { return }
        var signals: [Signal] = []
        apps[slot].lifeCycle.enqueue(
            call, delivery, isSuspended: apps[slot].suspension.isSuspendedOrAboutToBe, into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    /// A callback with a completion handler is sent. In the background, the handler's time limit begins.
    mutating func handlerGiven(
        _ id: CallbackID, _ call: ConcernCall, _ slot: Int, isInBackground: Bool, at now: Nanoseconds,
        into next: inout [Signal]
    ) {
        guard let handler = call.handler(of: id) else { return }
        apps[slot].handlers.given(handler, isInBackground: isInBackground, policy: policy, at: now, into: &next)
    }

    /// Notes, after a restart of the system, the completion handlers that apps may not have called yet.
    mutating func mayHandle(_ handlers: [OpenHandler]) {
        for open in handlers {
            guard let slot = slot(of: open.app), apps[slot].lifeCycle.isRecovering else { continue }
            apps[slot].handlers.mayHave(open.handler)
        }
    }

    /// After a restart of the system, these apps are still kept running.
    mutating func restore(_ assertions: [(app: AppID, assertion: Assertion)]) {
        for (app, assertion) in assertions {
            guard let slot = slot(of: app), apps[slot].lifeCycle.isRecovering else { continue }
            apps[slot].assertions.restored(assertion)
            if assertion.isUnlimited { apps[slot].tasks.keptRunningBefore() }
        }
    }

    /// The app has connected again after a restart of the system, and may still handle events. Each event gets its full
    /// time.
    mutating func goOnWithEvents(_ attachment: Attachment, _ slot: Int, at now: Nanoseconds) -> [Signal] {
        var signals: [Signal] = []
        let isInBackground = attachment.phase == .background
        apps[slot].handlers.reattached(isInBackground: isInBackground, policy: policy, at: now, into: &signals)
        for event in attachment.openEvents.suffix(OpenEvent.most) where isInBackground {
            apps[slot].handlers.given(
                .event(event), isInBackground: true, policy: policy, at: now, into: &signals)
        }
        return signals
    }

    /// Whether the app may make one more request. Transfer and notification requests have their own rates.
    mutating func allows(_ request: AppRequest, of slot: Int, at now: Nanoseconds) -> Bool {
        switch request {
        case .concern(.transfer):
            apps[slot].transferActs.allows(rate: policy.transferActRate, burst: policy.transferActBurst, at: now)
        case .concern(.notification(.act)):
            apps[slot].notificationActs.allows(
                rate: policy.notificationActRate, burst: policy.notificationActBurst, at: now)
        case .acknowledge, .beginTask, .endTask, .setIdleTimerDisabled, .eventHandled, .concern:
            apps[slot].requests.allows(policy: policy, at: now)
        }
    }

    /// The app has called the completion handler of an event.
    mutating func eventHandled(
        _ callback: CallbackID, _ result: BackgroundFetchResult, by launch: LaunchID, _ slot: Int,
        at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        let isAwaited = apps[slot].handlers.isAwaited(callback)
        guard let event = apps[slot].handlers.event(of: callback),
            let time = apps[slot].handlers.called(.event(event), at: now, into: &signals)
        else { return effects.append(.decided(.launch(launch, .ignoredLate))) }
        effects.append(.decided(.launch(launch, .eventHandled(event.kind, result, after: time))))
        tell(.eventHandled(launch, event.kind, result, after: isAwaited ? time : .zero), after: effects)
    }
}

extension Event {
    /// Whether the event may change which apps can be woken. Frequent events do not.
    var mayChangeAdmission: Bool {
        switch self {
        case .device(let event): event.mayChangeAdmission
        case .process(_, .exited): true
        case .process, .app, .concern, .deadlineReached: false
        }
    }
}

extension DeviceEvent {
    fileprivate var mayChangeAdmission: Bool {
        switch self {
        case .appInstalled, .appUninstalled, .appForceQuit, .deviceUnlocked, .settingChanged, .backgroundRefreshChanged,
            .deviceShutdownBegan, .deviceStarted, .shutdownBegan, .networkChanged:
            true
        case .appOpened, .appSwitched, .interruptionAccepted, .homePressed, .wakeOccurred, .memoryRanLow,
            .memoryRanShort, .interruptionBegan, .interruptionDismissed,
            .deviceLocked, .inputOccurred, .clockWasSet, .clockStepped, .zoneChanged:
            false
        }
    }
}
