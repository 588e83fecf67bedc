import FoundationEssentials
import LifeCycleModel
import Testing

/// Ranges of scene sessions, made from any numbers.
@Suite struct SceneSessionRangeTests {
    static let runs: [(numbers: [Int32], counted: [Int32])] = [
        ([], []), ([1], [1]), ([1, 2, 3], [1, 2, 3]), ([7, 8, 10], [7, 8]), ([3, 1, 4], [3]), ([2, 2], [2]),
        ([.max], [.max]), ([.max - 1, .max], [.max - 1, .max]), ([.max, .min], [.max]),
        ([.min, .min + 1], [.min, .min + 1]),
    ]

    @Test(arguments: runs) func theRunThatTheyBeginWith(numbers: [Int32], counted: [Int32]) throws {
        let range = SceneSessionRange(numbers.map { SceneSessionID($0) })
        #expect(range.sessions.map(\.rawValue) == counted)
        #expect(range.isEmpty == counted.isEmpty)
        #expect(try JSONDecoder().decode(SceneSessionRange.self, from: JSONEncoder().encode(range)) == range)
    }

    @Test(arguments: [#"{"first":1,"count":-1}"#, #"{"first":2147483647,"count":2}"#, #"{"first":1}"#])
    func invalidRangesAreNotDecoded(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SceneSessionRange.self, from: Data(text.utf8))
        }
    }
}
