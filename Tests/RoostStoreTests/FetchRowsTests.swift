import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

/// The apps' background fetch settings in the store.
@Suite struct FetchRowsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    private static func record(_ app: Int32) throws -> AppRecord {
        let identifier = try #require(BundleIdentifier("com.example.app\(app)"))
        return AppRecord(app: AppID(app), manifest: AppManifest(identifier: identifier, executable: "x"))
    }

    private static let first = FetchRecord(
        app: AppID(1), minimumInterval: .seconds(3600), last: Nanoseconds(-7), patience: .seconds(41), unproductive: 3)
    private static let second = FetchRecord(app: AppID(2), minimumInterval: .zero, last: .seconds(9))

    @Test func keepsEveryField() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([
            .record(.concern(.fetch(.client(Self.second)))), .record(.concern(.fetch(.client(Self.first)))),
        ])
        #expect(try SQLiteStore(path: path).load().concerns.fetches == [Self.first, Self.second])
        let changed = FetchRecord(
            app: AppID(1), minimumInterval: .seconds(1), last: .seconds(2), patience: .seconds(3), unproductive: 4)
        try store.commit([
            .record(.concern(.fetch(.client(changed)))), .record(.concern(.fetch(.removed(AppID(2))))),
            .record(.concern(.fetch(.removed(AppID(2))))),
        ])
        #expect(try SQLiteStore(path: path).load().concerns.fetches == [changed])
    }

    @Test func aRemovedAppLeavesNoRecords() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([
            .record(.app(try Self.record(1))), .record(.concern(.fetch(.client(Self.first)))),
            .record(.concern(.fetch(.client(Self.second)))),
        ])
        try store.commit([.record(.appRemoved(AppID(1)))])
        #expect(try store.load().concerns.fetches == [Self.second])
    }

    @Test func aStoreOfVersion5IsBroughtToTheNewest() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.record(1)))])
        try store.execute("DROP TABLE fetch")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '6'")
        #expect(try SQLiteStore.kept(at: path)?.concerns.fetches == [])
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().apps == [try Self.record(1)])
        try newer.commit([.record(.concern(.fetch(.client(Self.first))))])
        #expect(try newer.load().concerns.fetches == [Self.first])
    }

    @Test(arguments: [
        "UPDATE fetch SET record = '{}'", "UPDATE fetch SET record = json_set(record, '$.minimumInterval', -1)",
        "UPDATE fetch SET app = 2", "UPDATE fetch SET record = json_set(record, '$.fruitless', -1)",
    ])
    func namesTheBrokenRow(sql: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.concern(.fetch(.client(Self.first))))])
        try store.execute(sql)
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.subject == path && error?.reason.contains("table fetch, row app") == true, "\(error!)")
    }
}
