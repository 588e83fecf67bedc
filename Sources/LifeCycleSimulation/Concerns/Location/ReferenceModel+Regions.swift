import LifeCycleModel
import LifeCyclePolicy

/// Monitored regions in the reference model.
extension ReferenceLocations {
    /// The device is on the other side of a region's edge than the app knows.
    struct Stray: Hashable, Sendable, Encodable {
        let app: AppID
        let region: String
        var since: Nanoseconds
    }

    /// A position by which the speed is found.
    struct Sighting: Hashable, Sendable, Encodable {
        let app: AppID
        let place: LocationFix
        var time: Nanoseconds
    }

    /// An app wants to know the states of its regions, and is told at the end in any case.
    struct Question: Hashable, Sendable, Encodable {
        let app: AppID
        var end: Nanoseconds
    }

    struct RegionList: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let regions: [LocationRegion]
    }

    mutating func forgetRegions(of app: AppID) {
        strays.removeAll { $0.app == app }
        sightings.removeAll { $0.app == app }
        questions.removeAll { $0.app == app }
        regionsHeldUp.removeAll { $0.app == app }
        receiver.regionRests.removeAll { $0.app == app }
    }

    mutating func clocksWereRead(at now: Nanoseconds) {
        for place in strays.indices { strays[place].since = now }
        for place in sightings.indices { sightings[place].time = now }
        for place in questions.indices { questions[place].end = now }
        receiver.clocksWereRead(at: now)
    }
}

extension ReferenceModel {
    // MARK: Requests

    mutating func monitor(_ region: LocationRegion, _ launch: LaunchID) {
        let record = locations[launch.app] ?? LocationRecord(app: launch.app)
        let others = record.regions.filter { $0.region.identifier != region.identifier }
        if record.regions.contains(where: { $0.region == region }) { return }
        if record.permission == .deny || others.count >= LocationRegion.most {
            return locations.said.append(.regionRefused(launch, region.identifier))
        }
        locations.said.append(.regionMonitored(launch, region))
        let all = (others + [MonitoredRegion(region)]).sorted { $0.region.identifier < $1.region.identifier }
        keep(all, of: launch.app, region.identifier)
    }

    mutating func stopRegion(_ identifier: String, _ launch: LaunchID) {
        let regions = locations[launch.app]?.regions ?? []
        let others = regions.filter { $0.region.identifier != identifier }
        if others.count == regions.count { return }
        locations.said.append(.regionEnded(launch, identifier))
        keep(others, of: launch.app, identifier)
    }

    private mutating func keep(_ regions: [MonitoredRegion], of app: AppID, _ changed: String) {
        locations.keep(app) { $0.regions = regions }
        locations.strays.removeAll { $0.app == app && $0.region == changed }
        locations.receiver.regionRests.removeAll { $0.app == app }
    }

    // MARK: Places

    private func edge(_ region: LocationRegion) -> Int64 { max(region.radius, policy.regionFloor) }
    private func margin(_ region: LocationRegion) -> Int64 { min(policy.regionBuffer, edge(region) / 2) }

    /// How far a place is from the edge, in centimetres; negative outside.
    private func depth(of fix: LocationFix, in region: LocationRegion) -> Int64 {
        edge(region) - region.distance(to: fix)
    }

    /// Whether a place is at the edge or within it; nil if its circle of uncertainty, which is larger than the region,
    /// has both sides in it.
    private func side(of fix: LocationFix, _ region: LocationRegion) -> Bool? {
        let depth = depth(of: fix, in: region)
        if Int64(fix.accuracy) > edge(region), abs(depth) <= Int64(fix.accuracy) { return nil }
        return depth >= 0
    }

    private func isBeyond(_ fix: LocationFix, _ region: LocationRegion, from isInside: Bool) -> Bool {
        let depth = depth(of: fix, in: region)
        return isInside
            ? -depth >= margin(region) && -depth >= Int64(fix.accuracy)
            : depth >= margin(region) && Int64(fix.accuracy) <= edge(region)
    }

    /// A new position says when the next crossing is possible.
    mutating func sight(_ fix: LocationFix) {
        for record in locations.records where !record.regions.isEmpty {
            let app = record.app
            let last = locations.sightings.first { $0.app == app }
            let (covered, span) = last.map { ($0.place.distance(to: fix), wallNow - $0.time) } ?? (0, .zero)
            let isHeldUp = locations.regionsHeldUp.contains { $0.app == app }
            let hasWaited =
                locations.receiver.user != nil && wallNow - locations.receiver.switchedOn >= policy.locationLook
            var rest = policy.locationRest
            for monitored in record.regions {
                let region = monitored.region
                if let isInside = monitored.isInside, isBeyond(fix, region, from: isInside) {
                    if !isHeldUp { rest = .zero }
                    continue
                }
                let depth = depth(of: fix, in: region)
                let isInside = monitored.isInside ?? side(of: fix, region)
                let way = isInside.map { ($0 ? depth : -depth) + margin(region) } ?? 0
                if way > 0 {
                    rest = min(rest, time(for: way, covered, span))
                } else if !hasWaited {
                    rest = .zero
                }
            }
            locations.receiver.regionRests.removeAll { $0.app == app }
            if rest >= policy.locationLook {
                let end = ReferenceReceiver.Rest(app: app, until: wallNow + rest)
                locations.receiver.regionRests.append(end)
            }
            if last == nil || span >= policy.receiverPause {
                locations.sightings.removeAll { $0.app == app }
                locations.sightings.append(ReferenceLocations.Sighting(app: app, place: fix, time: wallNow))
            }
        }
    }

