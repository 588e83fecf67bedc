import LifeCycleModel

/// The wire format of a background task.
extension BackgroundTask {
    /// Reads and validates a task.
    init(_ field: JSONField) throws(WireError) {
        let fields = try field.object()
        let id = try fields["id"].whole(Int64.self)
        let name = try fields["name"].string()
        guard id >= 1 else { throw .invalidParameter(field: fields["id"].name, problem: "is not positive") }
        guard name.utf8.count <= WireLimits.name else {
            throw .invalidParameter(
                field: fields["name"].name, problem: "is longer than \(WireLimits.name) bytes")
        }
        self.init(id: TaskID(id), name: name)
    }

    var json: JSON { .object(["id": .integer(id.rawValue), "name": .string(name)]) }

    /// Reads a list and validates it: not too long, sorted by id, without duplicates.
    static func list(_ field: JSONField) throws(WireError) -> [BackgroundTask] {
        let fields = try field.list()
        guard fields.count <= WireLimits.tasks else {
            throw .invalidParameter(field: field.name, problem: "holds more than \(WireLimits.tasks) tasks")
        }
        var tasks: [BackgroundTask] = []
        tasks.reserveCapacity(fields.count)
        for field in fields {
            let task = try BackgroundTask(field)
            if let last = tasks.last, last.id >= task.id {
                throw .invalidParameter(field: field["id"].name, problem: "does not follow the one before it")
            }
            tasks.append(task)
        }
        return tasks
    }

    /// A list that always fits in a message. If the names would take too much space they are omitted, since only the
    /// ids matter.
    static func json(_ tasks: [BackgroundTask]) -> JSON {
        .array(fitting(tasks).map(\.json))
    }

    /// The tasks, without names if a message could not hold them.
    static func fitting(_ tasks: [BackgroundTask]) -> [BackgroundTask] {
        // JSON needs at most six bytes per byte of a name (`\u0000`), and forty for the rest of an entry.
        let most = tasks.reduce(0) { $0 + $1.name.utf8.count * 6 + 40 }
        guard most > WireLimits.message - 4096 else { return tasks }
        return tasks.map { BackgroundTask(id: $0.id, name: "") }
    }
}
