internal import Glibc
internal import RoostPorts
internal import Synchronization

/// The niceness of sessions. With `sched_autogroup`, the scheduler first divides the processor among sessions. The
/// niceness of a process then has no effect on other sessions; only the session's niceness counts.
///
/// Each launch is its own session. Without privileges, its owner may set the niceness between 0 and 19, but only once
/// in 100 ms on the whole machine. Writes that the kernel rejects for now are repeated by another thread.
struct SessionNiceness {
    private let later: LaterWrites

    /// The worker repeats writes that the kernel rejects for now; nil drops them.
    init(worker: WorkerThread?) { later = LaterWrites(worker: worker) }

    /// Whether the kernel divides the processor among sessions.
    static var isOn: Bool { Files.text("/proc/sys/kernel/sched_autogroup_enabled")?.hasPrefix("1") == true }

    /// Whether session niceness affects a process: the feature is on, and no cgroup gives the process a share.
    static func counts(for pid: Int32) -> Bool {
        guard isOn, let cgroups = Files.text("/proc/\(pid)/cgroup") else { return false }
        for line in cgroups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            if fields[1].split(separator: ",").contains("cpu") { return fields[2] == "/" }
        }
        return !isWeighed(cgroups)
    }

    /// Whether any cgroup on the path to the process has a `cpu.weight`.
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

    /// The niceness in `/autogroup-123 nice 19`; nil if the kernel reports none.
    static func nice(of pid: Int32) -> Int32? {
        guard let text = Files.text("/proc/\(pid)/autogroup") else { return nil }
        return text.split { $0 == " " || $0 == "\n" }.last.flatMap { Int32($0) }
    }

    /// Sets the niceness of the process's session, at once or about a tenth of a second later.
    func set(_ nice: Int32, of pid: Int32) throws(SystemError) {
        let path = "/proc/\(pid)/autogroup"
        // Keep the file open: it belongs to this process even if the pid is reused.
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

    /// Returns false if the kernel wants the write repeated.
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

/// Writes that the kernel has rejected for now: the newest for each process, repeated every 20 ms until the kernel
/// accepts it.
final class LaterWrites: Sendable {
    private struct Write {
        let pid: Int32
        /// Returns false if the write must be repeated.
        let attempt: @Sendable () -> Bool
    }

    private struct State {
        var writes: [Write] = []
        var isTrying = false
    }

    private let state = Mutex(State())
    private let worker: WorkerThread?

    /// The worker waits until the kernel accepts the writes, so it must have nothing else to do. Without a worker,
    /// writes are dropped.
    init(worker: WorkerThread?) { self.worker = worker }

    /// Whether a write for this process is pending. A newer write must not overtake it.
    func holds(_ pid: Int32) -> Bool { state.withLock { $0.writes.contains { $0.pid == pid } } }

    /// Repeats `attempt` until it returns true. The new write replaces the pending write for the process.
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

    /// Tries the writes in order, up to the first that must be repeated. Returns whether any are left.
    private func tryInOrder(_ state: inout State) -> Bool {
        while let write = state.writes.first {
            guard write.attempt() else { return true }
            state.writes.removeFirst()
        }
        state.isTrying = false
        return false
    }
}
