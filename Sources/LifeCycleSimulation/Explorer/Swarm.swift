/// What is frequent in one history, what is rare, and what does not happen in it at all: half of all histories have their
/// own mixture, for some faults show only where something else stays away (swarm testing).
struct Swarm: Hashable, Sendable {
    /// How often each act is drawn, by its place in `Act.all`.
    private let weights: [Int]
    private let sum: Int
    /// How many times as often as usual the world goes wrong by itself.
    let faults: Int

    init(drawnFrom random: inout RandomSource) {
        let isMixed = random.chance(1, in: 2)
        weights = Act.all.map { act in
            guard isMixed else { return act.weight }
            return switch random.below(8) {
            case 0 where !act.isNeeded: 0
            case 1, 2: act.weight * 4
            default: act.weight
            }
        }
        sum = weights.reduce(0, +)
        faults = isMixed ? [0, 1, 4, 20][random.below(4)] : 1
    }

    func act(drawnFrom random: inout RandomSource) -> Act {
        var place = random.below(sum)
        for (act, weight) in zip(Act.all, weights) {
            if place < weight { return act }
            place -= weight
        }
        preconditionFailure("the place is below the sum of the weights")
    }
}
