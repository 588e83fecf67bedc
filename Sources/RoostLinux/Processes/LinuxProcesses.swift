internal import CRoost
internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Real processes. Each launch starts in its own cgroup, is held by a pidfd, and is frozen by `cgroup.freeze`. If no
/// cgroup is writable, it is frozen by SIGSTOP.
///
/// Used on the loop's thread only. This adapter decides nothing: it performs each request and reports the result.
public final class LinuxProcesses: ProcessControl {
    private final class Launch {
        let handle: ProcessHandle
        let enclosure: any Enclosure
        /// The name of its cgroups, in the tree and in the v1 hierarchies.
        let name: String
        /// Its priority, as last set.
        var priority = ProcessPriority.background
        /// Whether the kernel kills its processes first when memory runs out.
        var isFirstToGo = false

        init(handle: ProcessHandle, enclosure: any Enclosure, name: String) {
            self.handle = handle
            self.enclosure = enclosure
            self.name = name
        }
    }

    /// How often `freeze` checks, and how long it waits in between. The kernel is mostly done within 50 µs, but notifies
    /// up to 10 ms late. A longer wait would keep the app off its processor.
    private static let quickLooks: Int32 = 4
    private static let quickLook = Nanoseconds.microseconds(100)
    /// How long `collect` waits for remaining processes to exit.
    private static let patience = Nanoseconds.milliseconds(50)

    /// The system's cgroups; nil if signals replace them.
    let tree: CgroupTree?
    /// Why signals replace cgroups; nil if cgroups are used. `roost up` reports it.
    public let limitation: SystemError?

    /// Why available controllers could not be enabled for apps. `roost up` reports it.
    public let refusedControllers: [SystemError]

    /// The soft limit of open files for apps whose specification sets none; nil for our own limit.
    public var openFilesOfApps: UInt64?
    /// The sandbox for apps whose specification asks for confinement.
    public var sandbox = Sandbox.none

    /// The guardian's records, if it is to be the parent of new processes and reap them; nil if we are their parent.
    public var exits: (any ExitRecords)?

    /// The v1 cgroups in addition to the tree.
    let groups: LegacyGroups
    private let priority: Priority
    /// Runs kernel requests that are not urgent, one after the other.
    private let worker: WorkerThread?
    private var launches = LaunchTable<Launch>()
    /// Shows other programs that this system runs.
    private var hold: TreeHold?
    /// The exit status of launches that `find` did not find.
    private var endedBefore: [LaunchID: ExitStatus] = [:]
    /// Cgroups whose last processes did not exit in time.
    private var undissolved: [CgroupEnclosure] = []
    /// Names of v1 cgroups that still held a process.
    private var unremoved: [String] = []

    /// Finds a place for the cgroups of the system `systemID`, and creates its directory there.
    ///
    /// If `environment` has `ROOST_CGROUP`, the directory is created below that path, for example in a subtree that an
    /// ordinary user owns. Throws if that path is unusable. Without `ROOST_CGROUP`, a machine without writable cgroups
    /// uses SIGSTOP, and `limitation` says why.
    ///
    /// Also enables the controllers for weights and limits, unless `isOnlyToLook`.
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

    /// Processes with this tree, or with signals if `tree` is nil; for tests.
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

    /// Processes that are frozen by SIGSTOP even if cgroups are available.
    public static func usingSignals() -> LinuxProcesses { LinuxProcesses(tree: nil) }

    // MARK: Start and end

    /// Starts a launch. Returns when its program runs, which takes about a millisecond.
    ///
    /// Throws the `errno` of the step that failed: `ENOENT`, `EACCES` and `ENOEXEC` concern the executable itself.
    public func start(_ specification: LaunchSpecification) throws(SystemError) -> ProcessHandle {
        try start(specification, passing: nil)
    }

