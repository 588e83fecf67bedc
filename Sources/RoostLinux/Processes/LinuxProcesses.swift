internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Real processes: each launch born in a cgroup of its own, held by a pidfd, frozen by `cgroup.freeze`; where no
/// cgroup may be written, frozen by SIGSTOP.
///
/// For one thread only, the loop's. It decides nothing: it does what it is asked and says what came of it.
public final class LinuxProcesses: ProcessControl {
    private final class Launch {
        let handle: ProcessHandle
        let enclosure: any Enclosure
        /// What its cgroups are called, in the tree and in the v1 hierarchies.
        let name: String
        /// Its share of the processor, as last set.
        var priority = ProcessPriority.background
        /// Whether its processes are the first to go when memory runs out.
        var isFirstToGo = false

        init(handle: ProcessHandle, enclosure: any Enclosure, name: String) {
            self.handle = handle
            self.enclosure = enclosure
            self.name = name
        }
    }

    /// How often, and how long each time, a freeze or an exit is waited for: the kernel is mostly done within 50 µs,
    /// while its notification comes up to 10 ms late, and a longer spin would keep the app off its processor.
    private static let quickLooks: Int32 = 4
    private static let quickLook = Nanoseconds.microseconds(100)
    /// How long `collect` waits for what an app left behind to die.
    private static let patience = Nanoseconds.milliseconds(50)

    /// The system's cgroups; nil where signals stand in for them.
    let tree: CgroupTree?
    /// Why signals have to stand in for cgroups; nil where they need not. `roost up` says so.
    public let limitation: SystemError?

    /// Why controllers that are to be had in the place could not be switched on for apps. `roost up` says so.
    public let refusedControllers: [SystemError]

    /// The soft limit of open files that apps get where their specification has none; nil for our own.
    public var openFilesOfApps: UInt64?
    /// What confines the apps whose specification says so.
    public var sandbox = Sandbox.none

    /// Who reaps the processes started from now on, as their parent; nil where they are our own children.
    public var exits: (any ExitRecords)?

    /// The v1 cgroups beside the tree.
    let groups: LegacyGroups
    private let priority: Priority
    /// Tells the kernel what is not urgent, one thing after the other.
    private let worker: WorkerThread?
    private var launches = LaunchTable<Launch>()
    /// Shows others that this system runs.
    private var hold: TreeHold?
    /// How launches ended that were looked for in vain.
    private var endedBefore: [LaunchID: ExitStatus] = [:]
    /// Cgroups whose last processes would not die in time; tried again at each start and collection.
    private var undissolved: [CgroupEnclosure] = []
    /// Names of v1 cgroups that still held a process.
    private var unremoved: [String] = []

    /// Looks for a place where the cgroups of the system `systemID` may live, and makes its directory there.
    ///
    /// `environment` is what `ROOST_CGROUP` is looked up in, the directory under which to make it (a subtree owned
    /// by an ordinary user, say). Throws where that is given and does not serve; with nothing given a machine
    /// without writable cgroups is served by SIGSTOP, and `limitation` says why. Unless it is only to look, it switches
    /// the controllers on that apps are weighed and limited by.
    public init(
        systemID: String, environment: [String: String], isOnlyToLook: Bool = false
    ) throws(SystemError) {
        let discovery = CgroupDiscovery(environment: environment)
        do throws(SystemError) {
            tree = try discovery.tree(systemID: systemID)
            limitation = nil
        } catch {
            guard discovery.named == nil else { throw error }
            tree = nil
            limitation = error
        }
        refusedControllers = isOnlyToLook ? [] : tree?.enableControllers() ?? []
        groups = LegacyGroups(systemID: systemID, mountInfo: Files.text("/proc/self/mountinfo") ?? "")
        worker = isOnlyToLook ? nil : try WorkerThread("priority")
        priority = Priority(tree: tree, groups: groups, worker: worker)
        if !isOnlyToLook { hold = tree.flatMap { TreeHold(running: $0.root) } }
    }

    /// With this tree, or with signals for nil: for tests.
    init(tree: CgroupTree?, limitation: SystemError? = nil, groups: LegacyGroups = LegacyGroups()) {
        self.tree = tree
        self.limitation = limitation
        refusedControllers = []
        self.groups = groups
        worker = try? WorkerThread("priority")
        priority = Priority(tree: tree, groups: groups, worker: worker)
    }

    deinit {
        for launch in launches.values { close(launch.handle.descriptor) }
    }

    /// One that freezes by SIGSTOP even where cgroups are to be had.
    public static func usingSignals() -> LinuxProcesses { LinuxProcesses(tree: nil) }

