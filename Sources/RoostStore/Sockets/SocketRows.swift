internal import GRDB
internal import LifeCycleModel

/// The launches with kept sockets or a keep-alive handler, one for each app.
enum SocketRows: RowsOfConcern {
    static var versions: [StoreSchema.Version] { [(17, addSockets)] }

    static func load(_ db: Database) throws -> [ConcernRecord] { try KeyedRows.load(db).map { .socket(.client($0)) } }

    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool {
        guard case .socket(let change) = change else { return false }
        switch change {
        case .client(let record):
            if record.isEmpty { try removeAll(of: record.app, db) } else { try KeyedRows.put(record, db) }
        }
        return true
    }

    static func removeAll(of app: AppID, _ db: Database) throws { try KeyedRows<SocketRecord>.remove(app, db) }

    @Sendable private static func addSockets(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE socket (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }
}

extension SocketRecord: KeyedRecord {
    static var table: String { "socket" }

    var app: AppID { launch.app }

    func check(_ cells: Cells) throws {
        guard !isEmpty else { throw cells.fault("record", "it has no socket and no keep-alive handler") }
        try cells.check(launch.number, in: StoreRows.short, "number of the launch", of: "record")
        if let keepAlive, keepAlive <= .zero {
            throw cells.fault("record", "its keep-alive handler is to be called every \(keepAlive)")
        }
        for socket in sockets {
            guard socket.id.rawValue > 0, socket.descriptor >= 0 else {
                throw cells.fault("record", "a process cannot have socket \(socket.id) at \(socket.descriptor)")
            }
            guard sockets.count(where: { $0.id == socket.id }) == 1 else {
                throw cells.fault("record", "it has socket \(socket.id) twice")
            }
        }
    }
}
