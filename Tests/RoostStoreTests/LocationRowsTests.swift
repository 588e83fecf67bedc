import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

/// The apps' permissions and their monitoring of the location in the store.
@Suite struct LocationRowsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    private static func app(_ app: Int32) throws -> AppRecord {
        let identifier = try #require(BundleIdentifier("com.example.app\(app)"))
        return AppRecord(app: AppID(app), manifest: AppManifest(identifier: identifier, executable: "x"))
    }

    private static var first: LocationRecord {
        var record = LocationRecord(app: AppID(1), permission: .always, monitorsChanges: true)
        record.told = LocationFix(latitude: -900_000_000, longitude: 7, accuracy: 1, time: Nanoseconds(-5))
        record.toldAt = Nanoseconds(-7)
        record.regions = ["home", "work"].compactMap { identifier in
            LocationRegion(identifier: identifier, latitude: 1, longitude: -2, radius: 3).map {
                MonitoredRegion($0, isInside: identifier == "home" ? true : nil)
            }
        }
        record.session = LocationSession(
            launch: LaunchID(app: AppID(1), number: 3),
            updates: StandardUpdates(distanceFilter: 5, allowsBackground: true, pausesAutomatically: false))
        record.activity = BackgroundActivity(launch: LaunchID(app: AppID(1), number: 1))
        return record
    }
    private static let second = LocationRecord(app: AppID(2), permission: .deny)

    private static func change(_ record: LocationRecord) -> StoreChange {
        .record(.concern(.location(.client(record))))
    }

    @Test func keepsEveryField() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(Self.second), Self.change(Self.first)])
        #expect(try SQLiteStore(path: path).load().concerns.locations == [Self.first, Self.second])
        let changed = LocationRecord(app: AppID(1), permission: .whenInUse)
        try store.commit([Self.change(changed)])
        #expect(try SQLiteStore(path: path).load().concerns.locations == [changed, Self.second])
    }

    @Test func aRemovedAppLeavesNoRecords() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.app(1))), Self.change(Self.first), Self.change(Self.second)])
        try store.commit([.record(.appRemoved(AppID(1)))])
        #expect(try store.load().concerns.locations == [Self.second])
    }

    @Test func aStoreOfVersion13IsBroughtToTheNewest() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.app(1)))])
        try store.execute("DROP TABLE location")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '14'")
        #expect(try SQLiteStore.kept(at: path)?.concerns.locations == [])
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().apps == [try Self.app(1)])
        try newer.commit([Self.change(Self.first)])
        #expect(try newer.load().concerns.locations == [Self.first])
    }

    /// A record from before there were regions.
    @Test func aStoreOfVersion14IsBroughtToTheNewest() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.app(1))), Self.change(Self.first)])
        try store.execute("UPDATE location SET record = json_remove(record, '$.regions')")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '15'")
        let record = try #require(try SQLiteStore(path: path).load().concerns.locations.first)
        #expect(record.told == Self.first.told && record.session == Self.first.session && record.regions.isEmpty)
    }

    @Test(arguments: [
        "record = '{}'", "app = 2", "record = json_set(record, '$.told.latitude', 900000001)",
        "record = json_set(record, '$.permission', 'never')", "record = json_remove(record, '$.told')",
        "record = json_remove(record, '$.toldAt')", "record = json_set(record, '$.monitorsChanges', json('false'))",
        "record = json_remove(json_set(record, '$.permission', 'deny'), '$.told', '$.toldAt', '$.session')",
        "record = json_set(record, '$.regions[1].region.identifier', 'home')",
        "record = json_set(record, '$.regions[0].region.radius', 0)",
        "record = json_set(record, '$.regions[0].region.latitude', 900000001)",
        "record = json_set(record, '$.permission', 'ask')", "record = json_set(record, '$.session.launch.app', 2)",
        "record = json_set(record, '$.activity.launch.app', 2)",
        "record = json_set(record, '$.activity.state', 'over')",
        """
        record = json_remove(
            json_set(record, '$.permission', 'deny', '$.monitorsChanges', json('false'), '$.regions', json('[]')),
            '$.told', '$.toldAt', '$.session')
        """,
    ])
    func namesTheBrokenRow(change: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(Self.first)])
        try store.execute("UPDATE location SET \(change)")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.subject == path && error?.reason.contains("table location, row app") == true, "\(error!)")
    }
}
