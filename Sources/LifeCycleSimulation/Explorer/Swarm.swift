/// The mixture of acts in one history. In half of the histories some acts are more frequent than usual, and some never
/// happen. Some faults show only if another act does not happen (swarm testing).
struct Swarm: Hashable, Sendable {
    /// How often each act is drawn, by its index in `Act.all`.
    private let weights: [Int]
    private let sum: Int
    /// A factor for the probability of spontaneous faults; 1 is usual.
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
