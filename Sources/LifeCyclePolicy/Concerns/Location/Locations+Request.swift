import LifeCycleModel

/// The requests of apps for one position.
///
/// The newest position answers a request if it is not old: the receiver has not been off since it was found. Otherwise
/// the next position does. After `Policy.locationRequest` also an old one does, or the app is told that there is none.
/// The time counts while the app may receive the answer.
extension Locations {
    mutating func request(
        _ isWanted: Bool, by launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        let old = clients[launch.app]?.request
        if isWanted, clients[launch.app]?.record.permission == .deny { return deny(launch, into: &actions) }
        // An app has one request at a time.
        guard (old?.launch == launch) != isWanted else { return }
        actions.explain(.requested(launch, isWanted))
        change(launch.app) { $0.request = isWanted ? LocationClient.PositionRequest(launch: launch) : nil }
    }

    /// Whether an app waits for a position that it may receive now.
    func isRequesting(_ client: LocationClient, on device: DeviceState) -> Bool {
        guard let request = client.request, !request.isCalling else { return false }
        return request.launch == device.liveLaunch(of: client.record.app) && mayLearn(client, on: device)
    }

    /// Tells an app the position that it requested.
    mutating func answerRequest(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let request = client.request, !request.isCalling else { return }
        guard isRequesting(client, on: device) else {
            clients.update(app) { $0.request?.until = nil }
            return
        }
        let until = request.until ?? device.wallNow + device.policy.locationRequest
        clients.update(app) { $0.request?.until = until }
        if newest == nil || newestIsOld, until > device.wallNow { return wait(until: until) }
        clients.update(app) { $0.request?.isCalling = true }
        actions.explain(.located(request.launch, isKnown: newest != nil))
        actions.call(app, .location(.located(newest)), .whenItRuns)
    }

    /// The system sends an app the answer.
    mutating func answered(_ launch: LaunchID) { clients.update(launch.app) { $0.request = nil } }
}
