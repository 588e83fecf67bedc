internal import GRDB
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The store, in one SQLite file in WAL mode. If `isDurable` is true for a change, the change is on disk before `commit`
/// returns.
///
/// Used on the loop's thread only. The store starts no threads and no timers.
public final class SQLiteStore: Store {
    /// The file's path, as given to the initializer.
    public let path: String

    private let queue: DatabaseQueue
    private var synchronous = Synchronous.full
    /// The highest id given out in this run. An id is never given twice, even if its record was never committed.
    private var lastAppID: Int32 = 0

    private enum Synchronous: String {
        case full = "FULL"
        case normal = "NORMAL"
    }

    /// Opens the store at `path`, and creates it if it is missing. Refuses a file that is damaged, belongs to another
    /// program, or was written by a newer Roost. `EUCLEAN` always means a damaged file.
    public init(path: String) throws(SystemError) {
        self.path = path
        // The file holds the tokens of running apps. SQLite gives the same mode to the files next to the database. If
        // this open fails, opening the database below reports the error.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if descriptor < 0, errno == ELOOP {
            throw SystemError(
                doing: "open the store", subject: path, errno: ELOOP,
                reason: "it is a symbolic link; put the file itself in its place")
        }
        if descriptor >= 0 {
            fchmod(descriptor, 0o600)
            close(descriptor)
        }
        var configuration = Configuration()
        configuration.journalMode = .wal
        // Another tool may have the file open for a moment.
        configuration.busyMode = .timeout(2)
        configuration.label = "roost.store"
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try StoreSchema.check(db, path: path)
            }
            try StoreSchema.migrator.migrate(queue)
        } catch {
            throw Self.systemError(error, doing: "open the store", path: path)
        }
    }

    /// The persisted state in the store at `path`, for tools; nil if no store exists. Creates, upgrades and writes
    /// nothing there. No system may use the store meanwhile (`StateDirectory.whileIdle`).
    ///
    /// A store that was not closed has a log next to it. SQLite writes to the log even when it only reads, so this
    /// function reads a copy.
    public static func kept(at path: String) throws(SystemError) -> StoredState? {
        guard let copy = try StoreCopy(of: path) else { return nil }
        defer { copy.remove() }
        do {
            let queue = try DatabaseQueue(path: copy.path)
            let isBegun = try queue.read { db in
                try StoreSchema.check(db, path: path)
                return try db.tableExists("app")
            }
            guard isBegun else { return StoredState() }
            // A store of an older Roost is upgraded before it is read. The upgrade changes only the copy.
            try StoreSchema.migrator.migrate(queue)
            return try queue.read(load)
        } catch {
            throw systemError(error, doing: "read the store", path: path)
        }
    }

    /// The whole persisted state. An invalid row is an error that names the file, the table and the row.
    public func load() throws(SystemError) -> StoredState {
        do {
            return try queue.read(Self.load)
        } catch {
            throw Self.systemError(error, doing: "read the store", path: path)
        }
    }

    /// The app records only.
    public func apps() throws(SystemError) -> [AppRecord] {
        do {
            return try queue.read(Self.apps)
        } catch {
            throw Self.systemError(error, doing: "read the store", path: path)
        }
    }

    /// The removed apps whose files may not all be deleted yet, sorted.
    public func removals() throws(SystemError) -> [BundleIdentifier] {
        do {
            return try queue.read { db in
                try String.fetchAll(db, sql: "SELECT identifier FROM removal").compactMap { BundleIdentifier($0) }
                    .sorted()
            }
        } catch {
            throw Self.systemError(error, doing: "read the store", path: path)
        }
    }

    @Sendable private static func apps(_ db: Database) throws -> [AppRecord] {
        try Row.fetchAll(db, sql: StoreRows.selectApps).map(StoreRows.app)
    }

    @Sendable private static func load(_ db: Database) throws -> StoredState {
        var state = StoredState()
        state.apps = try apps(db)
        state.launches = try Row.fetchAll(db, sql: StoreRows.selectLaunches).map(StoreRows.launch)
        if let row = try Row.fetchOne(db, sql: StoreRows.selectDevice) { state.device = try StoreRows.device(row) }
        for rows in ConcernRows.all { state.concerns += try rows.load(db) }
        return state
    }

    /// Applies changes in their order, in one transaction; an error rolls all of them back. A launch is stored until
    /// its end is recorded, even if its app's record is removed before, so that its process can be found again.
    public func commit(_ changes: [StoreChange]) throws(SystemError) {
        guard !changes.isEmpty else { return }
        do {
            try queue.writeWithoutTransaction { db in
                // The setting can change only between transactions. A commit with FULL syncs the whole WAL, including
                // earlier commits with NORMAL.
                try setSynchronous(changes.contains { $0.isDurable } ? .full : .normal, db)
                try db.inTransaction(.immediate) {
                    for change in changes { try StoreRows.apply(change, to: db) }
                    return .commit
                }
            }
        } catch {
            throw Self.systemError(error, doing: "write to the store", path: path)
        }
    }

    /// An id that no app has had, in this run or any earlier run: the highest id ever stored or given out, plus one.
    public func nextAppID() throws(SystemError) -> AppID {
        let doing = "number an app"
        let lastKept: Int64?
        do {
            lastKept = try queue.read { db in
                let row = try Row.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'app'")
                return row.flatMap { Int64.fromDatabaseValue($0[0]) }
            }
        } catch {
            throw Self.systemError(error, doing: doing, path: path)
        }
        let last = max(lastKept ?? 0, Int64(lastAppID))
        guard last >= 0, let next = Int32(exactly: last + 1) else {
            throw SystemError(doing: doing, subject: path, errno: EOVERFLOW, reason: "no number is left after \(last)")
        }
        lastAppID = next
        return AppID(next)
    }

    /// Forgets the processes of all launches. In a copy of a store, the processes belong to the system of the original.
    public func forgetProcesses() throws(SystemError) {
        // A process without a boot id is not searched for.
        try execute("UPDATE launch SET boot_id = '', token = '' WHERE pid IS NOT NULL")
    }

    /// Runs SQL text that no other function covers, such as damage in a test.
    func execute(_ sql: String) throws(SystemError) {
        do {
            try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
        } catch {
            throw Self.systemError(error, doing: "run SQL", path: path)
        }
    }

    private func setSynchronous(_ wanted: Synchronous, _ db: Database) throws {
        guard wanted != synchronous else { return }
        try db.execute(sql: "PRAGMA synchronous = \(wanted.rawValue)")
        synchronous = wanted
    }

    private static func systemError(_ error: any Error, doing: String, path: String) -> SystemError {
        switch error {
        case let error as StoreFault:
            guard error.isDamage else {
                return SystemError(doing: doing, subject: path, errno: 0, reason: error.reason)
            }
            let reason = "\(error.reason); \(damageAdvice(path))"
            return SystemError(doing: doing, subject: path, errno: EUCLEAN, reason: reason)
        case let error as DatabaseError:
            let (number, advice) = explanation(of: error.resultCode, path)
            let said = error.message ?? error.resultCode.description
            let reason = advice.map { "\(said); \($0)" } ?? said
            return SystemError(doing: doing, subject: path, errno: number, reason: reason)
        default:
            return SystemError(doing: doing, subject: path, errno: 0, reason: "\(error)")
        }
    }

    private static func damageAdvice(_ path: String) -> String {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) }
        let command = TypedCommand.text("recover", state: directory)
        return "run \(command), which sets the file aside and finds the installed apps again; it deletes nothing"
    }

    /// The closest `errno` for SQLite's result code, and advice.
    private static func explanation(of code: ResultCode, _ path: String) -> (errno: Int32, advice: String?) {
        switch code {
        // Our statements can fail only if the tables are not as we created them.
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR: (EUCLEAN, "the file is damaged: \(damageAdvice(path))")
        case .SQLITE_FULL: (ENOSPC, "make room on the file system")
        case .SQLITE_READONLY: (EROFS, "make the file and its folder writable")
        case .SQLITE_CANTOPEN: (EACCES, "it must be a file that may be read and written")
        case .SQLITE_IOERR: (EIO, "the disk may be full or failing")
        case .SQLITE_BUSY, .SQLITE_LOCKED: (EBUSY, "another program holds the file: close it")
        default: (0, nil)
        }
    }
}

extension StoreChange {
    /// Whether the change must be on disk before any effect that depends on it.
    var isDurable: Bool {
        switch self {
        case .record(let record): record.isDurable
        case .process, .filesRemoved: false
        }
    }
}

/// An error in the store's content.
struct StoreFault: Error {
    /// The error, as a clause that names the place.
    var reason: String
    /// Whether the file is damaged. False for a file of another program or a newer Roost.
    var isDamage = false
}
