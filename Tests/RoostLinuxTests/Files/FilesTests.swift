import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

struct ProcStatTests {
    @Test
    func aNameWithParenthesesAndBlanksIsSteppedOver() throws {
        let rest = (4...52).map(String.init).joined(separator: " ")
        let stat = try #require(ProcStat(parsing: "42 (a) R 1 (b) S \(rest)\n"))
        #expect(stat.state == UInt8(ascii: "S"))
        #expect(stat.group == 5 && stat.session == 6)
        #expect(stat.ticks == 14 + 15)
        #expect(stat.startTime == 22)
        #expect(stat.exitStatus == 52)
        #expect(ProcStat(parsing: "42 (sh") == nil)
        #expect(ProcStat(parsing: "42 (sh) S 1 2") == nil)
    }

    @Test
    func memoryIsReadFromTheKernelsTexts() {
        #expect(
            Footprint.proportional("55d-7ff ---p 0 00:00 0 [rollup]\nRss:  9 kB\nPss:     12 kB\nPss_Dirty: 3 kB\n")
                == 12 << 10)
        #expect(Footprint.proportional("") == nil)
        #expect(Footprint.residentPages("100 25 3 1 0 2 0\n") == 25)
        #expect(Footprint.bytes(of: getpid()) ?? 0 > 0)
    }
}

struct RuntimeDirectoryTests {
    let scratch: Scratch
    let environment: [String: String]

    init() throws {
        scratch = try Scratch()
        environment = ["XDG_RUNTIME_DIR": scratch.path]
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        lstat(path, &status)
        return status.st_mode & 0o7777
    }

    @Test
    func onlyOneSystemHoldsTheDirectory() throws {
        let scratch = try Scratch()
        let directory = try RuntimeDirectory.prepare(
            systemID: "1a", environment: ["XDG_RUNTIME_DIR": scratch.path])
        do {
            let held = try directory.hold()
            let error = #expect(throws: SystemError.self) { try directory.hold() }
            #expect(error?.errno == EWOULDBLOCK && error?.reason.contains("same id") == true)
            withExtendedLifetime(held) {}
        }
        let held = try directory.hold()
        directory.remove()
        #expect(!Files.isDirectory(directory.path))
        withExtendedLifetime(held) {}
    }

    @Test
    func theRuntimeDirectoryFollowsXDGOrADefault() throws {
        let given = try RuntimeDirectory(systemID: "1a", environment: ["XDG_RUNTIME_DIR": "/run/user/7/"], user: 7)
        #expect(given.path == "/run/user/7/roost/1a" && given.controlSocket == "/run/user/7/roost/1a/control")
        #expect(try RuntimeDirectory(systemID: "1a", environment: [:], user: 0).path == "/run/roost/1a")
        #expect(try RuntimeDirectory(systemID: "1a", environment: [:], user: 7).path == "/tmp/roost-7/1a")
        let relative = ["XDG_RUNTIME_DIR": "here"]
        #expect(try RuntimeDirectory(systemID: "1a", environment: relative, user: 7).path == "/tmp/roost-7/1a")
    }

    @Test
    func theRuntimeDirectoryIsPrivate() throws {
        scratch.directory("roost")
        let directory = try RuntimeDirectory.prepare(systemID: "1a", environment: environment)
        #expect(mode(directory.path) == 0o700 && mode(scratch.path + "/roost") == 0o700)
        #expect(try RuntimeDirectory.prepare(systemID: "1a", environment: environment) == directory)
        directory.remove()
        #expect(!Files.isDirectory(directory.path))
    }

    @Test
    func aLinkAFileAndAForeignOwnerAreRefused() throws {
        scratch.directory("elsewhere")
        symlink(scratch.path + "/elsewhere", scratch.path + "/roost")
        #expect(throws: SystemError.self) {
            try RuntimeDirectory.prepare(systemID: "1a", environment: environment)
        }
        unlink(scratch.path + "/roost")
        scratch.file("roost")
        #expect(throws: SystemError.self) {
            try RuntimeDirectory.prepare(systemID: "1a", environment: environment)
        }
        let error = #expect(throws: SystemError.self) {
            try RuntimeDirectory.prepare(systemID: "1a", environment: environment, user: getuid() + 1)
        }
        #expect(error?.errno == EPERM)
    }

    @Test
    func aPathNoSocketFitsIsRefused() {
        let long = ["XDG_RUNTIME_DIR": "/" + String(repeating: "x", count: 100)]
        let error = #expect(throws: SystemError.self) { try RuntimeDirectory(systemID: "1a", environment: long) }
        #expect(error?.errno == ENAMETOOLONG)
        // A socket's path may have at most 107 bytes.
        let fits = ["XDG_RUNTIME_DIR": "/" + String(repeating: "x", count: 107 - "/roost/1a/control".count - 1)]
        #expect(throws: Never.self) { try RuntimeDirectory(systemID: "1a", environment: fits) }
        for id in ["", "..", "a/b"] {
            #expect(throws: SystemError.self) { try RuntimeDirectory(systemID: id, environment: [:]) }
        }
    }
}

