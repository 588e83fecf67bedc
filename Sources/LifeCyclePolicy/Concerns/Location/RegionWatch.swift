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
    /// The time until which the app is to be told the states of its regions, known or not; nil if it has not asked.
    var answerBy: Nanoseconds?
    /// The obstacle to a wake for a crossing; nil if there is none, or no crossing.
    var obstacle: WakeRefusal?
    /// The time from which the receiver looks for the next crossing; nil for now.
    var looksAt: Nanoseconds?
    /// Whether the launch that has connected has to be told the regions.
    var isListStale = false
    private var sighting: Sighting?

    /// Whether the app waits for something, or did until its last region ended.
    var isWaiting: Bool { answerBy != nil || !crossings.isEmpty || obstacle != nil }

    /// A position is known: the speed says how soon the next crossing is possible. `hasLooked` is whether the
    /// receiver has been on for so long that no better position is expected soon.
    mutating func looked(
        at fix: LocationFix, _ regions: [MonitoredRegion], now: Nanoseconds, policy: Policy, hasLooked: Bool
    ) {
        let (covered, time) = sighting.map { ($0.fix.distance(to: fix), now - $0.time) } ?? (0, .zero)
        let rests = regions.map { region -> Nanoseconds in
            switch region.outlook(at: fix, policy) {
            // The device has to stay there.
            case .crossed: obstacle == nil ? .zero : policy.locationRest
            case .unclear: hasLooked ? policy.locationRest : .zero
            case .away(let gap): LocationClient.rest(before: gap, after: covered, in: time, most: policy.locationRest)
            }
        }
        guard let rest = rests.min() else { return }
        // A short rest is not worth it, because the receiver would not be closed in between.
        looksAt = rest < policy.locationLook ? nil : now + rest
        // Positions that follow each other soon say little about the speed.
        if sighting == nil || time >= policy.receiverPause { sighting = Sighting(fix: fix, time: now) }
    }

    mutating func clocksShifted(at now: Nanoseconds) {
        for index in crossings.indices { crossings[index].since = now }
        looksAt = nil
        if answerBy != nil { answerBy = now }
        sighting?.time = now
    }
}

/// The place of a position, seen from a region.
extension LocationRegion {
    private func edge(_ policy: Policy) -> Int64 { max(radius, policy.regionFloor) }

    /// The distance from the edge that a position must have to count as a crossing.
    private func buffer(_ policy: Policy) -> Int64 { min(edge(policy) / 2, policy.regionBuffer) }

    /// Whether a position is within the edge; nil if it is too inaccurate.
    func isWithinEdge(_ fix: LocationFix, _ policy: Policy) -> Bool? {
        let (distance, edge, accuracy) = (distance(to: fix), edge(policy), Int64(fix.accuracy))
        return accuracy <= edge || abs(distance - edge) > accuracy ? distance <= edge : nil
    }

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
    /// The next crossing, seen from a position.
    fileprivate enum Outlook {
        case crossed
        /// The position is too inaccurate.
        case unclear
        /// The distance in centimetres to the nearest position that would be a crossing.
        case away(Int64)
    }

    fileprivate func outlook(at fix: LocationFix, _ policy: Policy) -> Outlook {
        if isCrossed(at: fix, policy) { return .crossed }
        guard let isInside = isInside ?? region.isWithinEdge(fix, policy) else { return .unclear }
        let gap = region.gap(from: isInside, to: fix, policy)
        return gap > 0 ? .away(gap) : .unclear
    }

    /// Whether a position is for certain on the other side of the edge than the app knows.
    func isCrossed(at fix: LocationFix, _ policy: Policy) -> Bool {
        isInside.map { region.contains(fix, policy) == !$0 } ?? false
    }

    /// Whether the app is to be told that the device is now on the other side.
    var notifiesOfCrossing: Bool { isInside == true ? region.notifiesOnExit : region.notifiesOnEntry }
}
