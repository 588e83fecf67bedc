import LifeCycleModel
import LifeCyclePolicy

/// Background activity sessions in the reference model.
extension ReferenceModel {
    mutating func setActivity(_ isWanted: Bool, _ launch: LaunchID, _ index: Int) {
        let old = locations[launch.app]?.activity
        let isOwn = old?.launch == launch
        switch (isWanted, isOwn) {
        case (true, true), (false, false): break
        case (false, true): endActivity(launch.app)
        case (true, false):
            let isSeen = foregroundApp == launch.app || apps[index].state.isForeground
            if old != nil || isSeen && isOpenable(index), locations[launch.app]?.permission != .deny {
                locations.said.append(.activity(launch, true))
                locations.keep(launch.app) { $0.activity = BackgroundActivity(launch: launch) }
            } else {
                locations.said.append(.activityRefused(launch))
            }
        }
    }

    mutating func endActivity(_ app: AppID) {
        guard let launch = locations[app]?.activity?.launch else { return }
        locations.said.append(.activity(launch, false))
        locations.keep(app) { $0.activity = nil }
    }

    mutating func settleActivity(of app: AppID) {
        guard let index = index(of: app), let record = locations[app], let activity = record.activity else { return }
        let running = apps[index].launch.flatMap { $0.isGoing || $0.isEarly ? nil : $0 }
        if let running, running.id != activity.launch {
            // The newer launch makes the session again before it is suspended, or not at all.
            if running.isSuspendedOrAboutToBe || isInForeground(index) { return endActivity(app) }
            if activity.state != .overtaken { locations.keep(app) { $0.activity?.state = .overtaken } }
            return
        }
        if running == nil, activity.state == .overtaken { return endActivity(app) }
        guard awaitsPosition(record), let newest = locations.newest, !locations.isOutOfSight,
            newest != locations.lastPlaces[app]
        else { return }
        locations.said.append(.continued(app))
        locations.continued.append(app)
        locations.keep(app) { $0.activity?.state = .current }
        requests.append(.wake(app, .locationUpdate, .location(.updated([newest], by: .updates))))
    }

    /// Whether the next position launches an app, which had a session when it ended.
    func awaitsPosition(_ record: LocationRecord) -> Bool {
        guard let index = index(of: record.app), record.activity?.state == .interrupted, record.permission.allowsUse,
            !locations.pauses.contains(where: { $0.app == record.app && $0.until > wallNow })
        else { return false }
        return obstacles(index, .locationUpdate).isEmpty
    }

    /// Whether the receiver looks for such a position now.
    func looksForLaunch(_ record: LocationRecord) -> Bool {
        awaitsPosition(record)
            && !locations.receiver.launchRests.contains { $0.app == record.app && $0.until > wallNow }
    }

    /// The times from which positions launch apps again.
    var activityTimes: [Nanoseconds] {
        let times = locations.pauses.filter { pause in
            guard let index = index(of: pause.app), let activity = locations[pause.app]?.activity else { return false }
            let running = apps[index].launch.flatMap { $0.isGoing || $0.isEarly ? nil : $0.id }
            return activity.state == .interrupted && (running == nil || running == activity.launch)
        }
        return times.map(\.until).filter { $0 > wallNow }
    }
}