    // MARK: Coming and going

    /// Starts a launch. Returns when its program runs, which takes a millisecond or so.
    ///
    /// Throws with the `errno` of what failed: `ENOENT`, `EACCES` and `ENOEXEC` are the executable's own.
    public func start(_ specification: LaunchSpecification) throws(SystemError) -> ProcessHandle {
        try start(specification, passing: nil)
    }

    /// Starts a launch that finds `descriptor`, which stays the caller's, as its descriptor 3.
    public func start(
        _ specification: LaunchSpecification, passing descriptor: Int32?
    ) throws(SystemError) -> ProcessHandle {
        retryDissolving()
        guard launches[specification.launch] == nil else {
            throw SystemError(
                doing: "start an app", subject: "launch \(specification.launch)", errno: EEXIST,
                reason: "it runs already")
        }
        let name = CgroupEnclosure.name(specification.identifier, specification.launch)
        do throws(SystemError) {
            return try start(specification, name: name, passing: descriptor)
        } catch {
            removeGroups(name)
            throw error
        }
    }

    private func start(
        _ specification: LaunchSpecification, name: String, passing descriptor: Int32?
    ) throws(SystemError) -> ProcessHandle {
        let bounds = try Bounds(specification, sandbox: sandbox, groups: groups.make(name))
        let process = ProcessStart(
            specification: specification, passed: descriptor, openFiles: openFilesOfApps, isSibling: exits != nil,
            bounds: bounds)
        if let most = specification.limits?.processes, let knob = groups.knob("pids", "pids.max", of: name) {
            guard Files.write("\(most)", to: knob) else { throw .now("limit the processes of an app", knob) }
        }
        guard let tree else {
            let started = try process.run(cgroup: nil)
            let freezer = SignalFreezer(leader: started.pid, pidfd: started.pidfd)
            return hold(specification.launch, started.pid, started.pidfd, freezer, name: name)
        }
        try makeEmpty(name, in: tree)
        do throws(SystemError) {
            let enclosure = try CgroupEnclosure(tree: tree, name: name)
            if let most = specification.limits?.processes, tree.has(.processLimit, of: name) {
                try tree.write("\(most)", to: .processLimit, of: name)
            }
            let directory = try tree.openDirectory(name)
            defer { close(directory) }
            let started = try process.run(cgroup: directory)
            return hold(specification.launch, started.pid, started.pidfd, enclosure, name: name)
        } catch {
            if !tree.dissolve(name, patience: Self.patience), let rest = try? CgroupEnclosure(tree: tree, name: name) {
                undissolved.append(rest)
            }
            throw error
        }
    }

    /// Makes a launch's cgroup. One of that name that is there was left by a launch nobody knows any more.
    private func makeEmpty(_ name: String, in tree: CgroupTree) throws(SystemError) {
        do throws(SystemError) {
            try tree.make(name)
        } catch {
            switch error.errno {
            case EEXIST: _ = tree.dissolve(name, patience: Self.patience)
            // The system's own directory was removed under us, by a tidy administrator perhaps.
            case ENOENT:
                try tree.make("")
                hold = TreeHold(running: tree.root)
            default: throw error
            }
            try tree.make(name)
        }
    }

    private func hold(
        _ launch: LaunchID, _ pid: Int32, _ pidfd: Int32, _ enclosure: any Enclosure, name: String
    ) -> ProcessHandle {
        let handle = ProcessHandle(pid: pid, descriptor: pidfd, startTime: startTime(of: pid, pidfd))
        launches.insert(Launch(handle: handle, enclosure: enclosure, name: name), for: launch)
        return handle
    }

    /// When a process of ours started. As long as it was not reaped, /proc shows this very process; where the guardian
    /// has reaped it already, nobody else can have ended with its number since.
    private func startTime(of pid: Int32, _ pidfd: Int32) -> UInt64 {
        let stat = ProcStat(pid: pid)
        if let stat, croost_pidfd_send_signal(pidfd, 0) != ESRCH { return stat.startTime }
        return exits?.startTimeOfLast(pid: pid) ?? 0
    }

