import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

/// The apps' tokens for VoIP pushes and their calls in the store (R-171, R-174).
@Suite struct VoIPRowsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    private static func app(_ app: Int32) throws -> AppRecord {
        let identifier = try #require(BundleIdentifier("com.example.app\(app)"))
        return AppRecord(app: AppID(app), manifest: AppManifest(identifier: identifier, executable: "x"))
    }

    /// A record with a call in each state. The first four calls are incoming.
    private static func first() throws -> VoIPRecord {
        var record = VoIPRecord(app: AppID(1))
        let token = try #require(DeviceToken(Array(0..<UInt8(DeviceToken.size))))
        (record.token, record.misses, record.lastPush) = (token, 2, 7)
        record.launch = LaunchID(app: AppID(1), number: 3)
        let states: [PhoneCall.State] = [
            .ringing, .answering(until: Nanoseconds(-1)), .connected, .ending(until: .seconds(5)),
            .starting(until: .seconds(6)), .dialing, .connected,
        ]
        record.calls = try states.enumerated().map { index, state in
            let id = try #require(CallID("0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F\(index)"))
            let update = CallUpdate(caller: "Ada \u{0}\(index)", hasVideo: index == 1)
            let number = Int64(2 * index + 1)
            var call =
                index < 4
                ? PhoneCall(id: id, number: number, update: update)
                : PhoneCall(id: id, number: number, update: update, startingUntil: .zero)
            call.state = state
            return call
        }
        record.calls[5].changes = [PhoneCall.Change(.mute, until: .seconds(7))]
        (record.calls[6].isOnHold, record.calls[6].isMuted) = (true, true)
        record.calls[6].changes = [
            PhoneCall.Change(.resume, until: .seconds(8)), PhoneCall.Change(.unmute, until: .seconds(9)),
        ]
        return record
    }
    private static let second = VoIPRecord(app: AppID(2))

    private static func change(_ record: VoIPRecord) -> StoreChange { .record(.concern(.voip(.client(record)))) }

    @Test func keepsEveryField() throws {
        let (store, first) = (try SQLiteStore(path: path), try Self.first())
        try store.commit([Self.change(Self.second), Self.change(first)])
        #expect(try SQLiteStore(path: path).load().concerns.voip == [first, Self.second])
        let changed = VoIPRecord(app: AppID(1))
        try store.commit([Self.change(changed)])
        #expect(try SQLiteStore(path: path).load().concerns.voip == [changed, Self.second])
    }

    @Test func aRemovedAppLeavesNoRecords() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(try Self.app(1))), Self.change(try Self.first()), Self.change(Self.second)])
        try store.commit([.record(.appRemoved(AppID(1)))])
        #expect(try store.load().concerns.voip == [Self.second])
    }

    @Test func aStoreOfVersion15IsBroughtToTheNewest() throws {
        let (store, first) = (try SQLiteStore(path: path), try Self.first())
        try store.commit([.record(.app(try Self.app(1)))])
        try store.execute("DROP TABLE voip")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '16'")
        #expect(try SQLiteStore.kept(at: path)?.concerns.voip == [])
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().apps == [try Self.app(1)])
        try newer.commit([Self.change(first)])
        #expect(try newer.load().concerns.voip == [first])
    }

    /// Records of that version have no hold and no mute, and all calls are incoming.
    @Test func aStoreOfVersion17IsBroughtToTheNewest() throws {
        var record = try Self.first()
        record.calls.removeLast(record.calls.count - 4)
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(record)])
        for call in record.calls.indices {
            let names = ["isOutgoing", "isOnHold", "isMuted", "changes"].map { "'$.calls[\(call)].\($0)'" }
            try store.execute("UPDATE voip SET record = json_remove(record, \(names.joined(separator: ", ")))")
        }
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '18'")
        #expect(try SQLiteStore.kept(at: path)?.concerns.voip == [record])
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().concerns.voip == [record])
        let outgoing = try Self.first()
        try newer.commit([Self.change(outgoing)])
        #expect(try newer.load().concerns.voip == [outgoing])
    }

    @Test(arguments: [
        "record = '{}'", "app = 2", "record = json_set(record, '$.token.bytes', json('[1]'))",
        "record = json_set(record, '$.misses', -1)", "record = json_set(record, '$.misses', 2147483647)",
        "record = json_remove(record, '$.launch')", "record = json_set(record, '$.calls', json('[]'))",
        "record = json_set(record, '$.launch.app', 2)", "record = json_set(record, '$.launch.app.rawValue', 2)",
        "record = json_set(record, '$.calls[0].id.description', 'first')",
        "record = json_set(record, '$.calls[0].id.description', '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f0')",
        "record = json_set(record, '$.calls[0].id.description', json_extract(record, '$.calls[1].id.description'))",
        "record = json_set(record, '$.calls[0].number', 3)", "record = json_set(record, '$.calls[0].number', -1)",
        "record = json_set(record, '$.calls[3].number', 9223372036854775807)",
        "record = json_set(record, '$.calls[0].state', 'lost')",
        "record = json_set(record, '$.calls[0].update.caller', hex(zeroblob(200)))",
        "record = json_set(record, '$.calls[0].isOnHold', 'yes')",
        "record = json_set(record, '$.calls[6].changes[0].action', 'dial')",
        "record = json_remove(record, '$.calls[6].changes[0].until')",
    ])
    func namesTheBrokenRow(change: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(try Self.first())])
        try store.execute("UPDATE voip SET \(change)")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.subject == path && error?.reason.contains("table voip, row app") == true, "\(error!)")
    }

    @Test(arguments: [
        ("'$.calls[0].isOutgoing', json('true')", "an outgoing call cannot be ringing"),
        ("'$.calls[1].isOutgoing', json('true')", "an outgoing call cannot be answering"),
        ("'$.calls[4].isOutgoing', json('false')", "an incoming call cannot be starting"),
        ("'$.calls[5].isOutgoing', json('false')", "an incoming call cannot be dialing"),
        ("'$.calls[5].changes[0].action', 'end'", "a call has a change other than hold and mute"),
        ("'$.calls[5].changes[0].action', 'start'", "a call has a change other than hold and mute"),
        ("'$.calls[6].changes[1].action', 'hold'", "a call has two changes of the same kind"),
        ("'$.calls[6].changes[0].action', 'mute'", "a call has two changes of the same kind"),
        (
            "'$.calls[6].changes[2]', json_extract(record, '$.calls[6].changes[0]')",
            "a call has two changes of the same kind"
        ),
    ])
    func namesTheContradiction(change: String, reason: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(try Self.first())])
        try store.execute("UPDATE voip SET record = json_set(record, \(change))")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.reason.contains(reason) == true, "\(error!)")
    }

    @Test func moreCallsThanAnAppMayHaveAreDamage() throws {
        var record = try Self.first()
        record.calls = try (0...PhoneCall.most).map { number in
            let id = try #require(CallID("0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F\(number)"))
            return PhoneCall(id: id, number: Int64(number), update: CallUpdate())
        }
        let store = try SQLiteStore(path: path)
        try store.commit([Self.change(record)])
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.reason.contains("it has 9 calls") == true, "\(error!)")
    }
}
