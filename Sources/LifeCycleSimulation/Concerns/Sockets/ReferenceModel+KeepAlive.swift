import LifeCycleModel
import LifeCyclePolicy

/// Keep-alive handlers in the reference model.
extension ReferenceModel {
    mutating func setKeepAlive(_ interval: Nanoseconds?, _ launch: LaunchID, hasMode: Bool) {
        if let interval, !hasMode || interval < policy.keepAliveFloor {
            return said.append(.launch(launch, .ignoredLate))
        }
        // The time begins again, also if the app repeats its request.
        sockets.intervals.removeAll { $0.app == launch.app }
        let old = sockets.records.first { $0.launch == launch }?.keepAlive
        guard old != interval else { return }
        sockets.said.append(.keepAliveSet(launch, interval))
        sockets.keep(launch) { $0.keepAlive = interval }
    }

    /// The launches whose handler is to be called, with the times between which that is to be: when 90 % of the
    /// interval are over, or 10 s before its end if that is later.
    var keepAliveTimes: [(launch: LaunchID, earliest: Nanoseconds, latest: Nanoseconds)] {
        sockets.records.compactMap { record in
            guard let interval = record.keepAlive,
                let begun = sockets.intervals.first(where: { $0.app == record.launch.app })?.at
            else { return nil }
            let nineTenths = Nanoseconds(interval.rawValue / 10 * 9)
            return (record.launch, begun + nineTenths, begun + max(nineTenths, interval - policy.eventSlice))
        }
    }

    mutating func callKeepAliveHandlers() {
        for record in sockets.records { countInterval(of: record) }
        let times = keepAliveTimes
        // Handlers are called together, so that there are fewer wakes.
        guard times.contains(where: { $0.latest <= now }) else { return }
        for (launch, earliest, _) in times where earliest <= now {
            guard let index = index(of: launch.app) else { continue }
            sockets.intervals.removeAll { $0.app == launch.app }
            sockets.intervals.append(ReferenceSockets.Time(app: launch.app, at: now))
            let obstacles = obstacles(index, .voip)
            guard obstacles.isEmpty else {
                refuseVoIPWake(launch.app, obstacles)
                continue
            }
            sockets.said.append(.keepAliveDue(launch))
            requests.append(.wake(launch.app, .voip, .socket(.keepAlive)))
        }
    }

    /// The interval passes in the background only.
    private mutating func countInterval(of record: SocketRecord) {
        let app = record.launch.app
        guard let index = index(of: app) else { return }
        let isSeen = foregroundApp == app || apps[index].state.isForeground
        let isCounted = sockets.intervals.contains { $0.app == app }
        if record.keepAlive == nil || isSeen {
            sockets.intervals.removeAll { $0.app == app }
        } else if !isCounted {
            sockets.intervals.append(ReferenceSockets.Time(app: app, at: now))
        }
    }
}
