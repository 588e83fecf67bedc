import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

/// The launches with kept sockets or a keep-alive handler in the store.
@Suite struct SocketRowsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    private static func app(_ app: Int32) throws -> AppRecord {
        let identifier = try #require(BundleIdentifier("com.example.app\(app)"))
        return AppRecord(app: AppID(app), manifest: AppManifest(identifier: identifier, executable: "x"))
    }

    private static func record(_ app: Int32, launch: Int32, _ change: (inout SocketRecord) -> Void) -> SocketRecord {
        var record = SocketRecord(launch: LaunchID(app: AppID(app), number: launch))
        change(&record)
        return record
    }

    private static let first = record(1, launch: 3) {
        $0.sockets = [
            KeptSocket(id: SocketID(rawValue: .max), descriptor: 0),
            KeptSocket(id: SocketID(rawValue: 1), descriptor: 7),
        ]
        $0.keepAlive = .distantFuture
    }
    private static let second = record(2, launch: 1) { $0.keepAlive = .seconds(600) }

    private static func change(_ record: SocketRecord) -> StoreChange { .record(.concern(.socket(.client(record)))) }

    @Test func keepsEveryField() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(Self.second), Self.change(Self.first)])
        #expect(try SQLiteStore(path: path).load().concerns.sockets == [Self.first, Self.second])
        let next = Self.record(1, launch: 4) { $0.sockets = [KeptSocket(id: SocketID(rawValue: 2), descriptor: 5)] }
        try store.commit([Self.change(next)])
        #expect(try SQLiteStore(path: path).load().concerns.sockets == [next, Self.second])
    }

    @Test func anEmptyRecordIsRemoved() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(Self.first), Self.change(Self.second)])
        try store.commit([Self.change(SocketRecord(launch: Self.first.launch))])
        #expect(try store.load().concerns.sockets == [Self.second])
        try store.commit([Self.change(SocketRecord(launch: Self.first.launch))])
        #expect(try store.load().concerns.sockets == [Self.second])
    }

    @Test func aRemovedAppLeavesNoRecords() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.app(1))), Self.change(Self.first), Self.change(Self.second)])
        try store.commit([.record(.appRemoved(AppID(1)))])
        #expect(try store.load().concerns.sockets == [Self.second])
    }

    @Test func aStoreOfVersion16IsBroughtToTheNewest() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.app(1)))])
        try store.execute("DROP TABLE socket")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '17'")
        #expect(try SQLiteStore.kept(at: path)?.concerns.sockets == [])
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().apps == [try Self.app(1)])
        try newer.commit([Self.change(Self.first)])
        #expect(try newer.load().concerns.sockets == [Self.first])
    }

    @Test(arguments: [
        "record = '{}'", "app = 2", "record = json_set(record, '$.launch.app', 2)",
        "record = json_set(record, '$.launch.app.rawValue', 2)", "record = json_set(record, '$.launch.number', -1)",
        "record = json_set(record, '$.launch.number', 2147483647)",
        "record = json_remove(json_set(record, '$.sockets', json('[]')), '$.keepAlive')",
        "record = json_set(record, '$.keepAlive', 0)", "record = json_set(record, '$.sockets[0].id', 0)",
        "record = json_set(record, '$.sockets[0].id', 1)", "record = json_set(record, '$.sockets[1].descriptor', -1)",
        "record = json_set(record, '$.sockets[1].descriptor', 4294967296)",
    ])
    func namesTheBrokenRow(change: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(Self.first)])
        try store.execute("UPDATE socket SET \(change)")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.subject == path && error?.reason.contains("table socket, row app") == true, "\(error!)")
    }
}
