import LifeCycleModel

/// A finite-length task as the interfaces have it.
extension BackgroundTask {
    /// Reads a task, and checks it.
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

    /// Reads a list, and checks it: not too long, in the order of the ids, none twice.
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

    /// A list that fits a message whatever it holds: where names would take too much room they are left out, since it is
    /// the identifiers that count.
    static func json(_ tasks: [BackgroundTask]) -> JSON {
        .array(fitting(tasks).map(\.json))
    }

    /// The tasks as they fit a message, some without their names.
    static func fitting(_ tasks: [BackgroundTask]) -> [BackgroundTask] {
        // A byte of a name takes at most six of JSON (`\u0000`), the rest of an entry at most forty.
        let most = tasks.reduce(0) { $0 + $1.name.utf8.count * 6 + 40 }
        guard most > WireLimits.message - 4096 else { return tasks }
        return tasks.map { BackgroundTask(id: $0.id, name: "") }
    }
}