    /// Takes back a launch that an earlier run of the system started, frozen or not.
    ///
    /// The pidfd is opened first and the process looked at afterwards: what matches then is what the pidfd holds.
    /// Where the process is gone, what it left in its cgroup is ended and the cgroup removed.
    public func find(
        _ launch: LaunchID, identifier: BundleIdentifier, pid: Int32, startTime: UInt64
    ) -> ProcessHandle? {
        if let held = launches[launch] { return held.handle.startTime == startTime ? held.handle : nil }
        let name = CgroupEnclosure.name(identifier, launch)
        var pidfd: Int32 = -1
        if croost_pidfd_open(pid, &pidfd) == 0 {
            if let stat = ProcStat(pid: pid), stat.startTime == startTime,
                let enclosure = enclosure(of: pid, pidfd: pidfd, stat, name: name)
            {
                return hold(launch, pid, pidfd, enclosure, name: name)
            }
            close(pidfd)
        }
        if let tree, tree.exists(name), let rest = try? CgroupEnclosure(tree: tree, name: name) { dissolve(rest) }
        removeGroups(name)
        endedBefore[launch] = exits?.exitStatus(pid: pid, startTime: startTime)
        return nil
    }

    /// What encloses a process that is said to be a launch's first; nil if it is not where such a process would be.
    private func enclosure(of pid: Int32, pidfd: Int32, _ stat: ProcStat, name: String) -> (any Enclosure)? {
        let signals = SignalFreezer(leader: pid, pidfd: pidfd)
        guard let tree else { return stat.session == pid ? signals : nil }
        let usual = try? CgroupEnclosure(tree: tree, name: name)
        // A zombie is in no cgroup any more, but has an exit to collect.
        if stat.isDead { return usual ?? signals }
        // A session leader that has left its cgroup is held all the same: it will not freeze, but it can be ended.
        if let usual, usual.contains(pid) || stat.session == pid { return usual }
        guard let path = Proc.cgroup(of: pid) else { return nil }
        // The last run may have had no cgroups to put it in.
        if usual == nil, stat.session == pid, !path.contains("/" + CgroupTree.prefix) { return signals }
        return elsewhere(path, name: name).flatMap { $0.contains(pid) ? $0 : nil }
    }

    /// The launch's cgroup if `path`, of the unified hierarchy, is one of this system's directories in another place:
    /// the last run may have been started elsewhere.
    private func elsewhere(_ path: String, name: String) -> CgroupEnclosure? {
        guard let tree, path.hasSuffix("/" + tree.name + "/" + name),
            let root = CgroupDiscovery(environment: [:]).directory(of: String(path.dropLast(name.utf8.count + 1)))
        else { return nil }
        return try? CgroupEnclosure(tree: CgroupTree(root: root), name: name)
    }

    /// Collects the exit of a launch whose pidfd is readable, ends what it left behind, closes the pidfd and forgets
    /// the launch. For a launch that is not held, how it ended before it was looked for; `.unknown` if it was not.
    public func collect(_ launch: LaunchID) -> ExitStatus {
        retryDissolving()
        guard let held = launches.remove(launch) else {
            return endedBefore.removeValue(forKey: launch) ?? .unknown
        }
        // Last: a zombie is still in its cgroups.
        defer { removeGroups(held.name) }
        defer { close(held.handle.descriptor) }
        // Before the reaping: until then nobody else can have the first process' number, or its session's.
        dissolve(held.enclosure)
        var exit = croost_exit()
        switch croost_pidfd_wait(held.handle.descriptor, &exit) {
        case 0: return ExitStatus(exit)
        case ECHILD:
            let told = exits?.exitStatus(pid: held.handle.pid, startTime: held.handle.startTime) ?? .unknown
            if told != .unknown { return told }
            return Proc.exitOfStranger(
                pid: held.handle.pid, startTime: held.handle.startTime, pidfd: held.handle.descriptor)
        default: return .unknown
        }
    }

    /// How many processes a launch has besides its first.
    public func left(of launch: LaunchID) -> Int {
        guard let held = launches[launch] else { return 0 }
        return held.enclosure.processes().count { $0 != held.handle.pid && ProcStat(pid: $0)?.isDead == false }
    }

    private func dissolve(_ enclosure: any Enclosure) {
        // A session is let go: the pidfd that tells whether it still is the launch's is about to be closed.
        if !enclosure.dissolve(patience: Self.patience), let cgroup = enclosure as? CgroupEnclosure {
            undissolved.append(cgroup)
        }
    }

    private func removeGroups(_ name: String) {
        if !groups.remove(name) { unremoved.append(name) }
    }

    private func retryDissolving() {
        undissolved.removeAll { $0.dissolve(patience: .zero) }
        unremoved.removeAll { groups.remove($0) }
    }

    // MARK: Freezing and ending

