internal import Glibc
internal import RoostPorts
internal import Synchronization

/// The niceness of sessions. With `sched_autogroup` the scheduler shares the processor out among sessions first, so that
/// the niceness of a process means nothing to other sessions, and that of the session is what counts.
///
/// Each launch is a session of its own. Its owner may lower and raise it between 0 and 19 without privileges, but only
/// once in 100 ms over the whole machine: what the kernel puts off is written by a thread that ends when it is done.
struct SessionNiceness {
    private let later = LaterWrites()

    /// Whether a process is in a session's group: the feature is on, and no cgroup has a share for it.
    static func counts(for pid: Int32) -> Bool {
        guard Files.text("/proc/sys/kernel/sched_autogroup_enabled")?.hasPrefix("1") == true,
            let cgroups = Files.text("/proc/\(pid)/cgroup")
        else { return false }
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
        if later.holds(pid) { return later.put(LaterWrites.Write(pid: pid, file: file, nice: nice)) }
        if Files.writeAll("\(nice)".utf8, to: file) {
            close(file)
        } else if errno == EAGAIN {
            later.put(LaterWrites.Write(pid: pid, file: file, nice: nice))
        } else {
            let code = errno
            close(file)
            guard code == ESRCH else {
                throw SystemError(doing: "set the niceness of an app", subject: path, errno: code)
            }
        }
    }
}

/// What the kernel would not take yet, the newest value for each process, tried every 20 ms until it does.
private final class LaterWrites: Sendable {
    struct Write: Sendable {
        let pid: Int32
        let file: Int32
        let nice: Int32
    }

    private struct State {
        var writes: [Write] = []
        var isTrying = false
    }

    private let state = Mutex(State())

    /// Whether something is still to be written for a process: what is newer may not overtake it.
    func holds(_ pid: Int32) -> Bool { state.withLock { $0.writes.contains { $0.pid == pid } } }

    func put(_ write: Write) {
        let mustStart = state.withLock { state in
            for old in state.writes where old.pid == write.pid { close(old.file) }
            state.writes.removeAll { $0.pid == write.pid }
            state.writes.append(write)
            defer { state.isTrying = true }
            return !state.isTrying
        }
        if mustStart { start() }
    }

    private func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { box in
                // Balances the retain below.
                if let box { Unmanaged<LaterWrites>.fromOpaque(box).takeRetainedValue().tryUntilDone() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            Unmanaged.passUnretained(self).release()
            state.withLock { state in
                for write in state.writes { close(write.file) }
                state = State()
            }
        }
    }

    private func tryUntilDone() {
        while state.withLock({ state in
            // In their order; the first that is put off puts off all.
            while let write = state.writes.first {
                if !Files.writeAll("\(write.nice)".utf8, to: write.file), errno == EAGAIN { return true }
                close(write.file)
                state.writes.removeFirst()
            }
            state.isTrying = false
            return false
        }) {
            usleep(20_000)
        }
    }
}
