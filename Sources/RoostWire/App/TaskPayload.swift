import LifeCycleModel

/// A finite-length task as the interfaces have it.
struct TaskPayload: Codable {
    @Whole var id: Int64
    let name: String

    init(_ task: BackgroundTask) {
        _id = Whole(wrappedValue: task.id.rawValue)
        name = task.name
    }

    func task(field: String) throws(WireError) -> BackgroundTask {
        guard id >= 1 else { throw .invalidParameter(field: field + ".id", problem: "is not positive") }
        guard name.utf8.count <= WireLimits.name else {
            throw .invalidParameter(field: field + ".name", problem: "is longer than \(WireLimits.name) bytes")
        }
        return BackgroundTask(id: TaskID(id), name: name)
    }

    /// Checks a list: not too long, each task sound, in the order of their ids, none twice.
    static func tasks(_ payloads: [TaskPayload], field: String) throws(WireError) -> [BackgroundTask] {
        guard payloads.count <= WireLimits.tasks else {
            throw .invalidParameter(field: field, problem: "holds more than \(WireLimits.tasks) tasks")
        }
        var tasks: [BackgroundTask] = []
        tasks.reserveCapacity(payloads.count)
        for (index, payload) in payloads.enumerated() {
            let task = try payload.task(field: "\(field)[\(index)]")
            if let last = tasks.last, last.id >= task.id {
                throw .invalidParameter(field: "\(field)[\(index)].id", problem: "does not follow the one before it")
            }
            tasks.append(task)
        }
        return tasks
    }

    /// A list that fits a message whatever it holds: where names would take too much room they are left out, since
    /// it is the identifiers that count.
    static func payloads(_ tasks: [BackgroundTask]) -> [TaskPayload] {
        // A byte of a name takes at most six of JSON (`\u0000`), the rest of an entry at most forty.
        let most = tasks.reduce(0) { $0 + $1.name.utf8.count * 6 + 40 }
        guard most > WireLimits.message - 4096 else { return tasks.map(TaskPayload.init) }
        return tasks.map { TaskPayload(BackgroundTask(id: $0.id, name: "")) }
    }
}
