import LifeCycleModel

/// The crossings of an app's regions, and the next look at them. All times are on the wall clock.
struct RegionWatch: Hashable, Sendable, Codable {
    /// A region whose edge the position has crossed, and since when. The app is not told yet.
    struct Crossing: Hashable, Sendable, Codable {
        let region: String
        var since: Nanoseconds
    }

    /// A position by which the speed is found.
    struct Sighting: Hashable, Sendable, Codable {
        let fix: LocationFix
        var time: Nanoseconds
    }

    var crossings: [Crossing] = []
    /// Whether the app has asked for the states of its regions, and waits for them.
    var isAsked = false
    /// The obstacle to a wake for a crossing; nil if there is none, or no crossing.
    var obstacle: WakeRefusal?
    /// The time from which the receiver looks for the next crossing; nil for now.
    var looksAt: Nanoseconds?
    private var sighting: Sighting?

    /// Whether the app waits for something, or did until its last region ended.
    var isWaiting: Bool { isAsked || !crossings.isEmpty || obstacle != nil }

    /// A position is known: the speed says how soon the next crossing is possible.
    mutating func looked(
        at fix: LocationFix, _ regions: [MonitoredRegion], now: Nanoseconds, policy: Policy
    ) {
        guard let gap = regions.map({ $0.gap(to: fix, policy) }).min() else { return }
        let (covered, time) = sighting.map { ($0.fix.distance(to: fix), now - $0.time) } ?? (0, .zero)
        let rest = LocationClient.rest(before: gap, after: covered, in: time, most: policy.locationRest)
        // A short rest is not worth it, because the receiver would not be closed in between.
        looksAt = gap == 0 || rest < policy.locationLook ? nil : now + rest
        // Positions that follow each other soon say little about the speed.
        if sighting == nil || time >= policy.receiverPause { sighting = Sighting(fix: fix, time: now) }
    }

    mutating func clocksShifted(at now: Nanoseconds) {
        for index in crossings.indices { crossings[index].since = now }
        looksAt = nil
        sighting?.time = now
    }
}

/// The place of a position, seen from a region.
extension LocationRegion {
    private func edge(_ policy: Policy) -> Int64 { max(radius, policy.regionFloor) }

    /// The distance from the edge that a position must have to count as a crossing.
    private func buffer(_ policy: Policy) -> Int64 { min(edge(policy) / 2, policy.regionBuffer) }

    func isInsideEdge(_ fix: LocationFix, _ policy: Policy) -> Bool { distance(to: fix) <= edge(policy) }

    /// Whether a position is inside for certain, or outside; nil if it is near the edge, or too inaccurate.
    func contains(_ fix: LocationFix, _ policy: Policy) -> Bool? {
        let (distance, edge, buffer) = (distance(to: fix), edge(policy), buffer(policy))
        if distance <= edge - buffer, fix.accuracy <= edge { return true }
        return distance >= edge + max(buffer, Int64(fix.accuracy)) ? false : nil
    }

    /// The distance in centimetres to the nearest position that would be a crossing.
    func gap(from isInside: Bool, to fix: LocationFix, _ policy: Policy) -> Int64 {
        let (distance, edge, buffer) = (distance(to: fix), edge(policy), buffer(policy))
        return max(0, isInside ? edge + buffer - distance : distance - (edge - buffer))
    }
}

extension MonitoredRegion {
    fileprivate func gap(to fix: LocationFix, _ policy: Policy) -> Int64 {
        region.gap(from: isInside ?? region.isInsideEdge(fix, policy), to: fix, policy)
    }

    /// Whether the app is to be told that the device is now on the other side.
    var notifiesOfCrossing: Bool { isInside == true ? region.notifiesOnExit : region.notifiesOnEntry }
}