    /// Asks the kernel to freeze a launch, and looks a few times, 100 µs apart, whether it has.
    ///
    /// Throws `ESRCH` for a launch that is not held, and `ENOENT` for one whose first process has left its cgroup.
    public func freeze(_ launch: LaunchID) throws(SystemError) -> FreezeProgress {
        let held = try self.held(launch, "freeze an app")
        let seen = try held.enclosure.freeze(
            first: held.handle.descriptor, looks: Self.quickLooks, pause: Self.quickLook)
        if seen.isFrozen, seen.showsFirst {
            rank(held, isSuspended: true)
            return .frozen
        }
        return try progress(of: held, isFrozen: seen.isFrozen)
    }

    /// Says how likely the kernel is to end a launch when no memory is left. The worker does it, since it takes several times
    /// as long as a freeze.
    private func rank(_ held: Launch, isSuspended: Bool) {
        guard held.isFirstToGo != isSuspended else { return }
        held.isFirstToGo = isSuspended
        rank(held)
    }

    private func rank(_ held: Launch) {
        let wanted = held.isFirstToGo ? OutOfMemoryScore.suspended : OutOfMemoryScore.of(held.priority)
        let score = max(wanted, OutOfMemoryScore.lowest)
        let processList = held.enclosure.processList
        worker?.post { for pid in processList() { OutOfMemoryScore.set(score, of: pid) } }
    }

    /// The descriptor that shows EPOLLPRI when something else than `thaw` may have let a frozen launch run, which
    /// `freezeProgress` then tells; nil where nothing shows that.
    public func thawWatch(of launch: LaunchID) -> Int32? { launches[launch]?.enclosure.watch }

    /// Looks once more at a launch asked to freeze. Throws as `freeze` does.
    public func freezeProgress(_ launch: LaunchID) throws(SystemError) -> FreezeProgress {
        let held = try held(launch, "look at a freezing app")
        return try progress(of: held, isFrozen: try held.enclosure.isFrozen())
    }

    /// A cgroup without processes counts as frozen, so the first process must be seen in it: an app that may write
    /// `cgroup.procs` above it could have left. One that has exited stands still wherever it was.
    private func progress(of held: Launch, isFrozen: Bool) throws(SystemError) -> FreezeProgress {
        guard isFrozen else {
            return .pending(watch: held.enclosure.watch, lookAgainAfter: .milliseconds(10))
        }
        guard
            held.enclosure.contains(held.handle.pid)
                || croost_wait_for(held.handle.descriptor, Int16(POLLIN), 0) == 0
        else {
            throw SystemError(
                doing: "freeze an app", subject: "process \(held.handle.pid)", errno: ENOENT,
                reason: "it has left its cgroup, \(held.enclosure.place)")
        }
        rank(held, isSuspended: true)
        return .frozen
    }

    /// The memory a launch holds, by the kernel's own count where its cgroup has one, else the sum of what is
    /// proportionally its processes' (T15).
    public func footprint(of launch: LaunchID) -> (@Sendable () -> Int64)? {
        guard let held = launches[launch] else { return nil }
        if let charged = charged(held) { return { charged } }
        let processes = held.enclosure.processes()
        return { Footprint.bytes(of: processes) }
    }

    /// Lets a launch run again. Throws `ESRCH` for a launch that is not held.
    public func thaw(_ launch: LaunchID) throws(SystemError) {
        let held = try held(launch, "thaw an app")
        try held.enclosure.thaw()
        rank(held, isSuspended: false)
    }

    /// Gives a launch its share of the processor and the disks. Throws `ESRCH` for a launch that is not held.
    public func setPriority(_ launch: LaunchID, _ priority: ProcessPriority) throws(SystemError) {
        let held = try held(launch, "set the priority of an app")
        held.priority = priority
        rank(held)
        try self.priority.set(priority, name: held.name, enclosure: held.enclosure)
    }

    /// Sends SIGTERM to a launch's first process; one that has exited already is no error. A frozen one gets it when
    /// it is thawed. Throws `ESRCH` for a launch that is not held.
    public func requestExit(_ launch: LaunchID) throws(SystemError) {
        let handle = try held(launch, "ask an app to exit").handle
        let code = croost_pidfd_send_signal(handle.descriptor, SIGTERM)
        guard code == 0 || code == ESRCH else {
            throw SystemError(doing: "ask an app to exit", subject: "process \(handle.pid)", errno: code)
        }
    }

    /// Ends every process of a launch at once, frozen or not, and its first process wherever that has gone. Throws
    /// `ESRCH` for a launch that is not held.
    public func kill(_ launch: LaunchID) throws(SystemError) {
        let held = try held(launch, "end an app")
        // Also where the cgroup can't be reached any more.
        defer { _ = croost_pidfd_send_signal(held.handle.descriptor, SIGKILL) }
        try held.enclosure.kill()
    }

