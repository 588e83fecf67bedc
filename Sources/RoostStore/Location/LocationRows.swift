internal import GRDB
internal import LifeCycleModel

/// Each app's permission to use the location, and its monitoring of significant changes and regions.
enum LocationRows: RowsOfConcern {
    static var versions: [StoreSchema.Version] { [(14, addLocations), (15, addRegions)] }

    static func load(_ db: Database) throws -> [ConcernRecord] { try KeyedRows.load(db).map { .location(.client($0)) } }

    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool {
        guard case .location(let change) = change else { return false }
        switch change {
        case .client(let record): try KeyedRows.put(record, db)
        }
        return true
    }

    static func removeAll(of app: AppID, _ db: Database) throws { try KeyedRows<LocationRecord>.remove(app, db) }

    @Sendable private static func addLocations(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE location (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }
}

extension LocationRows {
    /// Records have a list of regions.
    @Sendable fileprivate static func addRegions(_ db: Database) throws {
        try db.execute(sql: "UPDATE location SET record = json_set(record, '$.regions', json('[]'))")
    }
}

extension LocationRecord: KeyedRecord {
    static var table: String { "location" }

    func check(_ cells: Cells) throws {
        guard (told == nil) == (toldAt == nil) else {
            throw cells.fault("record", "it has the last position or its time, but not both")
        }
        guard told == nil || monitorsChanges else {
            throw cells.fault("record", "it has a last position, but the app does not monitor changes")
        }
        guard session == nil || permission.allowsUse else {
            throw cells.fault("record", "its updates keep the app running, which the user has not allowed")
        }
        guard session.map({ $0.launch.app == app }) ?? true else {
            throw cells.fault("record", "the launch that its updates keep running is another app's")
        }
        guard activity.map({ $0.launch.app == app }) ?? true else {
            throw cells.fault("record", "the launch that has its background activity session is another app's")
        }
        guard permission != .deny || activity == nil else {
            throw cells.fault("record", "it has a background activity session, and the user forbids it the location")
        }
        guard permission != .deny || !isMonitoring else {
            throw cells.fault("record", "the app monitors changes or regions, which the user forbids")
        }
        let identifiers = regions.map(\.region.identifier)
        guard identifiers.count <= LocationRegion.most else {
            throw cells.fault("record", "it has \(identifiers.count) regions")
        }
        guard zip(identifiers, identifiers.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw cells.fault("record", "its regions are not in the order of their identifiers")
        }
        guard permission.allowsUse || regions.allSatisfy({ $0.isInside == nil }) else {
            throw cells.fault("record", "it knows the state of a region, and is not allowed the location")
        }
    }
}
