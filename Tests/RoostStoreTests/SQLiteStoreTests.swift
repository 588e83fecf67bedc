import Foundation
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

private func manifest(_ identifier: String, name: String = "x") -> AppManifest {
    AppManifest(
        identifier: BundleIdentifier(identifier)!, executable: "Übung", displayName: name,
        backgroundModes: [.fetch, .audio], exitsOnSuspend: true, isAdopted: true)
}

private func app(_ number: Int32, name: String = "x") -> AppRecord {
    AppRecord(app: AppID(number), manifest: manifest("com.example.a\(number)", name: name))
}

private func launch(_ app: Int32, _ number: Int32, ending: TerminationReason? = nil) -> LaunchRecord {
    LaunchRecord(
        launch: LaunchID(app: AppID(app), number: number), reason: .user, isInForeground: true, isSuspended: false,
        ending: ending)
}

@Suite struct SQLiteStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    @Test func beginsEmpty() throws {
        let store = try SQLiteStore(path: path)
        let kept = try store.load()
        #expect(kept.apps.isEmpty)
        #expect(kept.launches.isEmpty)
        #expect(try store.nextAppID() == AppID(1))
    }

    @Test func isForItsOwnerOnly() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app(1)))])
        for name in ["store.db", "store.db-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    @Test func keepsEveryField() throws {
        var second = app(2, name: "name with\0NUL, \"quotes\", 📝 and \u{301}")
        second.isForceQuit = true
        second.lastLaunch = Int32.max / 2 - 1
        let endings: [TerminationReason?] = [
            nil, .exited(.exited(code: -1)), .exited(.signaled(9)), .exited(.unknown), .launchFailed(errno: 2),
            .watchdog(.launch(.locationMonitoring)), .watchdog(.didEnterBackground), .lostContact,
            .tasksNotEnded(.taskNotCompleted), .tasksNotEnded(.jetsam("vm")), .tooManyTasks, .forceQuit, .memory,
            .exitsOnSuspend, .shutdown, .uninstalled, .notFreezable, .fault(.launchedTwice),
        ]
        var launches = endings.enumerated().map { launch(1, Int32($0) + 1, ending: $1) }
        launches += LaunchReason.allCases.enumerated().map { index, reason in
            LaunchRecord(
                launch: LaunchID(app: AppID(2), number: Int32(index)), reason: reason, isInForeground: index % 2 == 0,
                mayBeActive: index % 4 < 3, isSuspended: index % 3 == 0, isAdopted: index % 5 == 0)
        }
        let process = StoredProcess(pid: .max, startTime: .max, bootID: "0a-1b")
        do {
            let store = try SQLiteStore(path: path)
            try store.commit([.record(.app(second)), .record(.app(app(1)))])
            try store.commit(launches.reversed().map { .record(.launch($0)) })
            try store.commit([.process(launches[3].launch, process, token: "token")])
        }
        let kept = try SQLiteStore(path: path).load()
        #expect(kept.apps == [app(1), second])
        #expect(kept.launches.map(\.record) == launches)
        #expect(kept.launches[3].process == process)
        #expect(kept.launches[3].token == "token")
        #expect(kept.launches[4].process == nil)
        #expect(kept.launches[4].token == "")
    }

    @Test func isReadWithoutATrace() throws {
        #expect(try SQLiteStore.kept(at: path) == nil)
        #expect(try folder.contents().isEmpty)
        let process = StoredProcess(pid: 7, startTime: 8, bootID: "b")
        let store = try SQLiteStore(path: path)
        try store.commit([
            .record(.app(app(1))), .record(.launch(launch(1, 1))), .process(launch(1, 1).launch, process, token: "t"),
        ])
        // The files of a killed system: the latest writes are still in the log.
        for name in ["store.db", "store.db-wal"] { try folder.write("killed/" + name, folder.read(name)) }
        let before = try folder.contents(of: "killed").map { ($0, try folder.read("killed/" + $0)) }
        let kept = try #require(try SQLiteStore.kept(at: folder("killed/store.db")))
        #expect(kept.apps == [app(1)])
        #expect(kept.launches.map(\.process) == [process])
        let after = try folder.contents(of: "killed").map { ($0, try folder.read("killed/" + $0)) }
        #expect(before.map(\.0) == after.map(\.0) && before.map(\.1) == after.map(\.1))
        // A database that was only created is not migrated.
        try folder.write("begun/store.db", [])
        #expect(try SQLiteStore.kept(at: folder("begun/store.db"))?.apps.isEmpty == true)
        #expect(try folder.read("begun/store.db").isEmpty)
    }

    @Test func anUnknownDatabaseIsNotRead() throws {
        try folder.write("store.db", "no database at all, and long enough to tell".utf8)
        let error = #expect(throws: SystemError.self) { try SQLiteStore.kept(at: path) }
        #expect(error?.subject == path)
    }

    @Test func changesAndRemoves() throws {
        let store = try SQLiteStore(path: path)
        let id = launch(1, 1).launch
        let process = StoredProcess(pid: 7, startTime: 8, bootID: "b")
        try store.commit([.record(.app(app(1))), .record(.launch(launch(1, 1))), .process(id, process, token: "t")])
        try store.commit([.record(.launch(launch(1, 1, ending: .memory))), .record(.app(app(1, name: "new")))])
        var kept = try store.load()
        #expect(kept.apps.map(\.manifest.displayName) == ["new"])
        #expect(kept.launches == [StoredLaunch(record: launch(1, 1, ending: .memory), process: process, token: "t")])
        try store.commit([.process(id, nil, token: "u"), .record(.appRemoved(AppID(1)))])
        kept = try store.load()
        #expect(kept.apps.isEmpty)
        #expect(kept.launches == [StoredLaunch(record: launch(1, 1, ending: .memory), process: nil, token: "u")])
        try store.commit([.record(.launchEnded(id)), .record(.launchEnded(id)), .record(.appRemoved(AppID(1)))])
        #expect(try store.load().launches.isEmpty)
    }

    @Test func givesNoNumberTwice() throws {
        do {
            let store = try SQLiteStore(path: path)
            #expect(try store.nextAppID() == AppID(1))
            #expect(try store.nextAppID() == AppID(2))
            try store.commit([.record(.app(app(2)))])
            try store.commit([.record(.appRemoved(AppID(2)))])
            #expect(try store.nextAppID() == AppID(3))
        }
        #expect(try SQLiteStore(path: path).nextAppID() == AppID(3))
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app(.max)))])
        let error = #expect(throws: SystemError.self) { try store.nextAppID() }
        #expect(error?.description.contains("no number is left") == true)
    }

    @Test func makesAllChangesOrNone() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([])
        var twin = app(2)
        twin.manifest = app(1).manifest
        #expect(throws: SystemError.self) {
            try store.commit([.record(.app(app(1))), .record(.app(twin))])
        }
        let error = #expect(throws: SystemError.self) {
            try store.commit([.record(.app(app(1))), .process(launch(1, 1).launch, nil, token: "")])
        }
        #expect(error?.reason.contains("has no row for it") == true)
        #expect(try store.load().apps.isEmpty)
        try store.commit([.record(.app(app(1)))])
        #expect(try store.load().apps == [app(1)])
    }

    /// A killed system leaves every commit that has returned. A log that is cut anywhere, as by a loss of power, leaves
    /// the first commits without a gap.
    @Test func survivesBeingCutOff() throws {
        let store = try SQLiteStore(path: path)
        for number in 1...30 { try store.commit([.record(.app(app(Int32(number))))]) }
        let database = try folder.read("store.db")
        let log = try folder.read("store.db-wal")
        var generator = SplitMix(seed: 7)
        for round in 0..<40 {
            let length = round == 0 ? log.count : Int.random(in: 0...log.count, using: &generator)
            let copy = TemporaryFolder()
            try copy.write("store.db", database)
            try copy.write("store.db-wal", log[..<length])
            let apps = try SQLiteStore(path: copy("store.db")).load().apps.map(\.app.rawValue)
            #expect(apps == Array(Array(1...30).prefix(apps.count)))
            #expect(round > 0 || apps.count == 30)
        }
        withExtendedLifetime(store) {}
    }

    // MARK: The device, and the version before it

    private static var device: DeviceRecord {
        var device = DeviceRecord()
        device.settings.hasPasscode = true
        device.settings.autoLock = .seconds(30)
        device.settings.batteryLevel = 7
        device.settings.network = .cellular
        (device.settings.isMetered, device.settings.lowDataMode) = (true, true)
        device.isLocked = true
        device.wasUnlockedSinceStart = false
        device.frontBeforeLock = AppID(3)
        device.interruption = .notificationCenter
        device.clockChanges = Int64.max / 2 - 1
        return device
    }

    @Test func keepsTheDevice() throws {
        #expect(try SQLiteStore(path: path).load().device == DeviceRecord())
        try SQLiteStore(path: path).commit([.record(.device(DeviceRecord())), .record(.device(Self.device))])
        #expect(try SQLiteStore(path: path).load().device == Self.device, "the newest record")
        #expect(try SQLiteStore.kept(at: path)?.device == Self.device)
    }

    @Test func persistsTheUsersSettingsForAnApp() throws {
        var record = app(1)
        record.allowsBackgroundRefresh = false
        record.switcherPlace = Int64.max / 2 - 1
        for _ in 0..<3 {
            _ = record.scenes.open()
            record.scenes.discard()
        }
        record.scenes.reported([SceneSessionID(2)])
        _ = record.scenes.open()
        try SQLiteStore(path: path).commit([.record(.app(record))])
        #expect(try SQLiteStore(path: path).load().apps == [record])
    }

    /// A store of version 1: without the device, and without the user's choices for an app.
    private func makeVersion1() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app(1))), .record(.app(app(2))), .record(.launch(launch(2, 1)))])
        for statement in [
            "DROP TABLE device", "ALTER TABLE app DROP COLUMN allows_background_refresh",
            "ALTER TABLE app DROP COLUMN scenes", "ALTER TABLE app DROP COLUMN switcher_place",
            "UPDATE app SET manifest = json_remove(manifest, '$.usesScenes')",
            "ALTER TABLE launch DROP COLUMN may_be_active",
            "DROP TABLE transfer_session", "DROP TABLE transfer",
            "DELETE FROM grdb_migrations WHERE identifier IN ('2', '3', '4', '5')",
        ] { try store.execute(statement) }
    }

    @Test func aStoreOfVersion1IsBroughtToTheNewest() throws {
        try makeVersion1()
        let kept = try SQLiteStore(path: path).load()
        #expect(kept.device == DeviceRecord())
        #expect(kept.apps == [app(1), app(2)], "no scenes, allowed to refresh, not in the switcher")
        #expect(kept.launches.map(\.record) == [launch(2, 1)])
        #expect(try SQLiteStore(path: path).load().apps == [app(1), app(2)], "once")
        try SQLiteStore(path: path).commit([.record(.device(Self.device))])
        #expect(try SQLiteStore(path: path).load().device == Self.device)
    }

    /// A running app may believe that it is active; a suspended app may not.
    @Test func aStoreOfVersion2IsBroughtToTheNewest() throws {
        let suspended = LaunchRecord(
            launch: LaunchID(app: AppID(1), number: 1), reason: .user, isInForeground: false, isSuspended: true)
        var running = suspended
        (running.launch, running.isSuspended) = (LaunchID(app: AppID(2), number: 1), false)
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.launch(suspended)), .record(.launch(running))])
        try store.execute("ALTER TABLE launch DROP COLUMN may_be_active")
        for table in ["transfer_session", "transfer"] { try store.execute("DROP TABLE \(table)") }
        try store.execute("DELETE FROM grdb_migrations WHERE identifier IN ('3', '4', '5')")
        #expect(try SQLiteStore(path: path).load().launches.map(\.record.mayBeActive) == [false, true])
    }

    @Test func aStoreOfVersion1IsReadWithoutBeingChanged() throws {
        try makeVersion1()
        let before = try folder.read("store.db")
        #expect(try SQLiteStore.kept(at: path)?.apps == [app(1), app(2)])
        #expect(try folder.read("store.db") == before)
        try SQLiteStore(path: path).execute("INSERT INTO device (id, record) VALUES (1, '{}')")
        let error = #expect(throws: SystemError.self) { try SQLiteStore(path: path).load() }
        #expect(error?.reason.contains("device") == true, "\(error!)")
    }

    /// Both kinds of location events had the same reason, and only apps with the mode got any.
    @Test func aLaunchForALocationIsOneForAnUpdate() throws {
        let ended = TerminationReason.watchdog(.launch(.locationUpdate))
        let launch = LaunchRecord(
            launch: LaunchID(app: AppID(1), number: 1), reason: .locationUpdate, isInForeground: false,
            isSuspended: false, ending: ended)
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.launch(launch))])
        try store.execute(
            "UPDATE launch SET reason = 'location', ending = replace(ending, 'locationUpdate', 'location')")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '10'")
        #expect(try SQLiteStore(path: path).load().launches.map(\.record) == [launch])
    }

    /// Older stores have no kind of a launch. Then the launch is of the kind that the app has.
    @Test func aStoreOfVersion12IsBroughtToTheNewest() throws {
        let store = try SQLiteStore(path: path)
        var native = AppRecord(app: AppID(2), manifest: manifest("com.example.a2"))
        native.manifest.isAdopted = false
        try store.commit([.record(.app(app(1))), .record(.app(native))])
        for app: Int32 in 1...3 { try store.commit([.record(.launch(launch(app, 1)))]) }
        try store.execute("ALTER TABLE launch DROP COLUMN is_adopted")
        try store.execute("DELETE FROM grdb_migrations WHERE identifier = '13'")
        #expect(try SQLiteStore(path: path).load().launches.map(\.record.isAdopted) == [true, false, false])
    }

    /// Files are deleted only for an app whose removal is recorded.
    @Test func keepsRemovalsUntilTheFilesAreGone() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app(1))), .record(.app(app(2)))])
        #expect(try store.removals() == [])
        try store.commit([.record(.appRemoved(AppID(1))), .record(.appRemoved(AppID(2)))])
        let removed = [manifest("com.example.a1").identifier, manifest("com.example.a2").identifier]
        #expect(try SQLiteStore(path: path).removals() == removed)
        // The app is installed again with another number, so the files are the new app's.
        try store.commit([.record(.app(AppRecord(app: AppID(3), manifest: manifest("com.example.a1"))))])
        #expect(try store.removals() == [removed[1]])
        try store.commit([.filesRemoved(removed[1])])
        #expect(try store.removals() == [])
    }

    @Test func refusesANewerVersion() throws {
        let (newest, newer) = (StoreSchema.newest, StoreSchema.newest + 1)
        try SQLiteStore(path: path).execute("INSERT INTO grdb_migrations VALUES ('\(newer)')")
        let error = #expect(throws: SystemError.self) { try SQLiteStore(path: path) }
        #expect(error?.subject == path)
        let reason = "version \(newer) and this Roost knows versions up to \(newest)"
        #expect(error?.reason.contains(reason) == true, "\(error!)")
    }

    @Test func refusesAnotherProgramsDatabase() throws {
        try SQLiteStore(path: path).execute("DROP TABLE grdb_migrations")
        let error = #expect(throws: SystemError.self) { try SQLiteStore(path: path) }
        #expect(error?.reason.hasPrefix("the file is another program's database: move it") == true, "\(error!)")
    }

    @Test func refusesADamagedFile() throws {
        try folder.write("store.db", "This is not a database. ".utf8.map { $0 } + [UInt8](repeating: 1, count: 8_192))
        let error = #expect(throws: SystemError.self) { try SQLiteStore(path: path) }
        #expect(error?.errno == EUCLEAN)
        let advice = "the file is damaged: run \(TypedCommand.text("recover", state: folder.path)), which"
        #expect(error?.reason.contains(advice) == true, "\(error!)")
    }

    /// Bytes changed at random: an error or an answer, but no crash.
    @Test func survivesDamageAnywhere() throws {
        do {
            let store = try SQLiteStore(path: path)
            for number in 1...20 { try store.commit([.record(.app(app(Int32(number))))]) }
            try store.commit((1...20).map { .record(.launch(launch($0, 1))) })
            try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let database = try folder.read("store.db")
        var generator = SplitMix(seed: 99)
        for _ in 0..<100 {
            var damaged = database
            for _ in 0..<20 {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let copy = TemporaryFolder()
            try copy.write("store.db", damaged)
            _ = try? SQLiteStore(path: copy("store.db")).load()
        }
    }

    @Test(arguments: [
        ("UPDATE app SET manifest = 'x'", "table app, row id 1, column manifest"),
        ("UPDATE app SET manifest = '{}'", "table app, row id 1, column manifest"),
        ("UPDATE app SET identifier = '../x'", "table app, row id 1, column identifier"),
        ("UPDATE app SET last_launch = 99999999999", "table app, row id 1, column last_launch"),
        ("UPDATE app SET id = 99999999999", "table app, row id 99999999999, column id"),
        ("UPDATE launch SET reason = 'whim'", "table launch, row app 1, number 1, column reason"),
        ("UPDATE launch SET ending = '{\"exited\":3}'", "table launch, row app 1, number 1, column ending"),
        ("UPDATE launch SET pid = 1", "table launch, row app 1, number 1, column start_time"),
        ("UPDATE launch SET pid = -99999999999", "table launch, row app 1, number 1, column pid"),
        ("DROP TABLE launch", "no such table: launch"),
    ])
    func namesTheBrokenRow(sql: String, place: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app(1))), .record(.launch(launch(1, 1)))])
        try store.execute(sql)
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.subject == path)
        #expect(error?.reason.contains(place) == true, "\(error!)")
    }

    /// SQLite itself finds no error in it.
    @Test func aColumnOfAnotherNameIsDamage() throws {
        let store = try SQLiteStore(path: path)
        try store.commit([.record(.app(app(1)))])
        try store.execute("ALTER TABLE app RENAME COLUMN last_launch TO last_lunch")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.errno == EUCLEAN)
        #expect(error?.reason.contains("roost recover") == true, "\(error!)")
    }

    /// The target of the link keeps its mode.
    @Test func refusesALink() throws {
        let target = folder.path + "/target"
        try folder.write("target", Array("a file of the user".utf8))
        try #require(chmod(target, 0o644) == 0 && symlink(target, path) == 0)
        let error = #expect(throws: SystemError.self) { try SQLiteStore(path: path) }
        #expect(error?.errno == ELOOP && error?.reason.contains("symbolic link") == true, "\(error!)")
        var status = stat()
        #expect(stat(target, &status) == 0 && status.st_mode & 0o777 == 0o644)
    }

    /// Values that SQLite can hold and the system never writes; the system would calculate with them.
    @Test(arguments: [
        ("app", "last_launch = 2147483647", "column last_launch: it cannot be 2147483647"),
        ("app", "last_launch = -1", "column last_launch: it cannot be -1"),
        ("app", "switcher_place = 9223372036854775807", "column switcher_place: it cannot be 9223372036854775807"),
        ("app", "switcher_place = -1", "column switcher_place: it cannot be -1"),
        ("app", "scenes = json_set(scenes, '$.last', 2147483647)", "column scenes: its last cannot be 2147483647"),
        ("device", "record = json_set(record, '$.clockChanges', -1)", "column record: its clockChanges cannot be -1"),
        (
            "device", "record = json_set(record, '$.settings.batteryLevel', 101)",
            "column record: its batteryLevel cannot be 101"
        ),
        ("launch", "number = -2147483648", "column number: it cannot be -2147483648"),
    ])
    func impossibleValuesAreReportedAsDamage(table: String, change: String, place: String) throws {
        let store = try SQLiteStore(path: path)
        try store.commit([
            .record(.app(app(1))), .record(.launch(launch(1, 1))), .record(.device(DeviceRecord())),
        ])
        try store.execute("UPDATE \(table) SET \(change)")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.errno == EUCLEAN)
        #expect(error?.reason.contains("table \(table), row ") == true, "\(error!)")
        #expect(error?.reason.contains(place + "; run `roost recover ") == true, "\(error!)")
    }

    @Test func anUnusablePathIsReported() throws {
        let error = #expect(throws: SystemError.self) { try SQLiteStore(path: folder("no/such/folder/store.db")) }
        #expect(error?.description.contains("cannot open the store") == true, "\(error!)")
        #expect(throws: SystemError.self) { try SQLiteStore(path: folder.path) }
    }
}