    private func held(_ launch: LaunchID, _ doing: String) throws(SystemError) -> Launch {
        guard let held = launches[launch] else {
            throw SystemError(doing: doing, subject: "launch \(launch)", errno: ESRCH, reason: "it has no process")
        }
        return held
    }

    // MARK: What the kernel says

    /// Whether a process is in the launch's cgroup, or in one the app made below it; where signals stand in, whether
    /// it is of the launch's session.
    public func contains(_ launch: LaunchID, _ peer: PeerProcess) -> Bool {
        peer.pid > 0 && launches[launch]?.enclosure.contains(peer.pid) ?? false && isThere(peer)
    }

    /// Whether the process has not been reaped: until then its number is nobody else's.
    private func isThere(_ peer: PeerProcess) -> Bool {
        peer.descriptor.map { croost_pidfd_send_signal($0, 0) != ESRCH } ?? false
    }

    /// Whether a process is an app's: in this system's cgroups, wherever in the hierarchy they are, or in a session
    /// that a launch leads, which is all there is to go by where signals stand in.
    public func isAppProcess(_ peer: PeerProcess) -> Bool? {
        guard let isApps = isAppProcess(pid: peer.pid), isThere(peer) else { return nil }
        return isApps
    }

    private func isAppProcess(pid: Int32) -> Bool? {
        guard pid > 0, let stat = ProcStat(pid: pid), !stat.isDead else { return nil }
        if launches.values.contains(where: { $0.handle.pid == stat.session }) { return true }
        guard let tree else { return false }
        // In the system's own directory there is none of ours: whoever is there came from a launch's.
        return Proc.cgroup(of: pid).map { $0.split(separator: "/").contains { $0 == tree.name } }
    }

    /// The kernel's own word on a launch; nil for a launch that is not held.
    public func evidence(_ launch: LaunchID) -> KernelEvidence? {
        guard let held = launches[launch] else { return nil }
        let enclosure = held.enclosure
        let processes = enclosure.processes()
        return KernelEvidence(
            freezer: enclosure.freezerText(), isPopulated: enclosure.isPopulated(),
            memory: processes.isEmpty ? nil : charged(held) ?? Footprint.estimate(of: processes),
            processorTime: enclosure.processorTime(), place: enclosure.place,
            priority: priority.text(name: held.name, processes: processes))
    }

    /// What its cgroup is charged with; nil where the kernel does not count that.
    private func charged(_ held: Launch) -> Int64? {
        held.enclosure is CgroupEnclosure ? tree?.number(.memory, of: held.name) : nil
    }

    // MARK: Tidying up

    /// At the system's start, when all known launches have been found: ends and removes every cgroup under any
    /// directory `roost-<id>` of this system that no launch held here has, and gives their names.
    ///
    /// An earlier run may have been started elsewhere in the hierarchy, so all of it is searched. With SIGSTOP there
    /// is nothing to know leftovers by, and none is ever found.
    @discardableResult
    public func removeLeftovers() -> [String] {
        guard let tree else {
            groups.removeAll(except: Set(launches.values.map(\.name)))
            return []
        }
        let known = Set(launches.values.compactMap { FileIdentity($0.enclosure.place) })
        let others = Self.systems(environment: [:]).filter { other in
            other.name == tree.name && FileIdentity(other.root) != FileIdentity(tree.root)
        }
        var removed: [String] = []
        for tree in [tree] + others {
            for name in tree.children("") {
                guard let identity = FileIdentity(tree.path(name)), !known.contains(identity),
                    let stray = try? CgroupEnclosure(tree: tree, name: name)
                else { continue }
                dissolve(stray)
                removed.append(name)
            }
        }
        // Stays, rightly, while any launch lives in it.
        for other in others { rmdir(other.root) }
        groups.removeAll(except: Set(launches.values.map(\.name)))
        return removed
    }

    /// At the system's end: removes its own directory if no launch is left in it.
    public func removeTreeIfEmpty() {
        retryDissolving()
        // The dead are in their v1 cgroups until they are reaped, which may be for the guardian to do.
        let end = croost_monotonic() + Self.patience.rawValue
        while !unremoved.isEmpty, croost_monotonic() < end {
            _ = croost_wait_for(-1, 0, 200_000)
            retryDissolving()
        }
        groups.removeRoots()
        if let tree { rmdir(tree.root) }
    }
}
