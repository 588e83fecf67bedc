import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// The tree over a temporary directory: reading, writing and removing.
struct CgroupTreeTests {
    let scratch: Scratch
    let tree: CgroupTree

    init() throws {
        scratch = try Scratch()
        scratch.directory("app.1")
        tree = CgroupTree(root: scratch.path)
    }

    @Test
    func theTreeIsNamedForItsSystem() {
        #expect(CgroupTree(parent: "/sys/fs/cgroup", systemID: "1a2b").root == "/sys/fs/cgroup/roost-1a2b")
    }

    @Test(arguments: [
        ("populated 1\nfrozen 0\n", true, false), ("populated 0\nfrozen 1\n", false, true), ("", false, false),
        ("frozen 1\npopulated 1\nnew 1\n", true, true),
    ])
    func eventsAreRead(text: String, populated: Bool, frozen: Bool) throws {
        scratch.file("app.1/cgroup.events", text)
        let events = try tree.events("app.1")
        #expect(events.isPopulated == populated && events.isFrozen == frozen)
        let watch = try tree.openEvents("app.1")
        defer { close(watch) }
        #expect(CgroupTree.events(at: watch) == events)
    }

    @Test
    func aFreezeIsPendingUntilTheKernelSaysFrozen() throws {
        scratch.file("app.1/cgroup.events", "populated 1\nfrozen 0\n")
        scratch.file("app.1/cgroup.freeze", "0")
        let enclosure = try CgroupEnclosure(tree: tree, name: "app.1")
        let seen = try enclosure.freeze(first: -1, looks: 1, pause: .zero)
        #expect(scratch.text("app.1/cgroup.freeze") == "1")
        #expect(try !seen.isFrozen && !enclosure.isFrozen())
        scratch.file("app.1/cgroup.events", "populated 1\nfrozen 1\n")
        #expect(try enclosure.isFrozen())
        #expect(enclosure.freezerText() == "frozen 1")
        try enclosure.thaw()
        #expect(scratch.text("app.1/cgroup.freeze") == "0")
    }

    @Test
    func theFirstProcessIsSeenInTheListAndNoPartOfANumberIs() throws {
        // More than the code reads at once: the last number is cut off.
        let many = (0..<20).map { "\(12345 + $0)\n" }.joined()
        scratch.file("app.1/cgroup.procs", many)
        scratch.file("app.1/cgroup.events", "populated 1\nfrozen 0\n")
        let enclosure = try CgroupEnclosure(tree: tree, name: "app.1")
        #expect(enclosure.contains(12345) && enclosure.contains(12346))
        #expect(!enclosure.contains(1234) && !enclosure.contains(12) && !enclosure.contains(99))
        // A process further down is found, too.
        #expect(enclosure.contains(12364))
        scratch.file("app.1/cgroup.procs", "7\n")
        #expect(enclosure.contains(7) && !enclosure.contains(12345))
    }

    @Test
    func directoriesAreDistinguishedFromFiles() throws {
        scratch.directory("b.1")
        scratch.file("c.1")
        symlink(scratch.path + "/b.1", scratch.path + "/d.1")
        #expect(Files.directories(in: scratch.path) == ["app.1", "b.1"])
        #expect(Files.directories(in: scratch.path + "/none") == nil)
    }

    @Test
    func processesOfNestedCgroupsCount() {
        scratch.file("app.1/cgroup.procs", "12\n0\n13\n")
        scratch.directory("app.1/inner")
        scratch.file("app.1/inner/cgroup.procs", "14\n")
        #expect(tree.processes("app.1") == [12, 13, 14])
        #expect(CgroupTree(root: "/sys/fs/cgroup/roost-1a2b").systemID == "1a2b")
    }

    @Test
    func processorTimeIsRead() {
        scratch.file("app.1/cpu.stat", "usage_usec 1234\nuser_usec 1000\n")
        #expect(tree.processorMicroseconds("app.1") == 1234)
        #expect(tree.processorMicroseconds("app.2") == nil)
    }

    @Test
    func killingGoesThroughTheKnob() throws {
        scratch.file("app.1/cgroup.kill")
        try tree.kill("app.1")
        #expect(scratch.text("app.1/cgroup.kill") == "1")
    }

