/// The times of one round, in nanoseconds.
struct Samples {
    struct Series {
        var roost: [Int64] = []
        var c: [Int64] = []
    }

    var freeze = Series()
    var thaw = Series()

    mutating func add(_ series: WritableKeyPath<Samples, Series>, roost time: Int64) {
        self[keyPath: series].roost.append(time)
    }

    mutating func add(_ series: WritableKeyPath<Samples, Series>, c time: Int64) {
        self[keyPath: series].c.append(time)
    }

    /// Prints the medians, a line for each name.
    func print(_ names: KeyValuePairs<String, KeyPath<Samples, Series>>) {
        for (name, path) in names {
            let series = self[keyPath: path]
            Swift.print("\(name).roost=\(median(series.roost)) \(name).c=\(median(series.c))")
        }
    }

    private func median(_ values: [Int64]) -> Int64 {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
