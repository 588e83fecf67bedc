import LifeCycleModel

/// The receiver, which is on only while an app needs a position.
extension Locations {
    /// Switches the receiver, and finds the time when that has to be decided again.
    mutating func settleReceiver(on device: DeviceState, into actions: inout Actions<Self>) {
        let now = device.wallNow
        let isInUse = clients.keys.contains { needsPosition($0, on: device) }
        if !isInUse, receiver.isFruitless(at: now, policy: device.policy) { rest(on: device) }
        let app =
            clients.keys.first { needsPosition($0, on: device) } ?? clients.keys.first { needsLook($0, on: device) }
        let hasFound = receiver.hasFound
        switch receiver.settle(neededBy: app, isLooking: !isInUse, at: now, policy: device.policy) {
        case .on(let app):
            actions.explain(.receiverOn(app))
            actions.perform(.setReceiver(true))
        case .off(let app):
            if device.manifest(of: app) != nil { actions.explain(.receiverOff(app)) }
            actions.perform(.setReceiver(false))
            if hasFound { newestIsOld = true }
        case nil: break
        }
        if let time = receiver.nextTime(isNeeded: app != nil, isLooking: !isInUse, policy: device.policy) {
            wait(until: time)
        }
        // While the receiver is needed, each position says when to look again.
        guard app == nil, !device.isShuttingDown else { return }
        for app in clients.keys {
            guard let client = clients[app] else { continue }
            var times = mayMonitor(client, on: device) ? [client.changeLook, client.regionLook] : []
            if isAwaited(client, on: device) { times.append(client.continuation.looksAt) }
            for time in times.compactMap(\.self) { wait(until: time) }
        }
    }

    /// The source of positions ended by itself.
    mutating func receiverEnded(_ reason: String, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let app = receiver.ended(at: device.wallNow) else { return }
        if receiver.hasFound { newestIsOld = true }
        mayBecomeIdle()
        if device.manifest(of: app) != nil { actions.explain(.receiverEnded(app, reason)) }
        // The apps are told once, and not at each further attempt.
        guard receiver.failures == 1 else { return }
        for app in clients.keys where needsUpdates(app, on: device) {
            actions.call(app, .location(.failed(.unknown)), .whenItRuns)
        }
    }

    /// Whether an app that monitors significant changes or regions would be told of one now.
    func mayMonitor(_ client: LocationClient, on device: DeviceState) -> Bool {
        guard client.record.isMonitoring, device.manifest(of: client.record.app) != nil else { return false }
        return switch client.record.permission {
        case .ask, .deny: false
        case .whenInUse: device.isInForeground(client.record.app) || client.record.activity != nil
        case .always: true
        }
    }

    private func needsPosition(_ app: AppID, on device: DeviceState) -> Bool {
        if needsUpdates(app, on: device) { return true }
        return !device.isShuttingDown && clients[app].map { isRequesting($0, on: device) } ?? false
    }

    private func needsUpdates(_ app: AppID, on device: DeviceState) -> Bool {
        guard let client = clients[app], let updates = client.updates, !device.isShuttingDown else { return false }
        return updates.launch == device.liveLaunch(of: app)
            && (receives(client, on: device) || isWokenByUpdates(client, on: device))
    }

    private func needsLook(_ app: AppID, on device: DeviceState) -> Bool {
        guard let client = clients[app], !device.isShuttingDown else { return false }
        let now = device.wallNow
        if isAwaited(client, on: device), client.continuation.looksAt ?? now <= now { return true }
        guard mayMonitor(client, on: device) else { return false }
        return [client.changeLook, client.regionLook].contains { $0.map { $0 <= now } ?? false }
    }

    /// No position was found: the receiver rests.
    private mutating func rest(on device: DeviceState) {
        for app in clients.keys where needsLook(app, on: device) {
            let (now, end) = (device.wallNow, device.wallNow + device.policy.locationRest)
            let isForLaunch = clients[app].map { isAwaited($0, on: device) } ?? false
            change(app) { client in
                if client.looksAt ?? now <= now { client.looksAt = end }
                if client.watch.looksAt ?? now <= now { client.watch.looksAt = end }
                if isForLaunch, client.continuation.looksAt ?? now <= now { client.continuation.looksAt = end }
            }
        }
    }
}

/// When the receiver looks again. The speed since the last change says how soon the next one is possible.
extension LocationClient {
    /// The time from which a position is needed for a significant change; nil if the app monitors none.
    fileprivate var changeLook: Nanoseconds? { record.monitorsChanges ? looksAt ?? .zero : nil }
    /// The same for a region.
    fileprivate var regionLook: Nanoseconds? { record.regions.isEmpty ? nil : watch.looksAt ?? .zero }

    /// The app is told a change now.
    mutating func tell(_ fix: LocationFix, now: Nanoseconds, policy: Policy) {
        let (last, lastAt) = (record.told, record.toldAt)
        (record.told, record.toldAt) = (fix, now)
        guard let last, let lastAt else { return looksAt = now + policy.significantPause }
        let rest = Self.rest(
            before: Self.goal(policy), after: last.distance(to: fix), in: now - lastAt, most: policy.locationRest)
        looksAt = now + max(policy.significantPause, rest)
    }

    /// A position is known that is no change yet, or that the app cannot be told yet.
    mutating func looked(at fix: LocationFix, now: Nanoseconds, policy: Policy) {
        guard let told = record.told, let toldAt = record.toldAt else { return looksAt = now + policy.locationRest }
        let (distance, time) = (told.distance(to: fix), now - toldAt)
        let rest =
            distance >= policy.significantDistance
            ? policy.locationRest
            : Self.rest(before: Self.goal(policy) - distance, after: distance, in: time, most: policy.locationRest)
        let pause = policy.significantPause - time
        // A short rest is not worth it, because the receiver would not be closed in between.
        looksAt = max(rest, pause) < policy.locationLook ? nil : now + max(rest, pause)
    }

    /// The receiver aims a little behind the distance of a change: if it looked too early, it would stay on.
    private static func goal(_ policy: Policy) -> Int64 { policy.significantDistance + policy.significantDistance / 20 }

    /// The time until a distance is covered, at the speed with which the device covered another one; at most `most`.
    static func rest(
        before distance: Int64, after covered: Int64, in time: Nanoseconds, most: Nanoseconds
    ) -> Nanoseconds {
        let millisecond: Int64 = 1_000_000
        let (product, overflows) = (time.rawValue / millisecond).multipliedReportingOverflow(by: distance)
        guard covered > 0, time > .zero, !overflows else { return most }
        return .milliseconds(min(most.rawValue / millisecond, product / covered))
    }
}
