internal import GRDB
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The store, in one SQLite file: WAL, and on disk before `commit` returns wherever a change is owed.
///
/// Used on the loop's thread only; it starts no thread and leaves no timer behind.
public final class SQLiteStore: Store {
    /// The file, as it was named at the opening.
    public let path: String

    private let queue: DatabaseQueue
    private var synchronous = Synchronous.full
    /// The highest number given out in this run: a number is not given twice even if its record never came.
    private var lastAppID: Int32 = 0

    private enum Synchronous: String {
        case full = "FULL"
        case normal = "NORMAL"
    }

    /// Opens the store at `path`, or makes it. Refuses a file that is damaged, is another program's, or was written
    /// by a newer Roost. `EUCLEAN` is thrown for a damaged file and for no other reason.
    public init(path: String) throws(SystemError) {
        self.path = path
        // It holds the tokens of running apps; SQLite gives the files beside it the same mode. A failure shows below.
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
        // Somebody may be looking at the file with another tool, for a moment.
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

    /// Everything kept in the store at `path`, for tools; nil where there is none. Nothing is made, upgraded or
    /// written beside it. No system may be at work with it (`StateDirectory.whileIdle`).
    ///
    /// A store that was cut off has a log beside it, which SQLite works in even to read: so a copy is read.
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
            // One that an older Roost left is read as a newer one would: the copy may be changed.
            try StoreSchema.migrator.migrate(queue)
            return try queue.read(load)
        } catch {
            throw systemError(error, doing: "read the store", path: path)
        }
    }

    /// Everything kept. A row that makes no sense is an error that names the file, the table and the row.
    public func load() throws(SystemError) -> StoredState {
        do {
            return try queue.read(Self.load)
        } catch {
            throw Self.systemError(error, doing: "read the store", path: path)
        }
    }

    /// The apps alone.
    public func apps() throws(SystemError) -> [AppRecord] {
        do {
            return try queue.read(Self.apps)
        } catch {
            throw Self.systemError(error, doing: "read the store", path: path)
        }
    }

    /// The apps that were removed and whose files may not all be deleted yet, sorted.
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

    /// Makes changes in their order, in one transaction; where it throws, none was made. A launch outlives its app's
    /// record until it is reported as ended, so that its process can be found again.
    public func commit(_ changes: [StoreChange]) throws(SystemError) {
        guard !changes.isEmpty else { return }
        do {
            try queue.writeWithoutTransaction { db in
                // The setting can be changed between transactions only. A commit with FULL syncs the whole WAL, and so
                // what earlier commits with NORMAL left in it.
                try setSynchronous(changes.contains { $0.isOwed } ? .full : .normal, db)
                try db.inTransaction(.immediate) {
                    for change in changes { try StoreRows.apply(change, to: db) }
                    return .commit
                }
            }
        } catch {
            throw Self.systemError(error, doing: "write to the store", path: path)
        }
    }

    /// A number that no app has had, in this run or any before: counted up from the highest ever kept or given out.
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

    /// Forgets which processes the launches are: they are those of the system whose store this is a copy of.
    public func forgetProcesses() throws(SystemError) {
        // A process of no boot is not looked for.
        try execute("UPDATE launch SET boot_id = '', token = '' WHERE pid IS NOT NULL")
    }

    /// Runs SQL text; for what has no other name, such as a test's damage.
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

    /// The `errno` nearest to what SQLite says, and what to do about it.
    private static func explanation(of code: ResultCode, _ path: String) -> (errno: Int32, advice: String?) {
        switch code {
        // A statement of ours is wrong only if the tables are not those that we made.
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
    /// Whether the change must be on disk before anything is built on it.
    var isOwed: Bool {
        switch self {
        case .record(let record): record.isOwed
        case .process, .filesRemoved: false
        }
    }
}

/// A store whose content is not what it should be.
struct StoreFault: Error {
    /// What is wrong with what, in a clause.
    var reason: String
    /// Whether the file is damaged; false for a file that is another program's, or of a newer Roost.
    var isDamage = false
}
