internal import FoundationEssentials
internal import GRDB
internal import LifeCycleModel

/// Converts background sessions and transfers to rows and back.
enum TransferRows: RowsOfConcern {
    static func load(_ db: Database) throws -> [ConcernRecord] {
        var records: [ConcernRecord] = try Row.fetchAll(db, sql: selectSessions).map {
            .transfer(.session(try session($0)))
        }
        let rows = try Row.fetchCursor(db, sql: selectTransfers)
        while let row = try rows.next() { records.append(.transfer(.task(try transfer(TransferCells(row: row))))) }
        return records
    }

    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool {
        guard case .transfer(let change) = change else { return false }
        switch change {
        case .session(let record): try put(record, db)
        case .sessionRemoved(let session): try remove(session, db)
        case .task(let record): try put(record, db)
        case .taskRemoved(let transfer): try remove(transfer, db)
        }
        return true
    }

    private static let selectSessions =
        "SELECT app, number, identifier, record FROM transfer_session ORDER BY app, number"

    private static func session(_ row: Row) throws -> TransferSessionRecord {
        let cells = try Cells(row, table: "transfer_session", key: ["app", "number"])
        let record: TransferSessionRecord = try cells.json("record")
        let id = TransferSessionID(app: AppID(try cells.value("app")), number: try cells.value("number"))
        guard record.id == id else { throw cells.fault("record", "it is of session \(record.id)") }
        guard record.identifier.rawValue == (try cells.value("identifier") as String) else {
            throw cells.fault("identifier", "it is not the record's, \(record.identifier)")
        }
        if let wakes = record.wakes?.count { try cells.check(wakes, in: StoreRows.short, "wakes", of: "record") }
        return record
    }

