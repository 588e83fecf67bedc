import LifeCycleModel
import Testing

@testable import RoostGuardian

/// The arguments of `roost-guardian`.
struct GuardianOrdersTests {
    private static let orders = GuardianOrders(
        program: "/opt/my apps/roost", image: 10, supervisor: ["roost", "supervise", "--state=/a b", ""],
        release: ["roost", "release", "--guardian=7"], absence: .seconds(60), hang: .seconds(10),
        shutdown: .milliseconds(1), isVerbose: true)

    @Test func areReadAsTheyWereWritten() {
        #expect(GuardianOrders(words: Self.orders.words) == Self.orders)
    }

    @Test func otherWordsAreRefused() {
        let words = Self.orders.words
        for count in 0..<(words.count - 2) { #expect(GuardianOrders(words: Array(words.prefix(count))) == nil) }
        for (place, word) in [(1, "x"), (2, ""), (5, "2"), (6, "0"), (6, "-1"), (6, "7"), (6, "9999")] {
            var wrong = words
            wrong[place] = word
            #expect(GuardianOrders(words: wrong) == nil, "\(place): \(word)")
        }
    }
}
