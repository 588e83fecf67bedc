import Foundation

/// A game: the number of moves and the playing time, without pauses.
final class PuzzleGame {
    private(set) var moves: Int
    private var playedBefore: TimeInterval
    private var resumedAt: Date?

    var isPaused: Bool { resumedAt == nil }
    var played: TimeInterval { playedBefore + (resumedAt.map { Date().timeIntervalSince($0) } ?? 0) }

    init(moves: Int = 0, played: TimeInterval = 0) {
        self.moves = moves
        playedBefore = played
    }

    static func restored() -> PuzzleGame {
        let defaults = UserDefaults.standard
        let game = PuzzleGame(moves: defaults.integer(forKey: "moves"), played: defaults.double(forKey: "played"))
        print("restored \(game)")
        return game
    }

    func move() {
        guard !isPaused else { return }
        moves += 1
    }

    func resume() {
        resumedAt = Date()
    }

    func pause() {
        playedBefore = played
        resumedAt = nil
        print("paused \(self)")
    }

    func save() {
        UserDefaults.standard.set(moves, forKey: "moves")
        UserDefaults.standard.set(played, forKey: "played")
        print("saved \(self)")
    }
}

extension PuzzleGame: CustomStringConvertible {
    var description: String { "\(moves) moves, \(Int(played.rounded())) s" }
}
