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
    func itIsWhereThePeopleAtFreedesktopSayOrInAPlaceOfOurOwn() throws {
        let given = try RuntimeDirectory(systemID: "1a", environment: ["XDG_RUNTIME_DIR": "/run/user/7/"], user: 7)
        #expect(given.path == "/run/user/7/roost/1a" && given.controlSocket == "/run/user/7/roost/1a/control")
        #expect(try RuntimeDirectory(systemID: "1a", environment: [:], user: 0).path == "/run/roost/1a")
        #expect(try RuntimeDirectory(systemID: "1a", environment: [:], user: 7).path == "/tmp/roost-7/1a")
        let relative = ["XDG_RUNTIME_DIR": "here"]
        #expect(try RuntimeDirectory(systemID: "1a", environment: relative, user: 7).path == "/tmp/roost-7/1a")
    }

    @Test
    func itIsMadeForItsOwnerAloneAndMadeSoAgain() throws {
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
        // 107 bytes are the most a socket's path may have.
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
    func aContainerHasWhatOneOnIOSHas() throws {
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
        for _ in 0..<400 {
            let next = try Directories.open("d", in: directory, makingItWith: 0o700, path: "d")
            close(directory)
            directory = next
        }
        close(directory)
        try containers.remove(app)
        #expect(!Files.isDirectory(containers.container(app)))
    }
}
