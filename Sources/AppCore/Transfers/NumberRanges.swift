/// A set of mostly consecutive numbers: an app's finished tasks. The size of the set is the number of ranges, not of
/// elements.
struct NumberRanges: Hashable, Sendable {
    /// Sorted ranges with gaps between them.
    private(set) var ranges: [ClosedRange<Int64>] = []

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ number: Int64) -> Bool {
        let place = place(of: number)
        return place < ranges.count && ranges[place].contains(number)
    }

    mutating func insert(_ number: Int64) {
        let place = place(of: number)
        if place < ranges.count, ranges[place].contains(number) { return }
        var (first, last) = (number, number)
        // Neither addition overflows: the neighboring range has a smaller or greater number.
        let endsBefore = place > 0 && ranges[place - 1].upperBound == number - 1
        let beginsAfter = place < ranges.count && ranges[place].lowerBound == number + 1
        if endsBefore { first = ranges[place - 1].lowerBound }
        if beginsAfter { last = ranges[place].upperBound }
        let joined = (endsBefore ? place - 1 : place)..<(beginsAfter ? place + 1 : place)
        ranges.replaceSubrange(joined, with: [first...last])
    }

    /// The index of the first range that ends at or after a number.
    private func place(of number: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
