internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The cgroups of one system: a directory `roost-<id>` with a directory for each launch.
///
/// Every knob of the kernel's is read and written here and nowhere else; a temporary directory can stand in for
/// the tree in tests.
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

    /// What `cgroup.events` says.
    struct Events: Hashable {
        var isPopulated = false
        var isFrozen = false
    }

    /// The directory of the system: `/sys/fs/cgroup/roost-1a2b`.
    let root: String

    /// What each system's directory is called before its id.
    static let prefix = "roost-"

    /// The tree of the system `systemID` below the cgroup `parent`.
    init(parent: String, systemID: String) { root = parent + "/" + Self.prefix + systemID }

    /// The tree that is this directory.
    init(root: String) { self.root = root }

    /// What the system's directory is called: `roost-1a2b`.
    var name: String { root.split(separator: "/").last.map(String.init) ?? "" }

    /// The id of the system it belongs to.
    var systemID: String { String(name.dropFirst(Self.prefix.count)) }

    /// The path of a launch's cgroup; of the system's own for the empty name.
    func path(_ name: String) -> String { name.isEmpty ? root : root + "/" + name }

    private func path(_ knob: Knob, _ name: String) -> String { path(name) + "/" + knob.rawValue }

    // MARK: Knobs

    /// A knob's whole text.
    func read(_ knob: Knob, of name: String) throws(SystemError) -> String {
        guard let text = Files.text(path(knob, name)) else { throw .now("read a cgroup", path(knob, name)) }
        return text
    }

    /// Writes a knob.
    func write(_ text: String, to knob: Knob, of name: String) throws(SystemError) {
        guard Files.write(text, to: path(knob, name)) else {
            throw .now("write a cgroup", path(knob, name), advice: Self.advice(errno))
        }
    }

    /// Opens a knob, for one that is used over and over; the descriptor is the caller's to close.
    func open(_ knob: Knob, of name: String, _ mode: Int32) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path(knob, name), mode | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("open a cgroup", path(knob, name), advice: Self.advice(errno)) }
        return descriptor
    }

    /// Writes a character to a knob that is open.
    func write(_ character: UInt8, to knob: Knob, of name: String, at descriptor: Int32) throws(SystemError) {
        var character = character
        while pwrite(descriptor, &character, 1, 0) != 1 {
            guard errno == EINTR else { throw .now("write a cgroup", path(knob, name), advice: Self.advice(errno)) }
        }
    }

    /// Whether the kernel has this knob: `cgroup.kill` is there from Linux 5.14 on.
    func has(_ knob: Knob, of name: String) -> Bool { access(path(knob, name), F_OK) == 0 }

    /// Whether it is populated, and frozen.
    func events(_ name: String) throws(SystemError) -> Events {
        let descriptor = try openEvents(name)
        defer { close(descriptor) }
        guard let events = Self.events(at: descriptor) else { throw .now("read a cgroup", path(.events, name)) }
        return events
    }

    /// A descriptor on `cgroup.events` that shows EPOLLPRI when it changes; the caller's to close.
    func openEvents(_ name: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path(.events, name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("watch a cgroup", path(.events, name)) }
        return descriptor
    }

    /// What `cgroup.events` says now, read through a descriptor that is being watched: reading it is also what
    /// arms the next notification.
    static func events(at descriptor: Int32) -> Events? {
        let bits = croost_cgroup_events(descriptor)
        guard bits >= 0 else { return nil }
        return Events(
            isPopulated: UInt32(bits) & CROOST_POPULATED.rawValue != 0,
            isFrozen: UInt32(bits) & CROOST_FROZEN.rawValue != 0)
    }

    /// A descriptor on the cgroup's directory, for `clone3`; the caller's to close.
    func openDirectory(_ name: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("open a cgroup", path(name)) }
        return descriptor
    }

    /// The processes of a cgroup and of those an app made below it. Such as belong to another pid namespace,
    /// which the kernel lists as 0, are left out.
    func processes(_ name: String) -> [Int32] {
        let own = (Files.text(path(.processes, name)) ?? "").split(separator: "\n").compactMap { Int32($0) }
        return children(name).reduce(own.filter { $0 > 0 }) { $0 + processes(name.isEmpty ? $1 : name + "/" + $1) }
    }

    /// Processor time used, from `cpu.stat`, in microseconds.
    func processorMicroseconds(_ name: String) -> Int64? {
        guard let text = Files.text(path(.processor, name)) else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix("usage_usec ") {
            return Int64(line.dropFirst("usage_usec ".count))
        }
        return nil
    }

    // MARK: Directories

    /// The cgroups in one, sorted.
    func children(_ name: String) -> [String] {
        Files.directories(in: path(name)) ?? []
    }

    /// Whether the cgroup exists.
    func exists(_ name: String) -> Bool { Files.isDirectory(path(name)) }

    /// Makes a cgroup; `EEXIST` if it is there.
    func make(_ name: String) throws(SystemError) {
        guard mkdir(path(name), 0o755) == 0 else {
            throw .now("make a cgroup", path(name), advice: Self.advice(errno))
        }
    }

    /// Removes a cgroup and those an app made below it; `EBUSY` while any holds a process, and fine if it is gone.
    func remove(_ name: String) throws(SystemError) {
        for child in children(name) { try remove(name.isEmpty ? child : name + "/" + child) }
        guard rmdir(path(name)) == 0 || errno == ENOENT else { throw .now("remove a cgroup", path(name)) }
    }

    // MARK: Ending what is in one

    /// Sends SIGKILL to every process at once, frozen or not; one by one where the kernel has no `cgroup.kill`.
    func kill(_ name: String) throws(SystemError) {
        guard !has(.kill, of: name) else { return try write("1", to: .kill, of: name) }
        // Frozen first, so that none can fork meanwhile; a frozen process dies of SIGKILL all the same.
        try write("1", to: .freeze, of: name)
        for pid in processes(name) { Glibc.kill(pid, SIGKILL) }
    }

    /// Ends whatever is in a cgroup, waits for it for at most `patience`, and removes the directory.
    ///
    /// False if it could not be removed yet: try again later.
    func dissolve(_ name: String, patience: Nanoseconds) -> Bool {
        guard exists(name) else { return true }
        guard let watch = try? openEvents(name) else { return (try? remove(name)) != nil }
        defer { close(watch) }
        let end = croost_monotonic() + patience.rawValue
        // The kernel reports changes at most every 10 ms and most processes die sooner, so the first looks are quick.
        var pause: Int64 = 100_000
        while Self.events(at: watch)?.isPopulated ?? false {
            try? kill(name)
            guard croost_monotonic() < end else { return false }
            _ = croost_wait_for(watch, Int16(POLLPRI), pause)
            pause = min(pause * 2, 10_000_000)
        }
        return (try? remove(name)) != nil
    }

    /// What can be done about an error of a cgroup; nil where there is nothing to say.
    static func advice(_ code: Int32) -> String? {
        switch code {
        case EACCES, EPERM, EROFS:
            "this place may not be written; name a cgroup that may be in ROOST_CGROUP, or start Roost with "
                + "systemd-run --user --scope -p Delegate=yes"
        default: nil
        }
    }
}
