internal import Glibc
internal import RoostPorts
internal import Synchronization

/// The niceness of sessions. With `sched_autogroup` the scheduler shares the processor out among sessions first, so that
/// the niceness of a process means nothing to other sessions, and that of the session is what counts.
///
/// Each launch is a session of its own. Its owner may lower and raise it between 0 and 19 without privileges, but only
/// once in 100 ms over the whole machine: what the kernel puts off is written by another thread.
struct SessionNiceness {
    private let later: LaterWrites

    /// The worker does what the kernel puts off; nil where nothing is to be written.
    init(worker: WorkerThread?) { later = LaterWrites(worker: worker) }

    /// Whether the kernel shares the processor out among sessions.
    static var isOn: Bool { Files.text("/proc/sys/kernel/sched_autogroup_enabled")?.hasPrefix("1") == true }

    /// Whether a process is in a session's group: the feature is on, and no cgroup has a share for it.
    static func counts(for pid: Int32) -> Bool {
        guard isOn, let cgroups = Files.text("/proc/\(pid)/cgroup") else { return false }
        for line in cgroups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            if fields[1].split(separator: ",").contains("cpu") { return fields[2] == "/" }
        }
        return !isWeighed(cgroups)
    }

    /// Whether any cgroup on the way down to it has a `cpu.weight`.
    private static func isWeighed(_ cgroups: String) -> Bool {
        guard var path = CgroupDiscovery.unifiedPath(cgroups), path != "/",
            let directory = CgroupDiscovery(environment: [:]).directory(of: path)
        else { return false }
        var place = directory
        while path.count > 1, place.count > 1 {
            if access(place + "/cpu.weight", F_OK) == 0 { return true }
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        }
        return false
    }

    /// `/autogroup-123 nice 19`, as the kernel has it; nil where it does not say.
    static func nice(of pid: Int32) -> Int32? {
        guard let text = Files.text("/proc/\(pid)/autogroup") else { return nil }
        return text.split { $0 == " " || $0 == "\n" }.last.flatMap { Int32($0) }
    }

    /// Sets the niceness of the process' session, now or in a tenth of a second or so.
    func set(_ nice: Int32, of pid: Int32) throws(SystemError) {
        let path = "/proc/\(pid)/autogroup"
        // Held open: the file stays the process', whatever its number may be given to.
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ESRCH { return }
            throw .now("set the niceness of an app", path)
        }
        let held = HeldFile(file)
        var failure: Int32 = 0
        if later.holds(pid) || !Self.write(nice, to: held, failure: &failure) {
            later.put(pid) {
                var ignored: Int32 = 0
                return Self.write(nice, to: held, failure: &ignored)
            }
        }
        guard failure == 0 || failure == ESRCH else {
            throw SystemError(doing: "set the niceness of an app", subject: path, errno: failure)
        }
    }

    /// False where the kernel wants to be asked again.
    private static func write(_ nice: Int32, to file: HeldFile, failure: inout Int32) -> Bool {
        if Files.writeAll("\(nice)".utf8, to: file.descriptor) { return true }
        if errno == EAGAIN { return false }
        failure = errno
        return true
    }
}

/// A descriptor, closed with the object.
private final class HeldFile: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
}

/// What the kernel would not take yet, the newest for each process, tried every 20 ms until it does.
final class LaterWrites: Sendable {
    private struct Write {
        let pid: Int32
        /// False to be asked again.
        let attempt: @Sendable () -> Bool
    }

    private struct State {
        var writes: [Write] = []
        var isTrying = false
    }

    private let state = Mutex(State())
    private let worker: WorkerThread?

    /// The worker, which has nothing else to do, waits until the kernel takes what it has put off.
    init(worker: WorkerThread?) { self.worker = worker }

    /// Whether something is still to be written for a process: what is newer may not be overtaken by it.
    func holds(_ pid: Int32) -> Bool { state.withLock { $0.writes.contains { $0.pid == pid } } }

    /// Tries `attempt` until it gives true, instead of what was to be tried for the process before.
    func put(_ pid: Int32, _ attempt: @escaping @Sendable () -> Bool) {
        guard let worker else { return }
        let mustStart = state.withLock { state in
            state.writes.removeAll { $0.pid == pid }
            state.writes.append(Write(pid: pid, attempt: attempt))
            defer { state.isTrying = true }
            return !state.isTrying
        }
        if mustStart { worker.post { self.tryUntilDone() } }
    }

    private func tryUntilDone() {
        while state.withLock({ tryInOrder(&$0) }) { usleep(20_000) }
    }

    /// The first that is put off puts off all. Whether any is left.
    private func tryInOrder(_ state: inout State) -> Bool {
        while let write = state.writes.first {
            guard write.attempt() else { return true }
            state.writes.removeFirst()
        }
        state.isTrying = false
        return false
    }
}
