import CRoost
import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

@Suite(.serialized)
struct SandboxTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test
    func onlyPlacesBesideTheHiddenAreOpen() {
        for name in ["a", "a/b", "a/b/secret", "a/c", "d"] { scratch.directory(name) }
        scratch.file("a/file")
        symlink(scratch.path + "/a/b/secret", scratch.path + "/a/link")
        let root = scratch.path
        #expect(
            LandlockRules.openPlaces(below: root, except: [root + "/a/b/secret"]).sorted() == [
                root + "/a/c", root + "/a/file", root + "/d",
            ])
        #expect(LandlockRules.openPlaces(below: root, except: [root]) == [])
        #expect(LandlockRules.openPlaces(below: root, except: ["/elsewhere", root + "x"]) == [root])
    }

    @Test
    func rightsGrowWithTheVersion() {
        #expect(LandlockRules.Rights.known(to: 1).rawValue == 0x1fff)
        #expect(
            LandlockRules.Rights.known(to: 2).contains(.refer) && !LandlockRules.Rights.known(to: 2).contains(.truncate)
        )
        #expect(LandlockRules.Rights.known(to: 7).contains(.deviceControl))
    }

    @Test
    func eachAppHasAUIDOfItsSystems() throws {
        let sandbox = Sandbox(
            firstUser: 0x5212_0000, landlock: nil, refusesCalls: true, entries: nil, hidden: [], readable: [],
            shortcomings: [])
        #expect(sandbox.level == .uids)
        #expect(try sandbox.user(of: AppID(7)) == 0x5212_0007)
        let error = #expect(throws: SystemError.self) { try sandbox.user(of: AppID(1 << 16)) }
        #expect(error?.errno == ERANGE)
        #expect(try Sandbox.none.user(of: AppID(7)) == nil)
    }

    @Test
    func aStateDirectoryOutOfReachIsReported() throws {
        scratch.directory("closed")
        chmod(scratch.path + "/closed", 0o700)
        let state = scratch.path + "/closed/state"
        let choose = { (request: Sandbox.Request) throws(SystemError) in
            try Sandbox(
                request, systemID: "x", stateDirectory: state, runtimeDirectory: "/run/roost/x", environment: [:])
        }
        let sandbox = try choose(.auto)
        #expect(sandbox.level != .uids)
        #expect(sandbox.shortcomings.first?.hasPrefix("apps share the system's uid") == true)
        #expect(throws: SystemError.self) { try choose(.uids) }
        #expect(try choose(.none).level == .none)
        #expect(sandbox.hidden.contains(state) && sandbox.hidden.contains("/tmp"))
    }

    /// A Landlock rule applies to a file, not to its name. A file's replacement has no rule unless its directory has
    /// one.
    @Test(.enabled(if: geteuid() == 0, "only root can give apps uids"), arguments: [Sandbox.Request.uids, .landlock])
    func replacedFilesOfTheMachineAreReadable(request: Sandbox.Request) throws {
        let sandbox = try Sandbox(
            request, systemID: "x", stateDirectory: scratch.path, runtimeDirectory: "/run/roost/x", environment: [:])
        let places = LandlockRules.openPlaces(below: "/", except: sandbox.hidden)
        #expect(places.contains("/etc") == (request == .uids), "\(places)")
        #expect(sandbox.hidden.contains("/etc/shadow") == (request == .landlock))
        #expect(sandbox.hidden.contains("/var/lib"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change owners"))
    func theContainerBecomesTheAppsAndNothingElse() throws {
        for name in ["container", "container/Documents", "outside"] { scratch.directory(name) }
        scratch.file("container/Documents/own")
        scratch.file("outside/file")
        link(scratch.path + "/outside/file", scratch.path + "/container/linked")
        symlink(scratch.path + "/outside", scratch.path + "/container/Library")
        try Ownership(user: 4242).give(container: scratch.path + "/container")
        func owner(_ name: String) -> UInt32 {
            var status = stat()
            return lstat(scratch.path + "/" + name, &status) == 0 ? status.st_uid : .max
        }
        #expect(owner("container") == 4242 && owner("container/Documents/own") == 4242)
        #expect(owner("outside") == 0 && owner("outside/file") == 0, "links are not followed")
        // A directory that the system makes again becomes the app's again.
        scratch.directory("container/tmp")
        try Ownership(user: 4242).giveDirectories(of: scratch.path + "/container")
        #expect(owner("container/tmp") == 4242)
        try Ownership(user: 0).give(container: scratch.path + "/container")
        #expect(owner("container/Documents/own") == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change owners"))
    func theBundleIsReadByItsAppAlone() throws {
        for name in ["bundle", "bundle/A.app"] { scratch.directory(name) }
        scratch.file("bundle/A.app/program", mode: 0o700)
        scratch.file("bundle/A.app/data", mode: 0o600)
        try Ownership(user: 4242).open(bundle: scratch.path + "/bundle")
        func mode(_ name: String) -> UInt32 {
            var status = stat()
            return lstat(scratch.path + "/" + name, &status) == 0 && status.st_gid == 4242 ? status.st_mode & 0o777 : 0
        }
        #expect(mode("bundle") == 0o750 && mode("bundle/A.app") == 0o750)
        #expect(mode("bundle/A.app/program") == 0o750 && mode("bundle/A.app/data") == 0o640)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change owners"))
    func filesArePreparedOnceForALaunch() throws {
        for name in ["container", "container/tmp", "bundle", "bundle/A.app", "bundle/.new-1"] {
            scratch.directory(name)
        }
        for name in ["container/tmp/own", "bundle/A.app/data", "bundle/.new-1/data"] {
            scratch.file(name, mode: 0o600)
        }
        symlink("A.app", scratch.path + "/bundle/link")
        let processes = LinuxProcesses.usingSignals()
        processes.sandbox = Sandbox(
            firstUser: 4242, landlock: nil, refusesCalls: false, entries: nil, hidden: [], readable: [],
            shortcomings: [])
        func specification(_ app: Int32) throws -> LaunchSpecification {
            LaunchSpecification(
                launch: LaunchID(app: AppID(app), number: 1),
                identifier: try #require(BundleIdentifier("org.example.Test")),
                executable: "/bin/true", environment: [], workingDirectory: "/", logFile: "/dev/null",
                confinement: Confinement(container: scratch.path + "/container", bundle: scratch.path + "/bundle"))
        }
        func isDue(_ app: Int32) throws -> Bool { try processes.preparation(of: specification(app)) != nil }
        func prepare(_ app: Int32) throws {
            let preparation = try processes.preparation(of: specification(app))
            let work = try #require(preparation)
            try work().get()
        }
        func owners(_ name: String) -> [UInt32] {
            var status = stat()
            return lstat(scratch.path + "/" + name, &status) == 0 ? [status.st_uid, status.st_gid] : []
        }
        try prepare(1)
        #expect(owners("container/tmp/own") == [4243, 4243] && owners("bundle/A.app/data") == [0, 4243])
        #expect(owners("bundle/.new-1/data") == [0, 0], "the copy is not finished")
        #expect(try !isDue(1))
        // Another bundle has replaced it.
        rename(scratch.path + "/bundle/A.app", scratch.path + "/bundle/.old-1")
        rename(scratch.path + "/bundle/.new-1", scratch.path + "/bundle/A.app")
        try prepare(1)
        #expect(owners("bundle/A.app/data") == [0, 4243])
        // The app has another number, and after that apps have no uids any more.
        try prepare(2)
        #expect(owners("container/tmp/own") == [4244, 4244] && owners("bundle/A.app/data") == [0, 4244])
        processes.sandbox = .none
        try prepare(2)
        #expect(owners("container/tmp/own") == [0, 0])
        #expect(try !isDue(2))
    }
}

@Suite(.serialized)
struct LimitsTests {
    @Test(arguments: [false, true])
    func limitsAreHeldFromTheFirstInstant(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        var specification = bench.specification(
            "/bin/sh", ["-c", "ulimit -Sn; ulimit -Hn; ulimit -c; ulimit -f; exec sleep 60"])
        specification.limits = ProcessLimits(
            openFiles: 77, fileSize: 1 << 20, processes: 50)
        let handle = try bench.processes.start(specification)
        defer {
            try? bench.processes.kill(specification.launch)
            _ = poll(handle.descriptor, POLLIN)
            _ = bench.processes.collect(specification.launch)
        }
        #expect(eventually { bench.logText.split(separator: "\n").count == 4 })
        // The file size limit, in blocks of 512 bytes as in POSIX, or of 1024.
        let lines = bench.logText.split(separator: "\n")
        #expect(lines.prefix(3) == ["77", "77", "0"] && ["2048", "1024"].contains(lines[3]))
        if let knob = bench.processes.groups.knob("pids", "pids.max", of: "org.example.Test.1") {
            #expect(Files.text(knob) == "50\n")
            #expect(Files.text(knob.replacing("pids.max", with: "tasks"))?.contains("\(handle.pid)\n") == true)
        }
    }

    @Test
    func theRoomFilesTakeIsMeasured() throws {
        let scratch = try Scratch()
        for name in ["c", "c/d", "out"] { scratch.directory(name) }
        let empty = try DiskUse.bytes(below: scratch.path + "/c")
        let text = String(repeating: "x", count: 1 << 20)
        scratch.file("c/d/big", text)
        scratch.file("out/big", text)
        link(scratch.path + "/c/d/big", scratch.path + "/c/again")
        symlink(scratch.path + "/out", scratch.path + "/c/link")
        let full = try DiskUse.bytes(below: scratch.path + "/c")
        // ext4 counts no blocks for data that is not written out yet.
        let descriptor = open(scratch.path + "/c/d/big", O_RDONLY)
        fsync(descriptor)
        close(descriptor)
        let written = try DiskUse.bytes(below: scratch.path + "/c")
        #expect(max(full, written) - empty >= 1 << 20 && max(full, written) - empty < 2 << 20)
        #expect(throws: SystemError.self) { try DiskUse.bytes(below: scratch.path + "/none") }
    }

    /// Waits until writes below `directory` have had their effect.
    private func until(_ what: String, in directory: String, _ condition: () -> Bool) throws {
        let news = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        defer { close(news) }
        inotify_add_watch(news, directory, UInt32(IN_MODIFY | IN_CREATE | IN_DELETE))
        let end = croost_monotonic() + 20_000_000_000
        while !condition() {
            try #require(croost_monotonic() < end, "\(what)")
            _ = poll(news, POLLIN, milliseconds: 100)
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(news, &buffer, buffer.count) > 0 {}
        }
    }

    @Test
    func aLogThatGrowsIsShortened() throws {
        let scratch = try Scratch()
        let keeper = try LogWatch(limit: 1000, pause: .milliseconds(5), copyPause: .seconds(3600))
        let launch = LaunchID(app: AppID(1), number: 1)
        let path = scratch.path + "/log"
        let log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(log) }
        keeper.follow(launch, log: path)
        _ = Files.writeAll(String(repeating: "a", count: 900).utf8, to: log)
        _ = Files.writeAll(String(repeating: "b", count: 900).utf8, to: log)
        let note = "roost: 800 bytes of output were dropped here\n"
        try until("the log is emptied", in: scratch.path) { scratch.text("log") == note }
        let kept = String(repeating: "a", count: 100) + String(repeating: "b", count: 900)
        #expect(scratch.text("log.1") == kept)
        _ = Files.writeAll("c".utf8, to: log)
        #expect(scratch.text("log") == note + "c", "an open descriptor writes at the new end")

        // Too soon for another copy, so the older log stays.
        _ = Files.writeAll(String(repeating: "d", count: 2000).utf8, to: log)
        let second = "roost: \(note.utf8.count + 2001) bytes of output were dropped here\n"
        try until("the log is emptied again", in: scratch.path) { scratch.text("log") == second }
        #expect(scratch.text("log.1") == kept)

        // The forgotten log is left alone; another log is not.
        keeper.forget(launch)
        _ = Files.writeAll(String(repeating: "e", count: 2000).utf8, to: log)
        let other = open(scratch.path + "/other", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(other) }
        keeper.follow(LaunchID(app: AppID(2), number: 1), log: scratch.path + "/other")
        _ = Files.writeAll(String(repeating: "f", count: 1001).utf8, to: other)
        try until("the other log is emptied", in: scratch.path) { scratch.text("other")?.hasPrefix("roost: ") == true }
        #expect(scratch.text("log")?.utf8.count == second.utf8.count + 2000)
    }
}
