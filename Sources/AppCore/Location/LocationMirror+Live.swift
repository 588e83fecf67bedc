import LifeCycleModel

/// Live updates and background activity sessions.
extension LocationMirror {
    /// All updates, which the system does not pause. In the background they wait as those of a manager do.
    private static let live = StandardUpdates(pausesAutomatically: false)

    mutating func startLiveUpdates(
        of id: LocationManagerID, keys: LocationKeys, mayReceive: Bool, into steps: inout [Step]
    ) {
        guard let index = index(of: id) else { return }
        managers[index].isLive = true
        let areOthers = managers.contains { $0.updates != nil }
        startUpdates(of: id, Self.live, mayReceive: mayReceive, into: &steps)
        // The system says so only if the app had no updates.
        if areOthers, mayReceive, isPositionUnknown { queue(.location(.failed(.unknown)), to: id) }
        switch permission {
        case .ask where keys.requiresSession: queue(.waits(.serviceSession), to: id)
        case .ask where LocationPurpose.missing(in: keys.all, always: false).isEmpty:
            requestPermission(always: false, into: &steps)
            queue(.waits(.permissionRequest), to: id)
        case .whenInUse where !mayReceive: queue(.waits(.use), to: id)
        case .ask, .deny, .whenInUse, .always: break
        }
    }

    /// The user allows the location again after a denial, which has ended the updates. Returns whether there are any.
    mutating func restartLiveUpdates() -> Bool {
        let ended = managers.indices.filter { managers[$0].isLive && managers[$0].updates == nil }
        for index in ended { (managers[index].updates, managers[index].told) = (Self.live, nil) }
        return !ended.isEmpty
    }

    // MARK: Background activity sessions

    mutating func setActivity(_ isWanted: Bool, into steps: inout [Step]) {
        hasActivity = isWanted
        send(.setBackgroundActivity(isWanted), into: &steps)
    }

    /// A request is sent for each session: the system may have refused the ones before.
    mutating func beginActivity(into steps: inout [Step]) -> BackgroundActivityID {
        lastActivity += 1
        let id = BackgroundActivityID(rawValue: lastActivity)
        activities.insert(id)
        setActivity(true, into: &steps)
        return id
    }

    mutating func endActivity(_ id: BackgroundActivityID, into steps: inout [Step]) {
        guard activities.remove(id) != nil, activities.isEmpty else { return }
        setActivity(false, into: &steps)
    }
}