    @Test
    func nestedCgroupsAreRemoved() throws {
        scratch.directory("app.1/inner")
        try tree.remove("app.1")
        #expect(!tree.exists("app.1"))
        try tree.remove("app.1")
    }

    @Test
    func aMissingControlFileIsReported() {
        let error = #expect(throws: SystemError.self) { try tree.write("1", to: .freeze, of: "gone") }
        #expect(error?.errno == ENOENT && error?.subject == scratch.path + "/gone/cgroup.freeze")
    }

    @Test
    func systemsAreFoundHoweverDeep() {
        for name in ["roost-a", "roost-a/app.1", "user", "user/session", "user/session/roost-b"] {
            scratch.directory(name)
        }
        #expect(
            LinuxProcesses.systems(below: scratch.path) == [
                scratch.path + "/roost-a", scratch.path + "/user/session/roost-b",
            ])
    }

    @Test
    func thawingWritesToEveryCgroupOfASystem() throws {
        scratch.file("cgroup.freeze", "0")
        scratch.file("app.1/cgroup.freeze", "1")
        let thawed = LinuxProcesses.thawAll(in: tree)
        #expect(thawed.map(\.place) == [scratch.path, scratch.path + "/app.1"])
        #expect(thawed.map(\.wasFrozen) == [false, true])
        #expect(thawed.allSatisfy { $0.error == nil })
        #expect(scratch.text("app.1/cgroup.freeze") == "0")
    }
}

struct CgroupDiscoveryTests {
    static let hybrid = """
        31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
        34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime shared:9 - cgroup cgroup rw,cpuset
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:7 - cgroup2 cgroup2 rw
        """
    static let unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

    @Test
    func bothLayoutsAreKnown() {
        #expect(CgroupDiscovery.mounts(Self.hybrid).map(\.point) == ["/sys/fs/cgroup/unified"])
        #expect(CgroupDiscovery.mounts(Self.unified).map(\.point) == ["/sys/fs/cgroup"])
        #expect(CgroupDiscovery.mounts("garbage - cgroup2\n") == [])
        #expect(CgroupDiscovery.mounts("1 2 3:4 / /a\\040b rw - cgroup2 x rw").map(\.point) == ["/a b"])
        #expect(CgroupDiscovery.unifiedPath("9:name=systemd:/x\n0::/user.slice/a\n") == "/user.slice/a")
        #expect(CgroupDiscovery.unifiedPath("9:name=systemd:/x\n") == nil)
    }

    @Test
    func ourOwnCgroupComesBeforeTheRootAndTheRootIsForRoot() {
        let mine = "0::/user.slice/me\n"
        let user = CgroupDiscovery(mountInfo: Self.unified, ownCgroup: mine, named: nil, isRoot: false)
        #expect(user.candidates == ["/sys/fs/cgroup/user.slice/me"])
        let root = CgroupDiscovery(mountInfo: Self.unified, ownCgroup: mine, named: nil, isRoot: true)
        #expect(root.candidates == ["/sys/fs/cgroup/user.slice/me", "/sys/fs/cgroup"])
        let named = CgroupDiscovery(mountInfo: Self.unified, ownCgroup: mine, named: "/sys/fs/cgroup/x/", isRoot: true)
        #expect(named.candidates == ["/sys/fs/cgroup/x"])
        let partial = "30 23 0:26 /user.slice /mnt rw - cgroup2 cgroup2 rw"
        let bound = CgroupDiscovery(mountInfo: partial, ownCgroup: mine, named: nil, isRoot: false)
        #expect(bound.candidates == ["/mnt/me"])
    }

