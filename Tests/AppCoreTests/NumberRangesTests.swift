import Testing

@testable import AppCore

/// A compact set of mostly consecutive numbers.
@Suite struct NumberRangesTests {
    @Test func rangesDoNotDependOnTheInsertionOrder() {
        var numbers = NumberRanges()
        #expect(numbers.isEmpty && !numbers.contains(0))
        // Each number is inserted once, in an order with leaps.
        for index in 0..<997 as Range<Int64> { numbers.insert(1 + index * 400 % 997) }
        #expect(numbers.ranges == [1...997])
        #expect(numbers.contains(1) && numbers.contains(500) && numbers.contains(997))
        #expect(!numbers.contains(0) && !numbers.contains(998))
    }

    @Test func gapsBetweenRangesAreKept() {
        var numbers = NumberRanges()
        for number in [5, 9, 7, 5, 6, .min, .max, .max - 1, .min + 1] as [Int64] { numbers.insert(number) }
        #expect(numbers.ranges == [.min ... .min + 1, 5...7, 9...9, .max - 1 ... .max])
        #expect(!numbers.contains(8) && numbers.contains(.max))
        numbers.insert(8)
        #expect(numbers.ranges.count == 3 && numbers.contains(8))
    }
}