    private static func put(_ record: TransferSessionRecord, _ db: Database) throws {
        let sql = """
            INSERT INTO transfer_session (app, number, identifier, record) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, number) DO UPDATE SET identifier = excluded.identifier, record = excluded.record
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            record.id.app.rawValue, record.id.number, record.identifier.rawValue, try StoreRows.json(record),
        ])
    }

    private static func remove(_ session: TransferSessionID, _ db: Database) throws {
        for sql in [
            "DELETE FROM transfer_session WHERE app = ? AND number = ?",
            "DELETE FROM transfer WHERE app = ? AND session = ?",
        ] {
            try db.cachedStatement(sql: sql).execute(arguments: [session.app.rawValue, session.number])
        }
    }

    static func removeAll(of app: AppID, _ db: Database) throws {
        for sql in ["DELETE FROM transfer_session WHERE app = ?", "DELETE FROM transfer WHERE app = ?"] {
            try db.cachedStatement(sql: sql).execute(arguments: [app.rawValue])
        }
    }

    // MARK: Transfers

    /// The columns, in the order of writing and reading.
    fileprivate enum Column: String, CaseIterable {
        case app, session, number, place, url, method, fields, body, timeout, networks, text, priority
        case earliestBegin = "earliest_begin"
        case expectedToReceive = "expected_to_receive"
        case isSuspended = "is_suspended"
        case isPaused = "is_paused"
        case isFromBackground = "is_from_background"
        case made, failures, checkpoint, resumes, outcome, hold, since
        case keptUntil = "kept_until"

        static let names = allCases.map(\.rawValue).joined(separator: ", ")
        static let indices = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
    }

    private static let selectTransfers = "SELECT \(Column.names) FROM transfer ORDER BY app, session, number"
    private static let insertTransfer = """
        INSERT OR REPLACE INTO transfer (\(Column.names))
        VALUES (\(Column.allCases.map { _ in "?" }.joined(separator: ", ")))
        """

    private static func transfer(_ cells: TransferCells) throws -> TransferRecord {
        let session = TransferSessionID(app: AppID(try cells.value(.app)), number: try cells.value(.session))
        var request = TransferRequest(url: try cells.value(.url))
        request.method = try cells.value(.method)
        request.fields = try cells.json(.fields) ?? []
        request.body = try cells.ifThere(.body)
        request.timeout = try cells.ifThere(.timeout).map { Nanoseconds($0) }
        request.networks = try networks(cells)
        var record = TransferRecord(
            id: TransferID(session: session, number: try cells.value(.number, in: 1..<Int64.max)), request: request,
            made: Nanoseconds(try cells.value(.made)))
        record.text = try cells.ifThere(.text).map { (text: Data) in String(decoding: text, as: UTF8.self) }
        record.priority = try cells.value(.priority, in: 0..<1001)
        record.earliestBegin = try cells.ifThere(.earliestBegin).map { Nanoseconds($0) }
        record.expectedToReceive = try cells.ifThere(.expectedToReceive)
        record.isSuspended = try cells.value(.isSuspended)
        record.isPaused = try cells.value(.isPaused)
        record.isFromBackground = try cells.value(.isFromBackground)
        record.failures = try cells.value(.failures, in: 0..<Int32.max)
        record.checkpoint = try cells.json(.checkpoint)
        record.resumes = try cells.json(.resumes)
        record.outcome = try cells.json(.outcome)
        // A negative place means: the outcome was delivered, and the partial file is kept for resuming.
        record.place = try cells.value(.place, in: -1..<Int64.max / 2)
        record.hold = try cells.json(.hold)
        record.since = try cells.ifThere(.since).map { Nanoseconds($0) }
        record.keptUntil = try cells.ifThere(.keptUntil).map { Nanoseconds($0) }
        return record
    }

    private static func put(_ record: TransferRecord, _ db: Database) throws {
        let request = record.request
        try db.cachedStatement(sql: insertTransfer).execute(arguments: [
            record.id.session.app.rawValue, record.id.session.number, record.id.number, record.place, request.url,
            request.method, try request.fields.isEmpty ? nil : StoreRows.json(request.fields), request.body,
            request.timeout?.rawValue, networks(request.networks), record.text.map { Data($0.utf8) }, record.priority,
            record.earliestBegin?.rawValue, record.expectedToReceive, record.isSuspended, record.isPaused,
            record.isFromBackground, record.made.rawValue, record.failures,
            try record.checkpoint.map { try StoreRows.json($0) }, try record.resumes.map { try StoreRows.json($0) },
            try record.outcome.map { try StoreRows.json($0) }, try record.hold.map { try StoreRows.json($0) },
            record.since?.rawValue, record.keptUntil?.rawValue,
        ])
    }

    private static func remove(_ transfer: TransferID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM transfer WHERE app = ? AND session = ? AND number = ?")
            .execute(arguments: [transfer.session.app.rawValue, transfer.session.number, transfer.number])
    }

    private static func networks(_ access: NetworkAccess) -> Int {
        (access.cellular ? 1 : 0) | (access.expensive ? 2 : 0) | (access.constrained ? 4 : 0)
    }

    private static func networks(_ cells: TransferCells) throws -> NetworkAccess {
        let bits: Int = try cells.value(.networks)
        var access = NetworkAccess()
        (access.cellular, access.expensive, access.constrained) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
        return access
    }
}

/// The cells of a transfer, read by index. Looking up a column by its name takes longer than reading it.
private struct TransferCells {
    let row: Row

    func value<Value: DatabaseValueConvertible>(_ column: TransferRows.Column) throws -> Value {
        let cell = cell(column)
        guard let value = Value.fromDatabaseValue(cell) else { throw try fault(column, "it cannot be \(cell)") }
        return value
    }

    /// A value that only the system writes. A value out of range is damage, and must not be used in calculations.
    func value<Value: DatabaseValueConvertible & Comparable>(
        _ column: TransferRows.Column, in range: Range<Value>
    ) throws -> Value {
        let value: Value = try value(column)
        guard range.contains(value) else { throw try fault(column, "it cannot be \(value)") }
        return value
    }

    func ifThere<Value: DatabaseValueConvertible>(_ column: TransferRows.Column) throws -> Value? {
        cell(column).isNull ? nil : try value(column)
    }

    func json<Value: Decodable>(_ column: TransferRows.Column) throws -> Value? {
        cell(column).isNull ? nil : try named.json(column.rawValue)
    }

    /// Every column has an index.
    private func cell(_ column: TransferRows.Column) -> DatabaseValue { row[TransferRows.Column.indices[column]!] }

    private var named: Cells {
        get throws { try Cells(row, table: "transfer", key: ["app", "session", "number"]) }
    }

    private func fault(_ column: TransferRows.Column, _ reason: String) throws -> StoreFault {
        try named.fault(column.rawValue, reason)
    }
}
