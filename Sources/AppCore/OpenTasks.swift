import LifeCycleModel

/// The background tasks of a launch in the order of their ids, which is also the order of beginning.
struct OpenTasks: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let task: BackgroundTask
        var handler: Handler
        /// Whether the task was reported to the system.
        var isReported: Bool
        /// Whether the system has refused the task: a refused task does not prevent suspension, and ending it is not a
        /// misuse.
        var isRefused = false
    }

    private enum Handler: Hashable, Sendable { case none, waiting, called }

    enum Ending { case ended, wasRefused, unknown }
    enum Expiration { case call, none, missing }

    private var entries: [Entry] = []
    private var next: Int64 = 1

    /// The open tasks in the order of their ids.
    var open: [BackgroundTask] { entries.filter { !$0.isRefused }.map(\.task) }

    /// The number of tasks that were begun and not ended, including refused tasks.
    var count: Int { entries.count }

    mutating func begin(name: String, hasHandler: Bool, isReported: Bool) -> BackgroundTask {
        let task = BackgroundTask(id: TaskID(next), name: name)
        next += 1
        entries.append(Entry(task: task, handler: hasHandler ? .waiting : .none, isReported: isReported))
        return task
    }

    mutating func end(_ id: TaskID) -> Ending {
        guard let index = index(of: id) else { return .unknown }
        return entries.remove(at: index).isRefused ? .wasRefused : .ended
    }

    /// Marks a task as refused; false if the task is not open.
    mutating func refuse(_ id: TaskID) -> Bool {
        guard let index = index(of: id), !entries[index].isRefused else { return false }
        entries[index].isRefused = true
        return true
    }

    mutating func takeHandler(_ id: TaskID) -> Expiration {
        guard let index = index(of: id) else { return .none }
        switch entries[index].handler {
        case .none: return entries[index].isRefused ? .none : .missing
        case .called: return .none
        case .waiting:
            entries[index].handler = .called
            return .call
        }
    }

    mutating func takeUnreported() -> [BackgroundTask] {
        let unreported = entries.filter { !$0.isReported && !$0.isRefused }.map(\.task)
        markReported()
        return unreported
    }

    mutating func markReported() {
        for index in entries.indices { entries[index].isReported = true }
    }

    /// The index of a task; nil if the task is not open. Ids only grow, so the entries are sorted.
    private func index(of id: TaskID) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].task.id < id { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].task.id == id ? low : nil
    }
}
