import LifeCycleModel

/// Background activity sessions. A session begins in the foreground and keeps the app in use in the background:
/// its standard updates continue, and it is told of significant changes and regions. If the app ends while its updates
/// continue, a new position launches it again. The new launch has to make the session again at once.
extension Locations {
    mutating func setActivity(
        _ isWanted: Bool, by launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        let (app, old) = (launch.app, clients[launch.app]?.record.activity)
        guard isWanted else {
            if old?.launch == launch { endActivity(of: app, into: &actions) }
            return
        }
        if old?.launch == launch { return }
        // Also on its way out of the foreground.
        let isForeground = device.isForeground(app) && device.isOpenable(app)
        guard clients[app]?.record.permission != .deny, old != nil || isForeground else {
            return actions.explain(.activityRefused(launch))
        }
        actions.explain(.activity(launch, true))
        keep(app, into: &actions) { $0.activity = BackgroundActivity(launch: launch) }
    }

    mutating func endActivity(of app: AppID, into actions: inout Actions<Self>) {
        guard let activity = clients[app]?.record.activity else { return }
        actions.explain(.activity(activity.launch, false))
        keep(app, into: &actions) { $0.activity = nil }
    }

    /// Launches the app again for its session, or ends a session that a newer launch has not made again.
    mutating func settleActivity(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let activity = client.record.activity else { return }
        // The code of a prewarmed app has not run.
        let live = device.isPrewarmed(app) ? nil : device.liveLaunch(of: app)
        if live == nil ? activity.state == .overtaken : live != activity.launch {
            if live == nil || device.isInForeground(app) || device.isSuspended(app) {
                endActivity(of: app, into: &actions)
            } else if activity.state != .overtaken {
                keep(app, into: &actions) { $0.activity?.state = .overtaken }
            }
            return
        }
        if let time = client.continuation.since, time > device.wallNow, activity.state == .interrupted {
            return wait(until: time)
        }
        guard isAwaited(client, on: device), let newest, !newestIsOld, newest != client.continuation.known
        else { return }
        actions.explain(.continued(app))
        keep(app, into: &actions) { $0.activity?.state = .current }
        clients.update(app) { $0.continuation.isCalling = true }
        actions.wake(app, for: .locationUpdate, delivering: .location(.updated([newest], by: .updates)))
    }

    /// Whether a new position would launch the app again now.
    func isAwaited(_ client: LocationClient, on device: DeviceState) -> Bool {
        client.record.activity?.state == .interrupted && client.record.permission.allowsUse
            && client.continuation.since ?? .zero <= device.wallNow
            && device.refusal(to: client.record.app, for: .locationUpdate) == nil
    }
}

extension LocationClient {
    /// Whether this launch has a background activity session.
    func hasActivity(in launch: LaunchID?) -> Bool { launch != nil && record.activity?.launch == launch }

    /// The updates of a launch do not keep it running any longer. If that is because it ends, a new position launches the
    /// app again for its session. Not at once: an app may end at each position.
    mutating func ended(_ launch: LaunchID, at newest: LocationFix?, on device: DeviceState) {
        let isEnding = device.liveLaunch(of: launch.app) != launch || !device.isOpenable(launch.app)
        guard hasActivity(in: launch), isEnding else { return }
        record.activity?.state = .interrupted
        continuation = Continuation(since: device.wallNow + device.policy.receiverPause, known: newest)
    }
}
