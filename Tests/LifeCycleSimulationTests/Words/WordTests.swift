import LifeCycleModel
import LifeCyclePolicy
import Synchronization
import Testing

@testable import LifeCycleSimulation

/// Every event and every callback is reached by steps of the search, or has a reason why it is not.
@Suite struct WordTests {
    private final class Received: Sendable { let words = Mutex(Set<Word>()) }

    /// The words that occur on a way.
    private func words(_ name: String, _ searchSteps: [SearchStep]) throws -> Set<Word> {
        let received = Received()
        let alphabet = try #require(Alphabet.all.first { $0.name == name })
        var world = Exhaustive().world(alphabet)
        world.observer = { event, _, effects in
            received.words.withLock { words in
                var values: [Any] = [event]
                for case .launch(_, .send(.callback(_, let callback))) in effects { values.append(callback) }
                words.formUnion(values.compactMap(Word.in))
            }
        }
        for searchStep in searchSteps {
            #expect(alphabet.searchSteps.contains(searchStep), "\(name) has no step \(searchStep)")
            let isPossible = world.perform(searchStep)
            #expect(isPossible, "\(searchStep) is not possible after \(searchSteps)")
        }
        #expect(world.violation == nil)
        return received.words.withLock { $0 }
    }

    /// A concern without words in the list would be searched in vain.
    @Test func theCallsOfAllConcernsAreWords() throws {
        for concern in SimulatedConcerns.all { #expect(concern is any ConcernWithWays.Type, "\(concern) has no words") }
        for call in SimulatedConcerns.all.flatMap({ $0.calls }) {
            let word = try #require(Word.in(call), "\(call) has no ways")
            #expect(Word.all.contains(word), "\(word) is not in Word.all")
        }
    }

    @Test(arguments: Word.all) func wordsHaveLetters(_ word: Word) throws {
        switch word.way {
        case .searchSteps(let name, let searchSteps): #expect(try words(name, searchSteps).contains(word))
        case .none(let reason): #expect(reason.hasSuffix("."))
        }
    }
}
