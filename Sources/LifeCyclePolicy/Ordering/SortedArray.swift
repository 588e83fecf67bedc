extension Array where Element: Comparable {
    /// The index of `element` in a sorted array, or the index at which it belongs.
    func sortedIndex(of element: Element) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Inserts `element` into a sorted array, unless the array has it.
    mutating func sortedInsert(_ element: Element) {
        let index = sortedIndex(of: element)
        if index == count || self[index] != element { insert(element, at: index) }
    }

    /// O(log n) comparisons. Does nothing if the element is missing.
    mutating func sortedRemove(_ element: Element) {
        let index = sortedIndex(of: element)
        if index < count, self[index] == element { remove(at: index) }
    }

    /// O(log n). The array must be sorted.
    func sortedContains(_ element: Element) -> Bool {
        let index = sortedIndex(of: element)
        return index < count && self[index] == element
    }
}
