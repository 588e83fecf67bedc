import LifeCycleModel
import LifeCyclePolicy

/// Standard updates in the background, in the reference model.
extension ReferenceModel {
    /// Whether an app's updates continue although the app has left the foreground.
    func continues(_ updates: ReferenceLocations.Updates) -> Bool {
        let app = updates.launch.app
        guard let index = index(of: app), let launch = apps[index].launch, launch.id == updates.launch,
            isOpenable(index), !isInForeground(index), !apps[index].isToBeRemoved,
            apps[index].manifest.backgroundModes.contains(.location)
        else { return false }
        let isActive = locations[app]?.activity?.launch == updates.launch
        let isWished = updates.options.allowsBackground || isActive
        if updates.isPaused || policy.locationKeepsRunning && !isWished { return false }
        switch locations[app]?.permission {
        case nil, .ask, .deny: return false
        case .whenInUse: return updates.wasInForeground || isActive
        case .always: return true
        }
    }

    /// Whether an update wakes the app now.
    func wakesByUpdates(_ app: AppID) -> Bool {
        guard !policy.locationKeepsRunning, let index = index(of: app), let launch = apps[index].launch,
            launch.isSuspendedOrAboutToBe
        else { return false }
        return locations.updates.contains { $0.launch.app == app && continues($0) }
    }

    mutating func settleSession(of app: AppID) {
        guard let index = index(of: app) else { return }
        locations.updates.removeAll { $0.launch.app == app && $0.launch != apps[index].launch?.id }
        var held: Assertion?
        if let place = locations.updates.firstIndex(where: { $0.launch.app == app }) {
            if isInForeground(index) {
                locations.updates[place].wasInForeground = true
                unpause(locations.updates[place].launch)
            }
            stay(place)
            held = hold(for: locations.updates[place], index)
        }
        keepSession(held == nil ? nil : locations.updates.first { $0.launch.app == app }, app)
        if apps[index].launch?.locationHold != held { requests.append(.hold(app, held)) }
    }

    private func hold(for updates: ReferenceLocations.Updates, _ index: Int) -> Assertion? {
        guard policy.locationKeepsRunning, continues(updates), apps[index].launch?.isSuspendedOrAboutToBe == false
        else {
            return nil
        }
        let record = locations[updates.launch.app]
        let isShown = updates.options.showsIndicator || record?.activity?.launch == updates.launch
        return isShown || record?.permission != .always ? .locationWithIndicator : .location
    }

    /// The assertion that kept a launch running, by the records on disk.
    func holdBeforeRestart(of launch: LaunchID) -> Assertion? {
        guard policy.locationKeepsRunning, let record = locations[launch.app], let session = record.session,
            session.launch == launch
        else { return nil }
        let isShown = session.updates.showsIndicator || record.activity?.launch == launch
        return isShown || record.permission != .always ? .locationWithIndicator : .location
    }

    /// The session that a restart of the system must find.
    private mutating func keepSession(_ updates: ReferenceLocations.Updates?, _ app: AppID) {
        let session = updates.map { LocationSession(launch: $0.launch, updates: $0.options) }
        guard let old = locations[app]?.session ?? session, locations[app]?.session != session else { return }
        if let index = index(of: app), let launch = apps[index].launch, launch.id == (session ?? old).launch,
            !launch.isGoing, locations[app]?.session == nil || session == nil
        {
            locations.said.append(.session(launch.id, session != nil))
        }
        let isRunning = index(of: app).map { isOpenable($0) && apps[$0].launch?.id == old.launch } ?? false
        let isInterrupted = session == nil && !isRunning && locations[app]?.activity?.launch == old.launch
        if isInterrupted {
            locations.pauses.removeAll { $0.app == app }
            locations.pauses.append(ReferenceReceiver.Rest(app: app, until: wallNow + policy.receiverPause))
            locations.lastPlaces[app] = locations.newest
            locations.receiver.launchRests.removeAll { $0.app == app }
        }
        locations.keep(app) { record in
            record.session = session
            if isInterrupted { record.activity?.state = .interrupted }
        }
    }

    // MARK: The pause

    private mutating func stay(_ place: Int) {
        let updates = locations.updates[place]
        guard let newest = locations.newest, updates.options.pausesAutomatically, continues(updates) else {
            return locations.updates[place].stay = nil
        }
        let stay = updates.stay ?? ReferenceLocations.Stay(place: newest, since: wallNow)
        locations.updates[place].stay = stay
        guard wallNow - stay.since >= policy.locationPause else { return }
        (locations.updates[place].stay, locations.updates[place].isPaused) = (nil, true)
        locations.said.append(.paused(updates.launch, true))
        requests.append(.call(updates.launch.app, .location(.paused), .whereItRuns))
    }

    /// Updates that were paused continue.
    mutating func unpause(_ launch: LaunchID) {
        guard let place = locations.updates.firstIndex(where: { $0.launch == launch && $0.isPaused }) else { return }
        locations.updates[place].isPaused = false
        locations.said.append(.paused(launch, false))
        requests.append(.call(launch.app, .location(.resumed), .whereItRuns))
        beginUpdates(of: launch.app)
    }

    /// The times at which updates are to be paused.
    var pauseTimes: [Nanoseconds] { locations.updates.compactMap { $0.stay.map { $0.since + policy.locationPause } } }
}