    @Test
    func aDirectorysPlaceInTheHierarchyIsKnown() throws {
        let scratch = try Scratch()
        for name in ["all", "all/a", "all/part"] { scratch.directory(name) }
        func path(of name: String, _ mounts: (root: String, point: String)...) -> String? {
            let text = mounts.map { "30 23 0:26 \($0.root) \(scratch.path)/\($0.point) rw - cgroup2 cgroup2 rw\n" }
            return CgroupDiscovery(mountInfo: text.joined(), ownCgroup: "", named: nil, isRoot: true)
                .path(of: scratch.path + "/" + name)
        }
        #expect(path(of: "all/a", ("/", "all")) == "/a")
        #expect(path(of: "all", ("/", "all")) == "/")
        #expect(path(of: "all/part", ("/user", "all/part"), ("/", "all")) == "/user")
        #expect(path(of: "all/a", ("/user", "all")) == "/user/a")
        #expect(path(of: "all/a", ("/../..", "all")) == nil)
        #expect(path(of: "all/a", ("/", "al")) == nil)
        symlink(scratch.path + "/all", scratch.path + "/link")
        #expect(path(of: "link/a", ("/", "all")) == "/a")
    }

    @Test
    func aNamedPlaceThatDoesNotServeIsAnErrorThatSaysSo() throws {
        let scratch = try Scratch()
        let error = #expect(throws: SystemError.self) {
            try LinuxProcesses(systemID: "x", environment: ["ROOST_CGROUP": scratch.path])
        }
        #expect(error?.reason.contains("not a cgroup v2") == true)
        #expect(!Files.isDirectory(scratch.path + "/roost-x"))
        #expect(throws: SystemError.self) {
            try LinuxProcesses(systemID: "x", environment: ["ROOST_CGROUP": "/no/such/place"])
        }
    }

    @Test
    func noMountMeansNoTree() {
        let discovery = CgroupDiscovery(mountInfo: "", ownCgroup: "", named: nil, isRoot: true)
        let error = #expect(throws: SystemError.self) { try discovery.tree(systemID: "x") }
        #expect(error?.errno == ENOENT)
    }
}

/// Real cgroups, if this machine has them.
@Suite(.serialized, .enabled(if: Bench.hasCgroups))
struct RealCgroupTests {
    @Test
    func aLaunchIsBornInACgroupNamedForIt() throws {
        let bench = try Bench()
        let tree = try #require(bench.processes.tree)
        #expect(bench.processes.mechanism == "cgroup v2 at \(tree.root)")
        let app = try bench.start("/bin/sleep", ["60"], number: 4)
        #expect(tree.processes("org.example.Test.4") == [app.handle.pid])
        try bench.processes.kill(app.launch)
        _ = try bench.exit(app.launch, app.handle)
        #expect(!tree.exists("org.example.Test.4"))
    }

    @Test
    func aFrozenCgroupSaysSo() throws {
        let bench = try Bench()
        let tree = try #require(bench.processes.tree)
        let app = try bench.start("/bin/sleep", ["60"])
        _ = try bench.freeze(app.launch)
        #expect(try tree.read(.events, of: "org.example.Test.1").contains("frozen 1"))
        try bench.processes.thaw(app.launch)
        #expect(try tree.read(.freeze, of: "org.example.Test.1") == "0\n")
    }

    @Test
    func unknownProcessesInTheTreeAreEndedAndLaunchesKept() throws {
        let bench = try Bench()
        let kept = try bench.start("/bin/sleep", ["60"], number: 1)
        let stray = try bench.start("/bin/sleep", ["60"], number: 2)
        let later = try LinuxProcesses(systemID: bench.systemID, environment: LinuxProcesses.ownEnvironment)
        let (pid, start) = (kept.handle.pid, kept.handle.startTime)
        #expect(later.find(kept.launch, identifier: bench.identifier, pid: pid, startTime: start) != nil)
        #expect(later.removeLeftovers() == ["org.example.Test.2"])
        #expect(poll(stray.handle.descriptor, POLLIN))
        #expect(isAlive(pid))
    }

    @Test
    func leftoversOfALostLaunchAreEndedByTheSearch() throws {
        let bench = try Bench()
        let app = try bench.shell("sleep 60 & echo $! > child")
        let child = try #require(Int32(try bench.await("child").dropLast()))
        #expect(poll(app.handle.descriptor, POLLIN))
        // Reaped without the adapter, as if the system that started the process had ended.
        #expect(waitpid(app.handle.pid, nil, 0) == app.handle.pid)
        let later = try LinuxProcesses(systemID: bench.systemID, environment: LinuxProcesses.ownEnvironment)
        let (pid, start) = (app.handle.pid, app.handle.startTime)
        #expect(later.find(app.launch, identifier: bench.identifier, pid: pid, startTime: start) == nil)
        #expect(!isAlive(child))
        #expect(later.tree?.exists("org.example.Test.1") == false)
    }

