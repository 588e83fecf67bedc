import LifeCycleModel

/// What a transfer needs before it may begin, from the least to the most.
enum TransferNeed: Int8, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// No more than that the network is not switched off: it comes from this machine itself.
    case nothing
    /// Any network.
    case network
    /// Any but in Low Data Mode.
    case unconstrained
    /// Any but a mobile one.
    case wifi
    case unconstrainedWiFi
    /// One that costs nothing.
    case inexpensive
    case inexpensiveUnconstrained
    /// Discretionary, and patient for long enough: a network that costs nothing, no Low Data Mode, and no empty battery.
    case relaxed
    /// Discretionary: power as well, or a battery that is not low, and no Low Power Mode.
    case discretion

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Of one that may use these networks, and is not discretionary.
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

    /// What it asks of a network beyond that there is one.
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

/// The transfers of one session that may begin as far as they themselves go, by what they need of the device: the one
/// with the highest priority first, then the one made first; of a host that has its connections none.
struct TransferQueue: Hashable, Sendable, Codable {
    struct Lane: Hashable, Comparable, Sendable, Codable {
        let host: String
        let need: TransferNeed

        static func < (left: Self, right: Self) -> Bool { (left.host, left.need) < (right.host, right.need) }
    }

    struct Place: Hashable, Comparable, Sendable, Codable {
        /// The priority, below zero: the highest is the first.
        let rank: Int32
        let number: Int64

        static func < (left: Self, right: Self) -> Bool { (left.rank, left.number) < (right.rank, right.number) }
    }

    /// The first of a lane whose host has a connection free.
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
    /// How many connections a host may have.
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

    /// It is not any more.
    mutating func ended(at host: String) {
        change(host) { queue in
            let left = (queue.busy[host] ?? 1) - 1
            if left > 0 { queue.busy.set(left, for: host) } else { queue.busy.remove(host) }
        }
    }

    /// Whether a lane has a transfer whose host has a connection free.
    var hasFirst: Bool { !heads.isEmpty }

    /// The first of all whose need is among `needs`.
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

    /// How many need this, and the one that was made first.
    func waiting(for need: TransferNeed) -> (first: Int64, count: Int)? {
        var found: (first: Int64, count: Int)?
        for (lane, places) in lanes where lane.need == need {
            guard let first = places.first?.key.number else { continue }
            found = (min(found?.first ?? first, first), (found?.count ?? 0) + places.count)
        }
        return found
    }

    /// Whether a host has no connection free.
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
