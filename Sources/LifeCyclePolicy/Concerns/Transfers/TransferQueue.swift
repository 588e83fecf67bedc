import LifeCycleModel

/// The conditions that a transfer needs before it may begin, from the fewest to the most.
enum TransferNeed: Int8, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// No network link: the server is on this machine. Only a network that the user has switched off prevents the
    /// transfer.
    case nothing
    /// Any network.
    case network
    /// Any network, without Low Data Mode.
    case unconstrained
    /// Any network that is not cellular.
    case wifi
    case unconstrainedWiFi
    /// A network that is not metered.
    case inexpensive
    case inexpensiveUnconstrained
    /// Discretionary, after a long wait: a network that is not metered, no Low Data Mode, and no low battery.
    case relaxed
    /// Discretionary: also no Low Power Mode, and external power or a battery that is not low.
    case discretion

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The need of a transfer that may use these networks and is not discretionary.
    init(_ access: NetworkAccess) {
        switch (access.expensive, access.cellular, access.constrained) {
        case (true, true, true): self = .network
        case (true, true, false): self = .unconstrained
        case (true, false, true): self = .wifi
        case (true, false, false): self = .unconstrainedWiFi
        case (false, _, true): self = .inexpensive
        case (false, _, false): self = .inexpensiveUnconstrained
        }
    }

    /// The kinds of network that are allowed.
    var access: NetworkAccess {
        var access = NetworkAccess()
        switch self {
        case .nothing, .network, .unconstrained: break
        case .wifi, .unconstrainedWiFi: access.cellular = false
        case .inexpensive, .inexpensiveUnconstrained, .relaxed, .discretion:
            (access.cellular, access.expensive) = (false, false)
        }
        switch self {
        case .nothing, .network, .wifi, .inexpensive: break
        case .unconstrained, .unconstrainedWiFi, .inexpensiveUnconstrained, .relaxed, .discretion:
            access.constrained = false
        }
        return access
    }
}

/// The transfers of one session that wait only for the device or for their turn, by host and need.
///
/// The highest priority comes first, then the oldest task. A host whose connections are all in use offers no transfer.
struct TransferQueue: Hashable, Sendable, Codable {
    struct Lane: Hashable, Comparable, Sendable, Codable {
        let host: String
        let need: TransferNeed

        static func < (left: Self, right: Self) -> Bool { (left.host, left.need) < (right.host, right.need) }
    }

    struct Place: Hashable, Comparable, Sendable, Codable {
        /// The negated priority, so that the highest comes first.
        let rank: Int32
        let number: Int64

        static func < (left: Self, right: Self) -> Bool { (left.rank, left.number) < (right.rank, right.number) }
    }

    /// The first transfer of a lane whose host has a free connection.
    private struct Head: Hashable, Comparable, Sendable, Codable {
        let need: TransferNeed
        let place: Place
        let host: String

        static func < (left: Self, right: Self) -> Bool {
            (left.need, left.place, left.host) < (right.need, right.place, right.host)
        }
    }

    private var lanes = SortedMap<Lane, SortedMap<Place, Present>>()
    private var busy = SortedMap<String, Int32>()
    private var heads = SortedMap<Head, Present>()
    /// The most connections per host.
    private(set) var limit: Int32

    init(limit: Int32) { self.limit = max(1, limit) }

    mutating func insert(_ place: Place, in lane: Lane) {
        change(lane.host) { queue in
            if queue.lanes[lane] == nil { queue.lanes.set(SortedMap(), for: lane) }
            queue.lanes.update(lane) { $0.insert(place) }
        }
    }

    mutating func remove(_ place: Place, from lane: Lane) {
        change(lane.host) { queue in
            queue.lanes.update(lane) { _ = $0.remove(place) }
            if queue.lanes[lane]?.isEmpty == true { queue.lanes.remove(lane) }
        }
    }

    /// A transfer from `host` is under way.
    mutating func began(at host: String) {
        change(host) { $0.busy.set(($0.busy[host] ?? 0) + 1, for: host) }
    }

    /// A transfer from `host` is no longer under way.
    mutating func ended(at host: String) {
        change(host) { queue in
            let left = (queue.busy[host] ?? 1) - 1
            if left > 0 { queue.busy.set(left, for: host) } else { queue.busy.remove(host) }
        }
    }

    /// Whether a lane has a transfer whose host has a free connection.
    var hasFirst: Bool { !heads.isEmpty }

    /// The number of the first transfer whose need is among `needs`; nil if there is none.
    func best(of needs: [TransferNeed]) -> Int64? {
        // Most queues have at most one head.
        if heads.count == 1, let head = heads.first?.key { return needs.contains(head.need) ? head.place.number : nil }
        var best: Place?
        for need in needs {
            let start = Head(need: need, place: Place(rank: .min, number: .min), host: "")
            guard let head = heads.first(from: start)?.key, head.need == need else { continue }
            if best.map({ head.place < $0 }) ?? true { best = head.place }
        }
        return best?.number
    }

    /// The number of transfers with this need, and the oldest of them; nil if there is none.
    func waiting(for need: TransferNeed) -> (first: Int64, count: Int)? {
        var found: (first: Int64, count: Int)?
        for (lane, places) in lanes where lane.need == need {
            guard let first = places.first?.key.number else { continue }
            found = (min(found?.first ?? first, first), (found?.count ?? 0) + places.count)
        }
        return found
    }

    /// Whether all connections of a host are in use.
    func isFull(_ host: String) -> Bool { busy[host] ?? 0 >= limit }

    private mutating func change(_ host: String, _ change: (inout TransferQueue) -> Void) {
        for head in headsOf(host) { heads.remove(head) }
        change(&self)
        for head in headsOf(host) { heads.insert(head) }
    }

    private func headsOf(_ host: String) -> [Head] {
        if isFull(host) { return [] }
        return TransferNeed.allCases.compactMap { need in
            lanes[Lane(host: host, need: need)]?.first.map { Head(need: need, place: $0.key, host: host) }
        }
    }
}
