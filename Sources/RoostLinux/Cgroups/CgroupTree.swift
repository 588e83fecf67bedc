internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The cgroups of one system: a directory `roost-<id>` with one subdirectory per launch.
///
/// All access to the kernel's cgroup v2 files is here, so tests can replace the tree by a temporary directory.
struct CgroupTree: Hashable {
    /// The files of a cgroup that Roost uses.
    enum Knob: String {
        case events = "cgroup.events"
        case freeze = "cgroup.freeze"
        case kill = "cgroup.kill"
        case processes = "cgroup.procs"
        case processor = "cpu.stat"
        case controllers = "cgroup.controllers"
        case subtreeControl = "cgroup.subtree_control"
        case processorWeight = "cpu.weight"
        case diskWeight = "io.weight"
        case memory = "memory.current"
        case processLimit = "pids.max"
    }

    /// The content of `cgroup.events`.
    struct Events: Hashable {
        var isPopulated = false
        var isFrozen = false
    }

    /// The system's directory: `/sys/fs/cgroup/roost-1a2b`.
    let root: String

    /// The prefix of every system's directory, before its id.
    static let prefix = "roost-"

    /// The tree of the system `systemID` below the cgroup `parent`.
    init(parent: String, systemID: String) { root = parent + "/" + Self.prefix + systemID }

    /// The tree in this directory.
    init(root: String) { self.root = root }

    /// The name of the system's directory: `roost-1a2b`.
    var name: String { root.split(separator: "/").last.map(String.init) ?? "" }

    /// The part of the root's name after the prefix.
    var systemID: String { String(name.dropFirst(Self.prefix.count)) }

    /// The path of a launch's cgroup. The empty name means the system's own cgroup.
    func path(_ name: String) -> String { name.isEmpty ? root : root + "/" + name }

    private func path(_ knob: Knob, _ name: String) -> String { path(name) + "/" + knob.rawValue }

    // MARK: Knobs

    /// The whole text of a file.
    func read(_ knob: Knob, of name: String) throws(SystemError) -> String {
        guard let text = Files.text(path(knob, name)) else { throw .now("read a cgroup", path(knob, name)) }
        return text
    }

    /// Writes a file.
    func write(_ text: String, to knob: Knob, of name: String) throws(SystemError) {
        guard Files.write(text, to: path(knob, name)) else {
            throw .now("write a cgroup", path(knob, name), advice: Self.advice(errno))
        }
    }