struct ContainersTests {
    let scratch: Scratch
    let containers: Containers
    let app: BundleIdentifier

    init() throws {
        scratch = try Scratch()
        containers = Containers(stateDirectory: scratch.path + "/state/")
        app = try #require(BundleIdentifier("org.example.Test"))
    }

    @Test
    func aContainerHasTheDirectoriesOfIOS() throws {
        try containers.prepare(app)
        try containers.prepare(app)
        for name in ["Documents", "Library/Application Support", "Library/Caches", "Library/Preferences", "tmp"] {
            #expect(Files.isDirectory(containers.container(app) + "/" + name))
        }
        #expect(containers.log(app) == scratch.path + "/state/logs/org.example.Test.log")
        #expect(containers.bundle(app) == scratch.path + "/state/bundles/org.example.Test")
    }

    @Test
    func nothingIsMadeThroughALinkOfTheApps() throws {
        try containers.prepare(app)
        try TreeRemoval.remove("Library", from: containers.container(app))
        scratch.directory("outside")
        symlink(scratch.path + "/outside", containers.container(app) + "/Library")
        try containers.prepare(app)
        #expect(Files.names(in: scratch.path + "/outside") == [])
    }

    @Test
    func theEnvironmentIsTheAppsOwnButForLanguagePathAndTimeZone() {
        let ours = [
            "PATH": "/p", "LANG": "C.UTF-8", "LC_TIME": "de_DE", "TZ": "UTC", "HOME": "/root", "SECRET": "s",
            "XDG_RUNTIME_DIR": "/run/user/0",
        ]
        let home = scratch.path + "/state/containers/org.example.Test"
        let environment = containers.environment(for: app, ours: ours, adding: ["ROOST_TOKEN": "t"])
        #expect(
            environment == [
                "CFFIXED_USER_HOME=\(home)", "HOME=\(home)", "LANG=C.UTF-8", "LC_TIME=de_DE", "PATH=/p",
                "ROOST_TOKEN=t", "TMPDIR=\(home)/tmp", "TZ=UTC", "XDG_CACHE_HOME=\(home)/Library/Caches",
                "XDG_CONFIG_HOME=\(home)/Library/Preferences", "XDG_DATA_HOME=\(home)/Library/Application Support",
                "XDG_DOCUMENTS_DIR=\(home)/Documents", "XDG_STATE_HOME=\(home)/Library/State",
            ])
    }

    /// The sound server is the chosen one, or that of the session if its socket exists.
    @Test
    func theEnvironmentNamesTheSoundServer() throws {
        func sound(_ ours: [String: String]) -> [String] {
            containers.environment(for: app, ours: ours).filter { $0.hasPrefix("PULSE_") }
        }
        let cookie = "PULSE_COOKIE=\(containers.container(app))/tmp/pulse-cookie"
        #expect(sound(["PULSE_SERVER": "tcp:host"]) == [cookie, "PULSE_SERVER=tcp:host"])
        #expect(sound(["PULSE_SERVER": "/s", "PULSE_COOKIE": "/c"]) == ["PULSE_COOKIE=/c", "PULSE_SERVER=/s"])
        let session = ["XDG_RUNTIME_DIR": scratch.path, "PULSE_SERVER": ""]
        #expect(sound(session) == [])
        scratch.directory("pulse")
        scratch.file("pulse/native", "no socket")
        #expect(sound(session) == [])
        unlink(scratch.path + "/pulse/native")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (scratch.path + "/pulse/native").utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        #expect(sound(session) == [cookie, "PULSE_SERVER=unix:\(scratch.path)/pulse/native"])
        #expect(sound(["XDG_RUNTIME_DIR": "relative"]) == [])
    }

    @Test
    func deletingFollowsNoLinkAndMindsNoMode() throws {
        try containers.prepare(app)
        scratch.directory("outside")
        scratch.file("outside/precious", "kept")
        let home = containers.container(app)
        symlink(scratch.path + "/outside", home + "/Documents/link")
        symlink(scratch.path + "/outside/precious", home + "/link")
        mkdir(home + "/.removing-1", 0o700)
        mkdir(home + "/.removing-1/inside", 0o700)
        mkdir(home + "/tmp/closed", 0o700)
        mkdir(home + "/tmp/closed/inner", 0o000)
        chmod(home + "/tmp/closed", 0o000)
        mkfifo(home + "/tmp/fifo", 0o600)
        try containers.remove(app)
        try containers.remove(app)
        #expect(!Files.isDirectory(home))
        #expect(scratch.text("outside/precious") == "kept")
    }

    @Test
    func aContainerThatIsALinkIsUnlinkedOnly() throws {
        try containers.prepare(app)
        try TreeRemoval.remove(app.rawValue, from: scratch.path + "/state/containers")
        scratch.directory("outside")
        scratch.file("outside/precious", "kept")
        symlink(scratch.path + "/outside", containers.container(app))
        #expect(throws: SystemError.self) { try containers.prepare(app) }
        try containers.remove(app)
        #expect(scratch.text("outside/precious") == "kept")
        #expect(Files.names(in: scratch.path + "/state/containers") == [])
    }

    @Test
    func aDeepTreeIsDeletedWithFewDescriptors() throws {
        try containers.prepare(app)
        var directory = try Directories.open(containers.container(app))
        // Deeper than a path may be long, and than files may be open.
        for _ in 0..<3_000 {
            let next = try Directories.open("d", in: directory, makingItWith: 0o700, path: "d")
            close(directory)
            directory = next
        }
        close(directory)
        try containers.remove(app)
        #expect(!Files.isDirectory(containers.container(app)))
    }

    @Test(.timeLimit(.minutes(30)))
    func aNameThatIsNoTextIsDeletedToo() throws {
        try containers.prepare(app)
        let tmp = try Directories.open(containers.container(app) + "/tmp")
        defer { close(tmp) }
        let name: [CChar] = [CChar(bitPattern: 0xff), CChar(bitPattern: 0xc3), 0]
        try #require(mkdirat(tmp, name, 0o700) == 0)
        let inner = openat(tmp, name, O_RDONLY | O_DIRECTORY)
        try #require(mkdirat(inner, name, 0o700) == 0)
        close(inner)
        try containers.remove(app)
        #expect(!Files.isDirectory(containers.container(app)))
    }

    @Test
    func bothLogsAreDeleted() throws {
        try containers.prepare(app)
        scratch.file("state/logs/org.example.Test.log")
        scratch.file("state/logs/org.example.Test.log.1")
        scratch.file("state/logs/org.example.Tests.log")
        try containers.remove(app)
        #expect(Files.names(in: scratch.path + "/state/logs") == ["org.example.Tests.log"])
    }
}

