import LifeCycleModel

/// Monitored regions.
extension Locations {
    // MARK: Requests

    /// Begins to monitor a region. RoostKit has told the app already if it may not.
    mutating func monitor(_ region: LocationRegion, by launch: LaunchID, into actions: inout Actions<Self>) {
        let record = clients[launch.app]?.record ?? LocationRecord(app: launch.app)
        var regions = record.regions
        if regions.contains(where: { $0.region == region }) { return }
        regions.removeAll { $0.region.identifier == region.identifier }
        guard record.permission != .deny, regions.count < LocationRegion.most else {
            return actions.explain(.regionRefused(launch, region.identifier))
        }
        actions.explain(.regionMonitored(launch, region))
        let place = regions.firstIndex { $0.region.identifier > region.identifier } ?? regions.endIndex
        regions.insert(MonitoredRegion(region), at: place)
        set(regions, of: launch.app, without: region.identifier, into: &actions)
    }

    mutating func stopRegion(_ identifier: String, by launch: LaunchID, into actions: inout Actions<Self>) {
        guard var regions = clients[launch.app]?.record.regions,
            let index = regions.firstIndex(where: { $0.region.identifier == identifier })
        else { return }
        regions.remove(at: index)
        actions.explain(.regionEnded(launch, identifier))
        set(regions, of: launch.app, without: identifier, into: &actions)
    }

    private mutating func set(
        _ regions: [MonitoredRegion], of app: AppID, without crossing: String, into actions: inout Actions<Self>
    ) {
        keep(app, into: &actions) { $0.regions = regions }
        change(app) { client in
            client.watch.crossings.removeAll { $0.region == crossing }
            client.watch.looksAt = nil
        }
    }

    // MARK: Telling

    /// Finds the regions that the device has entered or left, and tells the app if it has stayed there. An old position
    /// says nothing: the device may have moved while the receiver was off.
    mutating func tellRegions(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], !client.record.regions.isEmpty || client.watch.isWaiting else { return }
        if client.record.regions.isEmpty || !mayMonitor(client, on: device) {
            clients.update(app) { ($0.watch.crossings, $0.watch.obstacle) = ([], nil) }
        } else if let newest, !newestIsOld {
            findCrossings(of: app, at: newest, on: device)
            if let record = clients[app]?.record, record != client.record { actions.persist(.client(record)) }
            tellCrossings(of: app, on: device, into: &actions)
        } else if client.watch.obstacle != nil,
            device.isInForeground(app) || device.refusal(to: app, for: .locationMonitoring) == nil
        {
            // A new position says whether the crossing that was held up is still one.
            clients.update(app) { ($0.watch.obstacle, $0.watch.looksAt) = (nil, nil) }
        }
        answer(app, on: device, into: &actions)
    }

    private mutating func findCrossings(of app: AppID, at newest: LocationFix, on device: DeviceState) {
        clients.update(app) { client in
            for index in client.record.regions.indices {
                let monitored = client.record.regions[index]
                let identifier = monitored.region.identifier
                // The start of monitoring is no crossing.
                guard monitored.isInside != nil else {
                    client.record.regions[index].isInside = monitored.region.isWithinEdge(newest, device.policy)
                    continue
                }
                let isCrossed = monitored.isCrossed(at: newest, device.policy)
                let isKnown = client.watch.crossings.contains { $0.region == identifier }
                if isCrossed, !isKnown {
                    client.watch.crossings.append(RegionWatch.Crossing(region: identifier, since: device.wallNow))
                } else if !isCrossed, isKnown {
                    client.watch.crossings.removeAll { $0.region == identifier }
                }
            }
        }
    }

    private mutating func tellCrossings(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        var due: [MonitoredRegion] = []
        for crossing in client.watch.crossings {
            let time = crossing.since + device.policy.regionDwell
            if time > device.wallNow {
                wait(until: time)
            } else if let region = client.record.regions.first(where: { $0.region.identifier == crossing.region }) {
                due.append(region)
            }
        }
        let told = due.filter(\.notifiesOfCrossing)
        let isForeground = device.isInForeground(app)
        if !told.isEmpty, !isForeground {
            // One event does not freeze and thaw an app.
            if device.isBeingFrozen(app) { return becomeStale() }
            if let refusal = device.refusal(to: app, for: .locationMonitoring) {
                if client.watch.obstacle != refusal, refusal != .shuttingDown {
                    actions.explain(.crossingHeld(app, refusal))
                }
                clients.update(app) { $0.watch.obstacle = refusal }
                return
            }
        }
        clients.update(app) { $0.watch.obstacle = nil }
        if due.isEmpty { return }
        for region in due { cross(region, of: app) }
        if let record = clients[app]?.record { actions.persist(.client(record)) }
        for region in told {
            let (identifier, isInside) = (region.region.identifier, region.isInside == false)
            actions.explain(.crossed(app, identifier, isInside: isInside))
            let call = ConcernCall.location(.crossed(identifier, isInside: isInside))
            if isForeground {
                actions.call(app, call, .whenItRuns)
            } else {
                actions.wake(app, for: .locationMonitoring, delivering: call)
            }
        }
    }

    private mutating func cross(_ region: MonitoredRegion, of app: AppID) {
        clients.update(app) { client in
            client.watch.crossings.removeAll { $0.region == region.region.identifier }
            guard let index = client.record.regions.firstIndex(of: region) else { return }
            client.record.regions[index].isInside = region.isInside == false
        }
    }

    /// Answers the app's question for the states of its regions, as soon as all of them are known, and otherwise after a
    /// while. Without permission they stay unknown.
    private mutating func answer(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let time = client.watch.answerBy else { return }
        let isAllowed = client.record.permission.allowsUse
        if isAllowed, time > device.wallNow, client.record.regions.contains(where: { $0.isInside == nil }) {
            return wait(until: time)
        }
        clients.update(app) { $0.watch.answerBy = nil }
        let states = client.record.regions.map {
            LocationRegionState(region: $0.region.identifier, isInside: isAllowed ? $0.isInside : nil)
        }
        actions.call(app, .location(.regionStates(states)), .whenItRuns)
    }
}