    /// Starts a launch with a copy of `descriptor` as its descriptor 3. The caller keeps `descriptor`.
    public func start(
        _ specification: LaunchSpecification, passing descriptor: Int32?
    ) throws(SystemError) -> ProcessHandle {
        finishCollecting()
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

    /// Creates a launch's cgroup. An existing cgroup of that name belongs to a forgotten launch and is removed first.
    private func makeEmpty(_ name: String, in tree: CgroupTree) throws(SystemError) {
        do throws(SystemError) {
            try tree.make(name)
        } catch {
            switch error.errno {
            case EEXIST: _ = tree.dissolve(name, patience: Self.patience)
            // The system's own directory is gone, perhaps because an administrator removed it.
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

    /// When a process of ours started. Until it is reaped, /proc shows this very process. If the guardian has already
    /// reaped it, no other process with this pid can have ended since.
    private func startTime(of pid: Int32, _ pidfd: Int32) -> UInt64 {
        let stat = ProcStat(pid: pid)
        if let stat, croost_pidfd_send_signal(pidfd, 0) != ESRCH { return stat.startTime }
        return exits?.startTimeOfLast(pid: pid) ?? 0
    }

    /// Finds a launch that an earlier run of the system started, frozen or not.
    ///
    /// The pidfd is opened before the process is checked, so a match is about the process that the pidfd holds. If the
    /// process is gone, the processes left in its cgroup are killed and the cgroup is removed.
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

    /// The enclosure of a process that is said to be a launch's first process; nil if no enclosure of the launch
    /// contains the process.
    private func enclosure(of pid: Int32, pidfd: Int32, _ stat: ProcStat, name: String) -> (any Enclosure)? {
        let signals = SignalFreezer(leader: pid, pidfd: pidfd)
        guard let tree else { return stat.session == pid ? signals : nil }
        let usual = try? CgroupEnclosure(tree: tree, name: name)
        // A zombie is in no cgroup any longer, but has an exit status to collect.
        if stat.isDead { return usual ?? signals }
        // A session leader that has left its cgroup is held, too: it cannot be frozen, but it can be killed.
        if let usual, usual.contains(pid) || stat.session == pid { return usual }
        guard let path = Proc.cgroup(of: pid) else { return nil }
        // The last run may have had no cgroups.
        if usual == nil, stat.session == pid, !path.contains("/" + CgroupTree.prefix) { return signals }
        return elsewhere(path, name: name).flatMap { $0.contains(pid) ? $0 : nil }
    }

    /// The launch's cgroup, if `path` in the unified hierarchy is a directory of this system in another place. The last
    /// run may have been started elsewhere.
    private func elsewhere(_ path: String, name: String) -> CgroupEnclosure? {
        guard let tree, path.hasSuffix("/" + tree.name + "/" + name),
            let root = CgroupDiscovery(environment: [:]).directory(of: String(path.dropLast(name.utf8.count + 1)))
        else { return nil }
        return try? CgroupEnclosure(tree: CgroupTree(root: root), name: name)
    }

    /// Collects the exit status of a launch whose pidfd is readable, kills its remaining processes, closes the pidfd
    /// and forgets the launch.
    ///
    /// For a launch that `find` did not find, it returns how the launch ended; for any other launch, `.unknown`.
    public func collect(_ launch: LaunchID) -> ExitStatus {
        guard let held = launches.remove(launch) else {
            return endedBefore.removeValue(forKey: launch) ?? .unknown
        }
        // Last: a zombie is still in its cgroups.
        defer { removeGroups(held.name) }
        defer { close(held.handle.descriptor) }
        // Before reaping: until then no other process can have the first one's pid or session id.
        dissolve(held.enclosure)
        var exit = croost_exit()
        switch croost_pidfd_wait(held.handle.descriptor, &exit) {
        case 0: return ExitStatus(exit)
        case ECHILD:
            let reported = exits?.exitStatus(pid: held.handle.pid, startTime: held.handle.startTime) ?? .unknown
            if reported != .unknown { return reported }
            return Proc.exitOfStranger(
                pid: held.handle.pid, startTime: held.handle.startTime, pidfd: held.handle.descriptor)
        default: return .unknown
        }
    }

    /// The number of a launch's processes apart from its first process.
    public func left(of launch: LaunchID) -> Int {
        guard let held = launches[launch] else { return 0 }
        return held.enclosure.processes().count { $0 != held.handle.pid && ProcStat(pid: $0)?.isDead == false }
    }

    private func dissolve(_ enclosure: any Enclosure) {
        // A session is not retried: without the pidfd, we cannot know whether it still belongs to the launch.
        if !enclosure.dissolve(patience: Self.patience), let cgroup = enclosure as? CgroupEnclosure {
            undissolved.append(cgroup)
        }
    }

    private func removeGroups(_ name: String) {
        if !groups.remove(name) { unremoved.append(name) }
    }

    /// Tries again to remove the cgroups whose last processes did not exit in time. Returns whether some are left.
    @discardableResult public func finishCollecting() -> Bool {
        undissolved.removeAll { $0.dissolve(patience: .zero) }
        unremoved.removeAll { groups.remove($0) }
        return !undissolved.isEmpty || !unremoved.isEmpty
    }

    // MARK: Freezing and killing

    /// Asks the kernel to freeze a launch, and checks a few times, 100 µs apart, whether it is frozen.
    ///
    /// Throws `ESRCH` for a launch that is not held, and `ENOENT` if its first process has left its cgroup.
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

    /// Sets how early the kernel kills a launch when memory runs out. The worker does this, because it takes several
    /// times as long as a freeze.
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

    /// The descriptor that shows EPOLLPRI when anything other than `thaw` may have thawed a frozen launch; nil if this
    /// cannot be watched. After EPOLLPRI, `freezeProgress` says whether the launch is still frozen.
    public func thawWatch(of launch: LaunchID) -> Int32? { launches[launch]?.enclosure.watch }

    /// Checks again whether a launch is frozen. Throws like `freeze`.
    public func freezeProgress(_ launch: LaunchID) throws(SystemError) -> FreezeProgress {
        let held = try held(launch, "check whether an app is frozen")
        return try progress(of: held, isFrozen: try held.enclosure.isFrozen())
    }

    /// A cgroup without processes counts as frozen, so the first process must be seen in it. An app that may write
    /// `cgroup.procs` in a cgroup above could have left. If the first process has exited, its place does not matter.
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

    /// A function that measures the memory of a launch (T15): the cgroup's memory counter if there is one, otherwise
    /// the sum of its processes' PSS. Nil for a launch that is not held.
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

    /// Sets a launch's share of the processor and the disks. Throws `ESRCH` for a launch that is not held.
    public func setPriority(_ launch: LaunchID, _ priority: ProcessPriority) throws(SystemError) {
        let held = try held(launch, "set the priority of an app")
        held.priority = priority
        rank(held)
        try self.priority.set(priority, name: held.name, enclosure: held.enclosure)
    }

    /// Sends SIGTERM to a launch's first process. It is no error if the process has exited. A frozen process receives
    /// the signal when it is thawed. Throws `ESRCH` for a launch that is not held.
    public func requestExit(_ launch: LaunchID) throws(SystemError) {
        let handle = try held(launch, "ask an app to exit").handle
        let code = croost_pidfd_send_signal(handle.descriptor, SIGTERM)
        guard code == 0 || code == ESRCH else {
            throw SystemError(doing: "ask an app to exit", subject: "process \(handle.pid)", errno: code)
        }
    }

    /// Kills every process of a launch at once, frozen or not, and its first process even outside the cgroup. Throws
    /// `ESRCH` for a launch that is not held.
    public func kill(_ launch: LaunchID) throws(SystemError) {
        let held = try held(launch, "kill an app")
        // Also if the cgroup can no longer be reached.
        defer { _ = croost_pidfd_send_signal(held.handle.descriptor, SIGKILL) }
        try held.enclosure.kill()
    }

    private func held(_ launch: LaunchID, _ doing: String) throws(SystemError) -> Launch {
        guard let held = launches[launch] else {
            throw SystemError(doing: doing, subject: "launch \(launch)", errno: ESRCH, reason: "it has no process")
        }
        return held
    }

    // MARK: Kernel state

    /// Whether a process is in the launch's cgroup, or in a cgroup that the app created below it. If signals replace
    /// cgroups, whether it is in the launch's session.
    public func contains(_ launch: LaunchID, _ peer: PeerProcess) -> Bool {
        peer.pid > 0 && launches[launch]?.enclosure.contains(peer.pid) ?? false && isThere(peer)
    }

    /// Whether the process has not been reaped. Until then, its pid is not reused.
    private func isThere(_ peer: PeerProcess) -> Bool {
        peer.descriptor.map { croost_pidfd_send_signal($0, 0) != ESRCH } ?? false
    }

    /// Whether a process belongs to an app. A process of an app is in one of this system's cgroups, anywhere in the
    /// hierarchy, or in a session that a launch leads. If signals replace cgroups, only the session counts.
    public func isAppProcess(_ peer: PeerProcess) -> Bool? {
        guard let isApps = isAppProcess(pid: peer.pid), isThere(peer) else { return nil }
        return isApps
    }

    private func isAppProcess(pid: Int32) -> Bool? {
        guard pid > 0, let stat = ProcStat(pid: pid), !stat.isDead else { return nil }
        if launches.values.contains(where: { $0.handle.pid == stat.session }) { return true }
        guard let tree else { return false }
        // The system's own processes are never in its directory. A process there has left the cgroup of a launch.
        return Proc.cgroup(of: pid).map { $0.split(separator: "/").contains { $0 == tree.name } }
    }

    /// The kernel's view of a launch; nil for a launch that is not held.
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

    /// The memory charged to its cgroup, in bytes; nil if the kernel does not count it.
    private func charged(_ held: Launch) -> Int64? {
        held.enclosure is CgroupEnclosure ? tree?.number(.memory, of: held.name) : nil
    }

    // MARK: Cleanup

    /// Kills and removes every cgroup of this system that belongs to no launch held here, and returns their names. Call
    /// it at the system's start, after `find` was called for all known launches.
    ///
    /// An earlier run may have been started elsewhere, so the whole hierarchy is searched. With SIGSTOP, leftovers
    /// cannot be recognized, and none are found.
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
        // This fails, as it should, while a launch lives in it.
        for other in others { rmdir(other.root) }
        groups.removeAll(except: Set(launches.values.map(\.name)))
        return removed
    }

    /// Removes the system's own directory at its end, if no launch is left in it.
    public func removeTreeIfEmpty() {
        finishCollecting()
        // Dead processes stay in their v1 cgroups until they are reaped, perhaps by the guardian.
        let end = croost_monotonic() + Self.patience.rawValue
        while !unremoved.isEmpty, croost_monotonic() < end {
            _ = croost_wait_for(-1, 0, 200_000)
            finishCollecting()
        }
        groups.removeRoots()
        if let tree { rmdir(tree.root) }
    }
}