    @Test
    func aChildCannotLeaveByANewSessionOrCgroup() throws {
        let bench = try Bench()
        let place = try #require(bench.processes.tree).path("org.example.Test.1")
        let app = try bench.shell(
            "mkdir \(place)/inner && setsid sh -c 'echo $$ > \(place)/inner/cgroup.procs; echo $$ > child; exec sleep 60'"
        )
        let child = try #require(Int32(try bench.await("child").dropLast()))
        #expect(bench.processes.contains(app.launch, peer(child)))
        _ = try bench.freeze(app.launch)
        try bench.processes.kill(app.launch)
        _ = try bench.exit(app.launch, app.handle)
        #expect(!isAlive(child))
        #expect(!Files.isDirectory(place))
    }

    /// A process id is not enough: the process that had it when the peer connected may be gone, and another may have it
    /// now.
    @Test
    func aReusedProcessIDIsNotTakenForThePeer() throws {
        let bench = try Bench()
        let app = try bench.start("/bin/sleep", ["60"], number: 1)
        let gone = try bench.shell("exit 0", number: 2)
        #expect(poll(gone.handle.descriptor, POLLIN))
        let pidfd = dup(gone.handle.descriptor)
        defer { close(pidfd) }
        _ = try bench.exit(gone.launch, gone.handle)
        for held in [pidfd, nil] {
            let peer = PeerProcess(pid: app.handle.pid, descriptor: held)
            #expect(!bench.processes.contains(app.launch, peer))
            #expect(bench.processes.isAppProcess(peer) == nil)
        }
        #expect(bench.processes.contains(app.launch, peer(app.handle.pid)))
        #expect(bench.processes.isAppProcess(peer(getpid())) == false)
    }

    /// An app that may write `cgroup.procs` above its cgroup can leave its cgroup, so that it only seems frozen.
    @Test
    func anAppThatHasLeftItsCgroupIsNotTakenForFrozenAndIsEnded() throws {
        let bench = try Bench()
        let tree = try #require(bench.processes.tree)
        let app = try bench.shell(
            "echo $$ > \(tree.path("org.example.Test.1"))/../cgroup.procs; echo up > up; exec sleep 60")
        _ = try bench.await("up")
        #expect(tree.processes("org.example.Test.1").isEmpty)
        #expect(!bench.processes.contains(app.launch, peer(app.handle.pid)))
        #expect(bench.processes.isAppProcess(peer(app.handle.pid)) == true)
        let error = #expect(throws: SystemError.self) { try bench.freeze(app.launch) }
        #expect(error?.reason.contains("left its cgroup") == true)
        #expect(throws: SystemError.self) { try bench.processes.freezeProgress(app.launch) }
        // Another run of the system finds the app, and can end it.
        let later = try LinuxProcesses(systemID: bench.systemID, environment: LinuxProcesses.ownEnvironment)
        let (pid, start) = (app.handle.pid, app.handle.startTime)
        #expect(later.find(app.launch, identifier: bench.identifier, pid: pid, startTime: start) != nil)
        #expect(throws: SystemError.self) { try later.freezeProgress(app.launch) }
        try later.kill(app.launch)
        #expect(try bench.exit(app.launch, app.handle) == .signaled(SIGKILL))
    }

    @Test
    func freezingAnExitedProcessIsNoFailure() throws {
        let bench = try Bench()
        let app = try bench.shell("exit 0")
        #expect(poll(app.handle.descriptor, POLLIN))
        _ = try bench.freeze(app.launch)
        #expect(try bench.exit(app.launch, app.handle) == .exited(code: 0))
    }