    /// Opens a file for repeated use. The caller closes the descriptor.
    func open(_ knob: Knob, of name: String, _ mode: Int32) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path(knob, name), mode | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("open a cgroup", path(knob, name), advice: Self.advice(errno)) }
        return descriptor
    }

    /// Writes one character to an open file.
    func write(_ character: UInt8, to knob: Knob, of name: String, at descriptor: Int32) throws(SystemError) {
        var character = character
        while pwrite(descriptor, &character, 1, 0) != 1 {
            guard errno == EINTR else { throw .now("write a cgroup", path(knob, name), advice: Self.advice(errno)) }
        }
    }

    /// Whether the kernel has this file. `cgroup.kill` exists since Linux 5.14.
    func has(_ knob: Knob, of name: String) -> Bool { access(path(knob, name), F_OK) == 0 }

    /// Whether the cgroup is populated, and whether it is frozen.
    func events(_ name: String) throws(SystemError) -> Events {
        let descriptor = try openEvents(name)
        defer { close(descriptor) }
        guard let events = Self.events(at: descriptor) else { throw .now("read a cgroup", path(.events, name)) }
        return events
    }

    /// A descriptor of `cgroup.events`, which shows EPOLLPRI when the file changes. The caller closes it.
    func openEvents(_ name: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path(.events, name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("watch a cgroup", path(.events, name)) }
        return descriptor
    }

    /// The current content of `cgroup.events`, read from a watched descriptor; nil if it cannot be read. Reading also
    /// arms the next notification.
    static func events(at descriptor: Int32) -> Events? {
        let bits = croost_cgroup_events(descriptor)
        guard bits >= 0 else { return nil }
        return Events(
            isPopulated: UInt32(bits) & CROOST_POPULATED.rawValue != 0,
            isFrozen: UInt32(bits) & CROOST_FROZEN.rawValue != 0)
    }

    /// A descriptor of the cgroup's directory, for `clone3`. The caller closes it.
    func openDirectory(_ name: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("open a cgroup", path(name)) }
        return descriptor
    }

    /// The processes of a cgroup and of the cgroups that an app created below it. Processes of another pid namespace
    /// are left out; the kernel lists them as 0.
    func processes(_ name: String) -> [Int32] {
        let own = (Files.text(path(.processes, name)) ?? "").split(separator: "\n").compactMap { Int32($0) }
        return children(name).reduce(own.filter { $0 > 0 }) { $0 + processes(name.isEmpty ? $1 : name + "/" + $1) }
    }

    /// Processor time used, from `cpu.stat`, in microseconds; nil if it cannot be read.
    func processorMicroseconds(_ name: String) -> Int64? {
        guard let text = Files.text(path(.processor, name)) else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix("usage_usec ") {
            return Int64(line.dropFirst("usage_usec ".count))
        }
        return nil
    }

    // MARK: Directories

    /// The names of the cgroups below a cgroup, sorted.
    func children(_ name: String) -> [String] {
        Files.directories(in: path(name)) ?? []
    }

    func exists(_ name: String) -> Bool { Files.isDirectory(path(name)) }

    /// Creates a cgroup; throws `EEXIST` if it exists.
    func make(_ name: String) throws(SystemError) {
        guard mkdir(path(name), 0o755) == 0 else {
            throw .now("create a cgroup", path(name), advice: Self.advice(errno))
        }
    }

    /// Removes a cgroup and the cgroups that an app created below it. Throws `EBUSY` while one of these cgroups holds a
    /// process. A missing cgroup is no error.
    func remove(_ name: String) throws(SystemError) {
        for child in children(name) { try remove(name.isEmpty ? child : name + "/" + child) }
        guard rmdir(path(name)) == 0 || errno == ENOENT else { throw .now("remove a cgroup", path(name)) }
    }

    // MARK: Killing processes

    /// Kills every process of a cgroup at once, frozen or not. Without `cgroup.kill`, it signals one process at a time.
    func kill(_ name: String) throws(SystemError) {
        guard !has(.kill, of: name) else { return try write("1", to: .kill, of: name) }
        // Freeze first, so that no process can fork meanwhile. SIGKILL also ends a frozen process.
        try write("1", to: .freeze, of: name)
        for pid in processes(name) { Glibc.kill(pid, SIGKILL) }
    }

    /// Kills all processes of a cgroup, waits at most `patience` for their exit, and removes the directory.
    ///
    /// False if the directory could not be removed yet: try again later.
    func dissolve(_ name: String, patience: Nanoseconds) -> Bool {
        guard exists(name) else { return true }
        guard let watch = try? openEvents(name) else { return (try? remove(name)) != nil }
        defer { close(watch) }
        let end = croost_monotonic() + patience.rawValue
        // The kernel reports changes at most every 10 ms, but most processes exit sooner. So the first waits are short.
        var pause: Int64 = 100_000
        while Self.events(at: watch)?.isPopulated ?? false {
            try? kill(name)
            guard croost_monotonic() < end else { return false }
            _ = croost_wait_for(watch, Int16(POLLPRI), pause)
            pause = min(pause * 2, 10_000_000)
        }
        return (try? remove(name)) != nil
    }

    /// Advice for a failed cgroup operation; nil without advice for this error.
    static func advice(_ code: Int32) -> String? {
        switch code {
        case EACCES, EPERM, EROFS:
            "this place is not writable; name a writable cgroup in ROOST_CGROUP, or start Roost with "
                + "systemd-run --user --scope -p Delegate=yes"
        default: nil
        }
    }
}
