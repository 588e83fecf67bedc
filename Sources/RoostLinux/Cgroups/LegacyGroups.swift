internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// Cgroups of version 1 beside the tree, where those hierarchies have the controllers and may be written: a directory
/// `roost-<id>` in each, with a directory for each launch, which the app's process enters at its birth.
///
/// Entered by `tasks` and by the process itself, that takes 10 µs, and 50 at p99; moving one that runs takes tens of
/// milliseconds at p99, so none is ever moved.
struct LegacyGroups: Hashable {
    /// The controllers, and where the system's directory of each is.
    private(set) var roots: [String: String] = [:]

    /// The controllers Roost has a use for.
    static let wanted = ["cpu", "blkio", "pids"]

    /// None.
    init() {}

    /// Makes the directory of the system `systemID` in every hierarchy of version 1 with a wanted controller that lets
    /// itself be written. `mountInfo` is the text of `/proc/self/mountinfo`.
    init(systemID: String, mountInfo: String) {
        for (controller, point) in Self.hierarchies(mountInfo) {
            let root = point + "/" + CgroupTree.prefix + systemID
            guard mkdir(root, 0o755) == 0 || errno == EEXIST, access(root + "/tasks", W_OK) == 0 else { continue }
            roots[controller] = root
        }
    }

    /// For tests: these directories.
    init(roots: [String: String]) { self.roots = roots }

    /// The wanted controllers' mounts: `32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct`.
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

    /// The file of a controller's in a launch's cgroup; nil without that cgroup or that file.
    func knob(_ controller: String, _ file: String, of name: String) -> String? {
        guard let root = roots[controller] else { return nil }
        let path = root + "/" + name + "/" + file
        return access(path, F_OK) == 0 ? path : nil
    }

    /// Makes a launch's cgroups and opens their `tasks`, the caller's to close. What can't be made is left out.
    func make(_ name: String) -> [Int32] {
        var opened: [Int32] = []
        // Several controllers may share one hierarchy.
        for root in Set(roots.values).sorted() {
            // The system's own directory may have been removed by a tidy administrator.
            mkdir(root, 0o755)
            guard mkdir(root + "/" + name, 0o755) == 0 || errno == EEXIST else { continue }
            let tasks = open(root + "/" + name + "/tasks", O_WRONLY | O_CLOEXEC)
            guard tasks >= 0 else { continue }
            // Out of the way of the child's standard descriptors.
            let moved = fcntl(tasks, F_DUPFD_CLOEXEC, 10)
            close(tasks)
            if moved >= 0 { opened.append(moved) }
        }
        return opened
    }

    /// Removes a launch's cgroups; false while any holds a process.
    @discardableResult
    func remove(_ name: String) -> Bool {
        var isGone = true
        for root in Set(roots.values) where rmdir(root + "/" + name) != 0 && errno != ENOENT { isGone = false }
        return isGone
    }

    /// Removes all that hold no process, but those of `known` launches.
    func removeAll(except known: Set<String>) {
        for root in Set(roots.values) {
            for name in CgroupTree(root: root).children("") where !known.contains(name) { rmdir(root + "/" + name) }
        }
    }

    /// Removes the system's own directories where nothing is left in them.
    func removeRoots() {
        for root in Set(roots.values) { rmdir(root) }
    }
}