struct LostAndFoundTests {
    @Test
    func filesOfUnknownAppsAreMovedAndNothingElse() throws {
        let scratch = try Scratch()
        let containers = Containers(stateDirectory: scratch.path)
        let known = try #require(BundleIdentifier("org.example.Known"))
        let lost = try #require(BundleIdentifier("org.example.Lost"))
        let linked = try #require(BundleIdentifier("org.example.Linked"))
        for app in [known, lost] {
            try containers.prepare(app)
            mkdir(containers.bundle(app), 0o700)
            scratch.file("containers/\(app)/Documents/private", "\(app)")
            for suffix in [".log", ".log.1"] { scratch.file("logs/\(app)\(suffix)") }
        }
        scratch.directory("elsewhere")
        scratch.file("elsewhere/precious", "kept")
        symlink(scratch.path + "/elsewhere", containers.container(linked))
        for name in ["bundles/.hidden", "containers/lost+found", "logs/notes"] { scratch.file(name) }

        let lostAndFound = LostAndFound(stateDirectory: scratch.path)
        let finds = try lostAndFound.takeUnknown(keeping: [known])
        #expect(finds.allSatisfy { $0.error == nil })
        #expect(
            finds.map { $0.path.dropFirst(scratch.path.count + 1) } == [
                "bundles/org.example.Lost", "containers/org.example.Linked", "containers/org.example.Lost",
                "logs/org.example.Lost.log", "logs/org.example.Lost.log.1",
            ])
        #expect(Files.names(in: scratch.path + "/bundles") == [".hidden", "org.example.Known"])
        #expect(Files.names(in: scratch.path + "/containers") == ["lost+found", "org.example.Known"])
        #expect(
            Files.names(in: scratch.path + "/logs") == ["notes", "org.example.Known.log", "org.example.Known.log.1"])
        let place = try #require(finds[2].place)
        #expect(Files.text(place + "/Documents/private") == "org.example.Lost")
        var status = stat()
        #expect(stat(LostAndFoundTests.parent(LostAndFoundTests.parent(place)), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(scratch.text("elsewhere/precious") == "kept")
        #expect(try lostAndFound.takeUnknown(keeping: [known]) == [])

        // A second directory with the same name does not replace the first.
        try containers.prepare(lost)
        let again = try lostAndFound.takeUnknown(keeping: [known])
        #expect(again.map(\.place) == [place + "-2"])
        #expect(Files.text(place + "/Documents/private") == "org.example.Lost")
    }

    private static func parent(_ path: String) -> String { Sandbox.parent(of: path) }

    @Test
    func aFolderThatIsALinkIsNotEntered() throws {
        let scratch = try Scratch()
        for name in ["bundles", "logs", "elsewhere", "elsewhere/org.example.Precious"] { scratch.directory(name) }
        symlink(scratch.path + "/elsewhere", scratch.path + "/containers")
        #expect(throws: SystemError.self) {
            try LostAndFound(stateDirectory: scratch.path).takeUnknown(keeping: [])
        }
        #expect(Files.isDirectory(scratch.path + "/elsewhere/org.example.Precious"))
    }

    @Test
    func filesOfTheStateDirectoryItself() throws {
        let scratch = try Scratch()
        scratch.file("store.db", "damaged")
        let finds = try LostAndFound(stateDirectory: scratch.path).take(["store.db", "store.db-wal"])
        #expect(finds.count == 1)
        #expect(try Files.text(#require(finds.first?.place)) == "damaged")
        #expect(scratch.text("store.db") == nil)
    }
}