    // MARK: Telling

    mutating func receiveCrossings(_ app: AppID) {
        guard let record = locations[app] else { return }
        if !isMonitoring(record) || record.regions.isEmpty {
            locations.strays.removeAll { $0.app == app }
            locations.regionsHeldUp.removeAll { $0.app == app }
        } else if let newest = locations.newest, !locations.isOutOfSight {
            learn(newest, app)
            tellCrossings(app)
        } else if locations.regionsHeldUp.contains(where: { $0.app == app }), let index = index(of: app),
            isInForeground(index) || obstacles(index, .locationMonitoring).isEmpty
        {
            locations.regionsHeldUp.removeAll { $0.app == app }
            locations.receiver.regionRests.removeAll { $0.app == app }
        }
        answerStates(app)
    }

    private mutating func learn(_ newest: LocationFix, _ app: AppID) {
        for monitored in locations[app]?.regions ?? [] {
            let region = monitored.region
            guard let isInside = monitored.isInside else {
                if let isNowInside = side(of: newest, region) { set(app, region, isInside: isNowInside) }
                continue
            }
            let isHere = { (stray: ReferenceLocations.Stray) in
                stray.app == app && stray.region == region.identifier
            }
            guard isBeyond(newest, region, from: isInside) else {
                locations.strays.removeAll(where: isHere)
                continue
            }
            if locations.strays.contains(where: isHere) { continue }
            locations.strays.append(
                ReferenceLocations.Stray(app: app, region: region.identifier, since: wallNow))
        }
    }

    private mutating func set(_ app: AppID, _ region: LocationRegion, isInside: Bool) {
        locations.keep(app) { record in
            for index in record.regions.indices where record.regions[index].region == region {
                record.regions[index].isInside = isInside
            }
        }
    }

    private mutating func tellCrossings(_ app: AppID) {
        guard let record = locations[app], let index = index(of: app) else { return }
        let crossed = locations.strays.filter { $0.app == app && wallNow - $0.since >= policy.regionDwell }
            .compactMap { stray in record.regions.first { $0.region.identifier == stray.region } }
        let toTell = crossed.filter { $0.isInside == true ? $0.region.notifiesOnExit : $0.region.notifiesOnEntry }
        let isFront = isInForeground(index)
        if !toTell.isEmpty, !isFront {
            if isBeingFrozen(app) { return }
            let reasons = obstacles(index, .locationMonitoring)
            locations.regionsHeldUp.removeAll { $0.app == app }
            guard reasons.isEmpty else {
                return locations.regionsHeldUp.append(ReferenceLocations.HeldUp(app: app, reasons: reasons))
            }
        }
        locations.regionsHeldUp.removeAll { $0.app == app }
        for monitored in crossed {
            set(app, monitored.region, isInside: monitored.isInside != true)
            locations.strays.removeAll { $0.app == app && $0.region == monitored.region.identifier }
        }
        for monitored in toTell {
            let (name, isInside) = (monitored.region.identifier, monitored.isInside != true)
            locations.said.append(.crossed(app, name, isInside: isInside))
            let call = ConcernCall.location(.crossed(name, isInside: isInside))
            requests.append(isFront ? .call(app, call, .whereItRuns) : .wake(app, .locationMonitoring, call))
        }
    }

    private mutating func answerStates(_ app: AppID) {
        guard let question = locations.questions.first(where: { $0.app == app }), let record = locations[app] else {
            return
        }
        let mayKnow = record.permission.allowsUse
        if mayKnow, question.end > wallNow, record.regions.contains(where: { $0.isInside == nil }) { return }
        locations.questions.removeAll { $0.app == app }
        let states = record.regions.map {
            LocationRegionState(region: $0.region.identifier, isInside: mayKnow ? $0.isInside : nil)
        }
        requests.append(.call(app, .location(.regionStates(states)), .whereItRuns))
    }

    /// The times at which the device has stayed long enough on the other side of an edge, and those at which questions
    /// are answered in any case.
    var crossingTimes: [Nanoseconds] {
        let strays = locations.isOutOfSight ? [] : locations.strays.map { $0.since + policy.regionDwell }
        return (strays + locations.questions.map(\.end)).filter { $0 > wallNow }
    }
}
