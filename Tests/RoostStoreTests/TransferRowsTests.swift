import Foundation
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

/// Background sessions and transfers in the store.
@Suite struct TransferRowsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    private static func session(_ app: Int32, _ number: Int32) throws -> TransferSessionRecord {
        TransferSessionRecord(
            id: TransferSessionID(app: AppID(app), number: number),
            identifier: try #require(SessionIdentifier("com.example.session \(number)")),
            configuration: TransferSessionConfiguration())
    }

    private static func transfer(_ app: Int32, _ session: Int32, _ number: Int64) -> TransferRecord {
        let id = TransferID(session: TransferSessionID(app: AppID(app), number: session), number: number)
        return TransferRecord(
            id: id, request: TransferRequest(url: "https://example.com/\(number)"), made: Nanoseconds(number))
    }

    /// A transfer in which every property differs from its initial value.
    private static func fullTransfer() throws -> TransferRecord {
        var record = transfer(.max, .max, .max - 1)
        record.request = TransferRequest(url: "https://example.com/é?a=\"b\"")
        record.request.method = "POST"
        record.request.fields = [HTTPField(name: "A", value: "ü\n"), HTTPField(name: "A", value: "")]
        record.request.body = "AAAA"
        record.request.timeout = Nanoseconds(.max)
        (record.request.networks.cellular, record.request.networks.constrained) = (false, false)
        record.request.networks.expensive = false
        record.text = "a\0b 안녕"
        record.priority = 1000
        record.earliestBegin = Nanoseconds(.min)
        record.expectedToReceive = 0
        (record.isSuspended, record.isPaused, record.isFromBackground) = (false, true, true)
        record.made = .seconds(-1)
        record.failures = .max - 1
        record.checkpoint = TransferCheckpoint(received: .max, expected: nil, validator: "W/\"x\"", boot: "b")
        record.resumes = transfer(1, 2, 3).id
        record.outcome = .downloaded(
            TransferResponse(url: "u", status: 404, fields: [HTTPField(name: "b", value: "c")]), size: 7, isMoved: true)
        record.place = -1
        record.hold = .retry(until: .seconds(3), isAsked: true)
        (record.since, record.keptUntil) = (.seconds(-2), Nanoseconds(.max))
        return record
    }

    @Test func keepsEveryFieldOfATransfer() throws {
        let full = try Self.fullTransfer()
        // A new property of the record has to be added to the row as well.
        for (given, plain) in [
            (Mirror(reflecting: full), Mirror(reflecting: Self.transfer(1, 1, 1))),
            (Mirror(reflecting: full.request), Mirror(reflecting: TransferRequest(url: ""))),
        ] {
            for (one, other) in zip(given.children, plain.children) {
                #expect("\(one.value)" != "\(other.value)", "\(one.label ?? "") has its default")
            }
        }
        var failed = Self.transfer(1, 1, 2)
        failed.outcome = .failed(
            TransferFailure(
                code: -999, reason: "r", cancelledReason: .userForceQuit,
                resumable: TransferCheckpoint(received: 1, expected: 2, validator: nil, boot: "")))
        let transfers = [Self.transfer(1, 1, 1), failed, Self.transfer(1, 2, 1), Self.transfer(2, 1, 1), full]
        try SQLiteStore(path: path).commit(transfers.reversed().map { .record(.concern(.transfer(.task($0)))) })
        #expect(try SQLiteStore(path: path).load().concerns.transfers == transfers)
        #expect(try SQLiteStore.kept(at: path)?.concerns.transfers == transfers)
        for bits in 0..<8 {
            var record = Self.transfer(1, 1, 1)
            record.request.networks.cellular = bits & 1 != 0
            record.request.networks.expensive = bits & 2 != 0
            record.request.networks.constrained = bits & 4 != 0
            try SQLiteStore(path: path).commit([.record(.concern(.transfer(.task(record))))])
            #expect(try SQLiteStore(path: path).load().concerns.transfers.first == record, "the newest, with any bits")
        }
    }

    @Test func keepsEveryFieldOfASession() throws {
        var full = try Self.session(2, .max)
        full.configuration.sendsLaunchEvents = false
        full.configuration.isDiscretionary = true
        full.configuration.networks.expensive = false
        full.configuration.connectionsPerHost = 1
        full.configuration.fields = [HTTPField(name: "A", value: "b")]
        full.configuration.requestTimeout = .seconds(1)
        full.configuration.resourceTimeout = .seconds(2)
        full.configuration.sharedContainer = "group"
        (full.lastWokenPlace, full.gatesSince) = (.max, .seconds(-1))
        full.wakes = TransferWakes(count: 2, last: .seconds(4))
        full.clock = TransferClock(steady: .seconds(1), wall: .seconds(2), elapsed: .seconds(3))
        (full.isFinishing, full.areEventsPending) = (true, true)
        let sessions = [try Self.session(1, 1), try Self.session(1, 2), full]
        try SQLiteStore(path: path).commit(sessions.reversed().map { .record(.concern(.transfer(.session($0)))) })
        #expect(try SQLiteStore(path: path).load().concerns.sessions == sessions)
    }

    @Test func removesASessionWithItsTransfers() throws {
        let store = try SQLiteStore(path: path)
        let sessions = [try Self.session(1, 1), try Self.session(1, 2), try Self.session(2, 1)]
        let transfers = sessions.flatMap { session in
            (1...3).map { Self.transfer(session.id.app.rawValue, session.id.number, $0) }
        }
        try store.commit(
            sessions.map { .record(.concern(.transfer(.session($0)))) }
                + transfers.map { .record(.concern(.transfer(.task($0)))) })
        try store.commit([
            .record(.concern(.transfer(.taskRemoved(transfers[0].id)))),
            .record(.concern(.transfer(.taskRemoved(transfers[0].id)))),
        ])
        #expect(try store.load().concerns.transfers == Array(transfers[1...]))
        try store.commit([.record(.concern(.transfer(.sessionRemoved(sessions[0].id))))])
        #expect(try store.load().concerns.transfers == Array(transfers[3...]))
        #expect(try store.load().concerns.sessions == Array(sessions[1...]))
        try store.commit([.record(.appRemoved(AppID(1)))])
        #expect(try store.load().concerns.transfers == Array(transfers[6...]))
        #expect(try store.load().concerns.sessions == [sessions[2]])
    }

    @Test func aStoreOfVersion3IsBroughtToTheNewest() throws {
        let app = AppRecord(
            app: AppID(1),
            manifest: AppManifest(identifier: try #require(BundleIdentifier("com.example.a")), executable: "x"))
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app))])
        for statement in [
            "DROP TABLE transfer_session", "DROP TABLE transfer",
            "DELETE FROM grdb_migrations WHERE identifier IN ('4', '5')",
        ] { try store.execute(statement) }
        let kept = try #require(try SQLiteStore.kept(at: path))
        #expect(kept.apps == [app] && kept.concerns.isEmpty)
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().apps == [app])
        try newer.commit([.record(.concern(.transfer(.task(Self.transfer(1, 1, 1)))))])
        #expect(try newer.load().concerns.transfers == [Self.transfer(1, 1, 1)])
    }

    @Test func aStoreOfVersion4IsBroughtToTheNewest() throws {
        let store = try SQLiteStore(path: path)
        var kept = Self.transfer(1, 1, 1)
        kept.place = -1
        let session = try Self.session(1, 1)
        var device = DeviceRecord()
        device.settings.network = .cellular
        try store.commit([
            .record(.concern(.transfer(.session(session)))), .record(.concern(.transfer(.task(kept)))),
            .record(.device(device)),
        ])
        for statement in [
            "ALTER TABLE transfer DROP COLUMN hold", "ALTER TABLE transfer DROP COLUMN since",
            "ALTER TABLE transfer DROP COLUMN kept_until", "DELETE FROM grdb_migrations WHERE identifier = '5'",
            "UPDATE transfer_session SET record = json_remove(record, '$.clock', '$.toldPlace', '$.gatesSince')",
            "UPDATE device SET record = json_remove(record, '$.settings.isMetered', '$.settings.lowDataMode')",
        ] { try store.execute(statement) }
        let copied = try #require(try SQLiteStore.kept(at: path)).concerns
        #expect(copied.transfers == [kept], "the copy is migrated without loss")
        let newer = try SQLiteStore(path: path)
        #expect(try newer.load().concerns.transfers == [kept])
        #expect(try newer.load().concerns.sessions == [session])
        #expect(try newer.load().device == device)
        kept.hold = .delay(until: .seconds(9))
        try newer.commit([.record(.concern(.transfer(.task(kept))))])
        #expect(try newer.load().concerns.transfers == [kept])
    }

    @Test(arguments: [
        ("UPDATE transfer SET number = 5, outcome = '{}'", "app 1, session 2, number 5, column outcome"),
        ("UPDATE transfer SET checkpoint = '{\"received\":1}'", "app 1, session 2, number 3, column checkpoint"),
        ("UPDATE transfer SET hold = '{\"retry\":{}}'", "app 1, session 2, number 3, column hold"),
        ("UPDATE transfer SET resumes = ''", "app 1, session 2, number 3, column resumes"),
        ("UPDATE transfer SET fields = 'x'", "app 1, session 2, number 3, column fields"),
        ("UPDATE transfer SET priority = 99999999999", "app 1, session 2, number 3, column priority"),
        ("UPDATE transfer SET session = 99999999999", "app 1, session 99999999999, number 3, column session"),
    ])
    func namesTheBrokenTransfer(sql: String, place: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.concern(.transfer(.task(Self.transfer(1, 2, 3)))))])
        try store.execute(sql)
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.reason.contains("table transfer, row " + place) == true, "\(error!)")
    }

    /// Values that SQLite can hold and the system never writes; the system would calculate with them.
    @Test(arguments: [
        ("priority", "-2147483648"), ("priority", "1001"), ("failures", "-1"), ("failures", "2147483647"),
        ("place", "9223372036854775807"), ("place", "-9223372036854775808"), ("number", "0"),
        ("number", "9223372036854775807"),
    ])
    func impossibleValuesAreReportedAsDamage(column: String, value: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.concern(.transfer(.task(Self.transfer(1, 2, 3)))))])
        try store.execute("UPDATE transfer SET \(column) = \(value)")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.errno == EUCLEAN)
        let place = "column \(column): it cannot be \(value); run `roost recover "
        #expect(error?.reason.contains(place) == true, "\(error!)")
    }

    @Test(arguments: [
        ("UPDATE transfer_session SET record = json_set(record, '$.wakes.count', 2147483647)", "its wakes cannot be"),
        ("UPDATE transfer_session SET record = '{}'", "column record"),
        ("UPDATE transfer_session SET number = 2", "column record: it is of session 1.1"),
        ("UPDATE transfer_session SET identifier = 'x'", "column identifier"),
    ])
    func namesTheBrokenSession(sql: String, place: String) throws {
        let store = try SQLiteStore(path: path)
        var session = try Self.session(1, 1)
        session.wakes = TransferWakes(count: 2, last: .seconds(4))
        try store.commit([.record(.concern(.transfer(.session(session))))])
        try store.execute(sql)
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.reason.contains("table transfer_session, row app 1") == true, "\(error!)")
        #expect(error?.reason.contains(place) == true, "\(error!)")
    }

    /// The number of pages that each transaction in SQLite's write-ahead log wrote, oldest first.
    private func pagesOfTransactions() throws -> [Int] {
        let log = [UInt8](try #require(FileManager.default.contents(atPath: path + "-wal")))
        func word(_ offset: Int) -> UInt32 { log[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        // A header of 32 bytes, then a frame for each page: 24 bytes, and the page. Older frames have other salts.
        let (pageSize, salts) = (Int(word(8)), [word(16), word(20)])
        var transactions: [Int] = []
        var pages = 0
        for frame in stride(from: 32, through: log.count - 24 - pageSize, by: 24 + pageSize) {
            guard [word(frame + 8), word(frame + 12)] == salts else { break }
            pages += 1
            // Only a transaction's last frame contains the size of the database.
            guard word(frame + 4) > 0 else { continue }
            transactions.append(pages)
            pages = 0
        }
        return transactions
    }

    /// A commit of one transfer writes as many pages beside 100,000 others as beside few.
    @Test func aHundredThousandTransfers() throws {
        let store = try SQLiteStore(path: path)
        func pagesOfTwentyCommits(from first: Int64) throws -> Int {
            for number in first..<(first + 20) {
                try store.commit([.record(.concern(.transfer(.task(Self.transfer(2, 1, number)))))])
            }
            return try pagesOfTransactions().suffix(20).reduce(0, +)
        }
        let before = try pagesOfTwentyCommits(from: 1)
        try #require(before >= 20)
        try store.commit((1...100_000).map { .record(.concern(.transfer(.task(Self.transfer(1, 1, $0))))) })
        let table = try #require(try pagesOfTransactions().last)
        #expect(table > 1000, "the table has many pages")
        // SQLite begins the log again with this commit.
        try store.commit([.record(.concern(.transfer(.task(Self.transfer(2, 1, 21)))))])
        let after = try pagesOfTwentyCommits(from: 22)
        #expect(after <= 2 * before, "\(after) pages, \(before) before")
        #expect(try store.load().concerns.transfers.count == 100_041)
    }
}