struct LogFileTests {
    let scratch: Scratch
    let log: LogFile

    init() throws {
        scratch = try Scratch()
        log = LogFile(path: scratch.path + "/log")
    }

    private func append(_ text: String) throws {
        let descriptor = try log.open()
        defer { close(descriptor) }
        #expect(fcntl(descriptor, F_GETFL) & (O_NONBLOCK | O_APPEND) == O_APPEND)
        #expect(Files.writeAll(text.utf8, to: descriptor))
    }

    @Test
    func aLargeLogIsRotatedWhenOpened() throws {
        try append("a")
        #expect(truncate(log.path, off_t(LogFile.limit)) == 0)
        try append("b")
        #expect(scratch.text("log")?.utf8.count == Int(LogFile.limit) + 1)
        // A writer from the launch before continues at the new end.
        let writer = open(log.path, O_WRONLY | O_APPEND)
        defer { close(writer) }
        scratch.file("log.1", "older still")
        try append("c")
        #expect(Files.writeAll("d".utf8, to: writer))
        #expect(scratch.text("log") == "cd")
        let older = try #require(Files.bytes(LogFile.older(log.path)))
        #expect(older.count == Int(LogFile.limit) + 1)
        #expect(older.first == UInt8(ascii: "a") && older.last == UInt8(ascii: "b"))
    }

    @Test
    func ofAHugeLogTheNewestPartIsKept() throws {
        #expect(scratch.text("log") == nil)
        try append("")
        #expect(truncate(log.path, 1 << 36) == 0)
        let writer = open(log.path, O_WRONLY | O_APPEND)
        #expect(Files.writeAll("end".utf8, to: writer))
        close(writer)
        try append("")
        #expect(scratch.text("log") == "")
        let older = try #require(Files.bytes(LogFile.older(log.path)))
        #expect(older.count == Int(LogFile.longestOlder) && older.suffix(3).elementsEqual("end".utf8))
    }

    @Test
    func aLogThatCannotBeCopiedStays() throws {
        try append("")
        #expect(truncate(log.path, off_t(LogFile.limit) + 1) == 0)
        scratch.directory("log.1")
        try append("x")
        #expect(scratch.text("log")?.utf8.count == Int(LogFile.limit) + 2)
    }

    @Test(.timeLimit(.minutes(30)), arguments: [false, true])
    func aPipeInItsPlaceIsReplaced(isRead: Bool) throws {
        try #require(mkfifo(log.path, 0o600) == 0)
        let reader = isRead ? open(log.path, O_RDONLY | O_NONBLOCK) : -1
        defer { close(reader) }
        try append("x")
        #expect(scratch.text("log") == "x")
    }

    @Test
    func aLinkInItsPlaceIsReplacedAndNotFollowed() throws {
        scratch.file("precious", "kept")
        symlink(scratch.path + "/precious", log.path)
        try append("x")
        #expect(scratch.text("log") == "x")
        #expect(scratch.text("precious") == "kept")
    }

    @Test
    func aDirectoryInPlaceOfTheLogIsReported() throws {
        scratch.directory("log")
        let error = #expect(throws: SystemError.self) { _ = try log.open() }
        #expect(error?.errno == EISDIR && error?.subject == log.path)
    }
}
