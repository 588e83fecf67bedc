internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// Version 1 cgroups in addition to the tree, for v1 hierarchies that have a wanted controller and are writable. Each
/// has a directory `roost-<id>` with one subdirectory per launch, which the app's process enters at its start.
///
/// A process that enters by writing its own `tasks` file needs 10 µs, and 50 µs at p99. Moving a running process takes
/// tens of milliseconds at p99, so Roost never moves a process.
struct LegacyGroups: Hashable {
    /// The system's directory for each controller.
    private(set) var roots: [String: String] = [:]

    /// The controllers that Roost uses.
    static let wanted = ["cpu", "blkio", "pids"]

    /// No v1 cgroups.
    init() {}

    /// Creates the directory of the system `systemID` in every writable v1 hierarchy with a wanted controller.
    /// `mountInfo` is the text of `/proc/self/mountinfo`.
    init(systemID: String, mountInfo: String) {
        for (controller, point) in Self.hierarchies(mountInfo) {
            let root = point + "/" + CgroupTree.prefix + systemID
            guard mkdir(root, 0o755) == 0 || errno == EEXIST, access(root + "/tasks", W_OK) == 0 else { continue }
            roots[controller] = root
        }
    }

    /// Creates the groups from their directories; for tests.
    init(roots: [String: String]) { self.roots = roots }

    /// The mounts of the wanted controllers: `32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct`.
    static func hierarchies(_ mountInfo: String) -> [(controller: String, point: String)] {
        var result: [(controller: String, point: String)] = []
        for line in mountInfo.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 3, fields[dash + 1] == "cgroup",
                dash >= 5, fields[3] == "/"
            else { continue }
            let options = fields[dash + 3].split(separator: ",").map(String.init)
            for controller in wanted where options.contains(controller) {
                result.append((controller, String(fields[4])))
            }
        }
        return result
    }

    /// The path of a controller's file in a launch's cgroup; nil if the cgroup or the file is missing.
    func knob(_ controller: String, _ file: String, of name: String) -> String? {
        guard let root = roots[controller] else { return nil }
        let path = root + "/" + name + "/" + file
        return access(path, F_OK) == 0 ? path : nil
    }

    /// Creates a launch's cgroups and opens their `tasks` files, which the caller closes. Failures are skipped.
    func make(_ name: String) -> [Int32] {
        var opened: [Int32] = []
        // Several controllers may share one hierarchy.
        for root in Set(roots.values).sorted() {
            // An administrator may have removed the system's own directory.
            mkdir(root, 0o755)
            guard mkdir(root + "/" + name, 0o755) == 0 || errno == EEXIST else { continue }
            let tasks = open(root + "/" + name + "/tasks", O_WRONLY | O_CLOEXEC)
            guard tasks >= 0 else { continue }
            // Stay clear of the child's standard descriptors.
            let moved = fcntl(tasks, F_DUPFD_CLOEXEC, 10)
            close(tasks)
            if moved >= 0 { opened.append(moved) }
        }
        return opened
    }

    /// Removes a launch's cgroups; false while one of them holds a process.
    @discardableResult
    func remove(_ name: String) -> Bool {
        var isGone = true
        for root in Set(roots.values) where rmdir(root + "/" + name) != 0 && errno != ENOENT { isGone = false }
        return isGone
    }

    /// Removes all cgroups without processes, except those of `known` launches.
    func removeAll(except known: Set<String>) {
        for root in Set(roots.values) {
            for name in CgroupTree(root: root).children("") where !known.contains(name) { rmdir(root + "/" + name) }
        }
    }

    /// Removes the system's own directories if they are empty.
    func removeRoots() {
        for root in Set(roots.values) { rmdir(root) }
    }
}
