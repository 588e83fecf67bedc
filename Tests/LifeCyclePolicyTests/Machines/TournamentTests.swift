import Testing

@testable import LifeCyclePolicy

/// The tournament, compared with the simplest correct implementation: a list that is searched from its beginning.
@Suite struct TournamentTests {
    private struct Naive {
        var keys: [Int64?] = []

        var best: (slot: Int, key: Int64)? {
            var best: (slot: Int, key: Int64)?
            for (slot, key) in keys.enumerated() {
                if let key, best.map({ key < $0.key }) ?? true { best = (slot, key) }
            }
            return best
        }
    }

    /// A generator of numbers that depend on its seed alone.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }

    @Test(arguments: 1...40) func agreesWithAListAndForgetsItsHistory(seed: UInt64) {
        var dice = Dice(state: seed)
        var naive = Naive()
        var tournament = Tournament()
        for step in 0..<300 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0:
                let slot = Int.random(in: 0...naive.keys.count, using: &dice)
                naive.keys.insert(nil, at: slot)
                tournament.insertSlot(at: slot)
            case 1 where !naive.keys.isEmpty:
                let slot = Int.random(in: 0..<naive.keys.count, using: &dice)
                naive.keys.remove(at: slot)
                tournament.removeSlot(at: slot)
            case 2:
                let count = Int.random(in: 0...20, using: &dice)
                naive.keys = Array(naive.keys.prefix(count))
                naive.keys += Array(repeating: nil, count: count - naive.keys.count)
                tournament.resize(to: count)
            default:
                guard !naive.keys.isEmpty else { continue }
                let slot = Int.random(in: 0..<naive.keys.count, using: &dice)
                let key = Bool.random(using: &dice) ? Int64.random(in: 0..<9, using: &dice) : nil
                naive.keys[slot] = key
                tournament.set(key, at: slot)
            }
            #expect(tournament.best?.slot == naive.best?.slot, "seed \(seed), step \(step)")
            #expect(tournament.best?.key == naive.best?.key, "seed \(seed), step \(step)")
            var fresh = Tournament()
            fresh.resize(to: naive.keys.count)
            for (slot, key) in naive.keys.enumerated() { fresh.set(key, at: slot) }
            #expect(tournament == fresh, "seed \(seed), step \(step)")
        }
    }

    @Test func anEmptiedTournamentEqualsANewOne() {
        var tournament = Tournament()
        tournament.insertSlot(at: 0)
        tournament.set(3, at: 0)
        tournament.removeSlot(at: 0)
        #expect(tournament == Tournament())
        #expect(tournament.best == nil)
    }

    @Test func ofEqualKeysTheLowestSlotWins() {
        var tournament = Tournament()
        tournament.resize(to: 5)
        for slot in [4, 2, 3] { tournament.set(7, at: slot) }
        #expect(tournament.best?.slot == 2)
    }
}