    @Test
    func aLaunchIsFoundWhenTheSystemHasMovedAndStraysThereAreEnded() throws {
        let bench = try Bench()
        let tree = try #require(bench.processes.tree)
        // Another place for the same system, as after a log-in elsewhere.
        let parent = tree.root + "-moved"
        try #require(mkdir(parent, 0o755) == 0)
        defer { rmdir(parent) }
        let moved = CgroupTree(root: parent + "/" + tree.name)
        try CgroupDiscovery.prepare(moved)
        defer { rmdir(moved.root) }
        let kept = try bench.start("/bin/sleep", ["60"], number: 1)
        let stray = try bench.start("/bin/sleep", ["60"], number: 2)
        let later = LinuxProcesses(tree: moved)
        let (pid, start) = (kept.handle.pid, kept.handle.startTime)
        #expect(later.find(kept.launch, identifier: bench.identifier, pid: pid, startTime: start) != nil)
        #expect(later.contains(kept.launch, peer(pid)))
        #expect(later.evidence(kept.launch)?.place == tree.path("org.example.Test.1"))
        #expect(later.removeLeftovers() == ["org.example.Test.2"])
        #expect(poll(stray.handle.descriptor, POLLIN))
        #expect(isAlive(pid))
    }

    @Test
    func aLaunchStartedWithoutCgroupsIsFoundByASystemThatHasThem() throws {
        let bench = try Bench(signals: true)
        let app = try bench.start("/bin/sleep", ["60"])
        _ = try bench.freeze(app.launch)
        let later = try LinuxProcesses(systemID: bench.systemID, environment: LinuxProcesses.ownEnvironment)
        defer { later.removeTreeIfEmpty() }
        let (pid, start) = (app.handle.pid, app.handle.startTime)
        #expect(later.find(app.launch, identifier: bench.identifier, pid: pid, startTime: start) != nil)
        #expect(later.evidence(app.launch)?.freezer == "stopped")
        try later.thaw(app.launch)
        #expect(eventually { later.evidence(app.launch)?.freezer == "running" })
    }

    @Test
    func everythingIsThawedWithoutARunningSystem() throws {
        let bench = try Bench()
        let app = try bench.start("/bin/sleep", ["60"])
        _ = try bench.freeze(app.launch)
        let thawed = LinuxProcesses.thawAll(
            systemID: bench.systemID, environment: LinuxProcesses.ownEnvironment, stopped: [])
        #expect(thawed.filter(\.wasFrozen).map(\.place) == [bench.processes.evidence(app.launch)?.place])
        #expect(eventually { bench.processes.evidence(app.launch)?.freezer == "frozen 0" })
    }

    @Test
    func theEventsDescriptorShowsPriorityWhenTheStateChanges() throws {
        let bench = try Bench()
        let app = try bench.start("/bin/sleep", ["60"])
        let enclosure = try CgroupEnclosure(tree: #require(bench.processes.tree), name: "org.example.Test.1")
        let watch = try #require(enclosure.watch)
        #expect(try !enclosure.isFrozen())
        let seen = try enclosure.freeze(first: app.handle.descriptor, looks: 0, pause: .zero)
        #expect(seen.isFrozen || poll(watch, POLLPRI))
        #expect(eventually { (try? enclosure.isFrozen()) == true })
        try bench.processes.thaw(app.launch)
        #expect(poll(watch, POLLPRI))
    }

    @Test
    func theFirstProcessIsSeenInItsCgroupAndAnotherIsNot() throws {
        let bench = try Bench()
        let (app, other) = (try bench.start("/bin/sleep", ["60"]), try bench.start("/bin/sleep", ["60"], number: 2))
        let enclosure = try CgroupEnclosure(tree: #require(bench.processes.tree), name: "org.example.Test.1")
        let seen = try enclosure.freeze(first: app.handle.descriptor, looks: 50, pause: .milliseconds(100))
        let stranger = try enclosure.freeze(first: other.handle.descriptor, looks: 50, pause: .milliseconds(100))
        #expect(seen.isFrozen && stranger.isFrozen && !stranger.showsFirst)
        // Kernels that do not report a process's cgroup: the code looks for the first process in the list.
        let release = try #require(Files.text("/proc/sys/kernel/osrelease"))
        let version = release.split(separator: ".").prefix(2).compactMap { Int($0) }
        #expect(seen.showsFirst == !version.lexicographicallyPrecedes([6, 13]))
    }
}
