import LifeCycleModel

/// Keep-alive handlers of `voip` apps.
extension Sockets {
    /// An app sets its keep-alive handler, which replaces an older one, or has none any longer.
    mutating func setKeepAlive(
        _ interval: Nanoseconds?, by launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        let hasMode = device.manifest(of: launch.app)?.backgroundModes.contains(.voip) == true
        if let interval {
            // The app's side refuses this at once.
            guard hasMode, interval >= device.policy.keepAliveFloor else { return actions.ignore(launch) }
        }
        change(launch.app) { $0.keepAliveSince = nil }
        guard clients[launch.app]?.record.keepAlive != interval else { return }
        actions.explain(.keepAliveSet(launch, interval))
        keep(launch.app, into: &actions) { $0.keepAlive = interval }
    }

    /// Calls the handlers that are due, and with them those that would be due soon: fewer wakes are needed then.
    mutating func callHandlers(on device: DeviceState, into actions: inout Actions<Self>) {
        for app in clients.keys {
            clients.update(app) { client in
                let isCounted = client.record.keepAlive != nil && !device.isForeground(app)
                client.keepAliveSince = isCounted ? client.keepAliveSince ?? device.awakeNow : nil
            }
        }
        let times = clients.compactMap { $0.value.keepAlive(by: device.policy)?.latest }
        guard times.contains(where: { $0 <= device.awakeNow }) else { return }
        for (app, client) in clients {
            guard let time = client.keepAlive(by: device.policy), time.earliest <= device.awakeNow else { continue }
            change(app) { $0.keepAliveSince = device.awakeNow }
            if let refusal = device.refusal(to: app, for: .voip) {
                actions.refuse(app, .wakeRefused(.voip, refusal))
            } else {
                actions.explain(.keepAliveDue(client.record.launch))
                actions.wake(app, for: .voip, delivering: .socket(.keepAlive))
            }
        }
    }
}

extension SocketClient {
    /// The times between which the keep-alive handler is to be called next; nil if it is not. The last tenth of the
    /// interval is left for calls together with those of other apps, and `eventSlice` for the handler itself.
    func keepAlive(by policy: Policy) -> (earliest: Nanoseconds, latest: Nanoseconds)? {
        guard let keepAliveSince, let interval = record.keepAlive else { return nil }
        let earliest = interval.rawValue / 10 * 9
        let latest = max(earliest, interval.rawValue - policy.eventSlice.rawValue)
        return (keepAliveSince + Nanoseconds(earliest), keepAliveSince + Nanoseconds(latest))
    }
}
