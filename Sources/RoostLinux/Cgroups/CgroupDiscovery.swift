internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// Finds a place on this machine for the cgroups of apps.
struct CgroupDiscovery {
    /// A cgroup2 mount: its root within the hierarchy, and its mount point.
    struct Mount: Hashable {
        var root: String
        var point: String
    }

    /// The cgroup2 mounts, in the order of `/proc/self/mountinfo`.
    let mounts: [Mount]
    /// The system's own cgroup within the hierarchy, from the line `0::` of `/proc/self/cgroup`. If that cgroup is
    /// called `leaf`, its parent is used. Nil without such a line.
    let own: String?
    /// The name of a cgroup that holds only the system's own processes. Its parent then belongs to the system and holds
    /// no processes. Therefore the parent can enable controllers for the cgroups of apps, which lie next to this
    /// cgroup.
    static let leaf = "roost.self"

    private static func withoutLeaf(_ path: String) -> String {
        guard path.hasSuffix("/" + leaf) else { return path }
        let above = path.dropLast(leaf.utf8.count + 1)
        return above.isEmpty ? "/" : String(above)
    }

    /// The directory that `ROOST_CGROUP` names; nil if the variable is not set.
    let named: String?
    /// Whether this process is root, and the mount's root itself is a candidate.
    let isRoot: Bool

    /// A discovery from the texts of the two files; for tests.
    init(mountInfo: String, ownCgroup: String, named: String?, isRoot: Bool) {
        mounts = Self.mounts(mountInfo)
        own = Self.unifiedPath(ownCgroup).map(Self.withoutLeaf)
        self.named = named
        self.isRoot = isRoot
    }

    /// A discovery on this machine.
    init(environment: [String: String]) {
        self.init(
            mountInfo: Files.text("/proc/self/mountinfo") ?? "", ownCgroup: Files.text("/proc/self/cgroup") ?? "",
            named: environment["ROOST_CGROUP"].flatMap { $0.isEmpty ? nil : $0 }, isRoot: geteuid() == 0)
    }

    /// The mounts of type `cgroup2`: `31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw`.
    static func mounts(_ mountInfo: String) -> [Mount] {
        mountInfo.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, fields[dash + 1] == "cgroup2",
                dash >= 5
            else { return nil }
            return Mount(root: unescaped(fields[3]), point: unescaped(fields[4]))
        }
    }

    /// The path in the line of the unified hierarchy, such as `0::/user.slice`.
    static func unifiedPath(_ cgroupFile: String) -> String? {
        cgroupFile.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }

    /// The file system path for a path in the hierarchy; nil if no mount shows it.
    func directory(of path: String) -> String? {
        for mount in mounts {
            if mount.root == "/" { return path == "/" ? mount.point : mount.point + path }
            if path == mount.root { return mount.point }
            if path.hasPrefix(mount.root + "/") { return mount.point + path.dropFirst(mount.root.count) }
        }
        return nil
    }

    /// The path in the hierarchy for a directory in the file system, as /proc writes it. Nil if no mount contains the
    /// directory, or if the mount's root is outside our cgroup namespace.
    func path(of directory: String) -> String? {
        guard let resolved = realpath(directory, nil) else { return nil }
        defer { free(resolved) }
        let directory = String(cString: resolved)
        let holding = mounts.filter { directory == $0.point || directory.hasPrefix($0.point + "/") }
        // Take the innermost mount. Of several mounts at the same point, the last one covers the others.
        guard let length = holding.map(\.point.utf8.count).max(),
            let mount = holding.last(where: { $0.point.utf8.count == length }), !mount.root.hasPrefix("/..")
        else { return nil }
        let path = (mount.root == "/" ? "" : mount.root) + String(directory.dropFirst(mount.point.count))
        return path.isEmpty ? "/" : path
    }

    /// The directories to try, best first. If the environment names a directory, it is the only candidate.
    var candidates: [String] {
        if let named {
            var path = named
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            return [path]
        }
        var list: [String] = []
        if let own, let directory = directory(of: own) { list.append(directory) }
        if isRoot { list += mounts.map(\.point).filter { !list.contains($0) } }
        return list
    }

    /// Creates the system's tree in the first usable place.
    ///
    /// Throws the reason if no place is usable; `errno` is `ENOENT` if there is no cgroup2 mount at all.
    func tree(systemID: String) throws(SystemError) -> CgroupTree {
        var lastError: SystemError?
        for parent in candidates {
            do throws(SystemError) {
                let tree = CgroupTree(parent: parent, systemID: systemID)
                try Self.prepare(tree)
                return tree
            } catch {
                lastError = lastError ?? error
            }
        }
        throw lastError
            ?? SystemError(
                doing: "find a cgroup v2 tree", subject: own ?? "/proc/self/mountinfo", errno: ENOENT,
                reason: "none is mounted where this user could write; mount one (mount -t cgroup2 none /sys/fs/cgroup)"
                    + " or name a directory of one in ROOST_CGROUP")
    }

    /// Creates the system's directory and starts a test child in it. Only this proves that the place is usable. The
    /// child needs write access to `cgroup.procs` there, and in the nearest common ancestor of that place and our own
    /// cgroup.
    static func prepare(_ tree: CgroupTree) throws(SystemError) {
        let isNew = mkdir(tree.root, 0o755) == 0
        guard isNew || errno == EEXIST else {
            throw .now("create the cgroup of this system", tree.root, advice: advice(errno))
        }
        do throws(SystemError) {
            guard tree.has(.freeze, of: "") else {
                throw SystemError(
                    doing: "use a cgroup", subject: tree.root, errno: ENOENT,
                    reason: "it has no cgroup.freeze: it is not a cgroup v2, or the kernel is older than 5.2")
            }
            // A system that ended while its directory was frozen must not freeze its successor's apps at birth.
            try tree.write("0", to: .freeze, of: "")
            try probe(tree)
        } catch {
            if isNew { rmdir(tree.root) }
            throw error
        }
    }

    /// Uses a child cgroup: if controllers are enabled for the children, the system's own directory may hold no
    /// process.
    private static func probe(_ tree: CgroupTree) throws(SystemError) {
        let name = "probe"
        if !tree.exists(name) { try tree.make(name) }
        defer { _ = tree.dissolve(name, patience: .milliseconds(50)) }
        let directory = try tree.openDirectory(name)
        defer { close(directory) }
        let code = croost_probe_cgroup(directory)
        guard code == 0 else {
            throw SystemError(
                doing: "start a process in a cgroup", subject: tree.root, errno: code, advice: advice(code))
        }
    }

    private static func advice(_ code: Int32) -> String? {
        switch code {
        case EACCES, EPERM:
            "this user must be able to write cgroup.procs there and in the nearest cgroup above both that place and "
                + "Roost's own; start Roost inside the subtree it is to use (systemd-run --user --scope -p Delegate=yes)"
        case EROFS: "cgroups are mounted read-only here, as in a container; mount a writable cgroup2"
        case ENOENT: "that directory does not exist; make it, or name another in ROOST_CGROUP"
        case EBUSY, EOPNOTSUPP:
            "controllers are enabled in that cgroup, so it may hold no processes; name a cgroup below it in ROOST_CGROUP"
        default: nil
        }
    }

    /// Decodes `\040` and similar escapes: mountinfo uses them for blanks, tabs, line breaks and backslashes.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LinuxProcesses {
    /// The trees of all systems: every `roost-*` directory in every cgroup2 mount, and below the directory that the
    /// environment names. The search walks all cgroups, so it is for the system's start and for tools.
    static func systems(environment: [String: String]) -> [CgroupTree] {
        let discovery = CgroupDiscovery(environment: environment)
        let places = discovery.mounts.map(\.point) + (discovery.named.map { [$0] } ?? [])
        // One file system may be mounted twice, and the named directory is usually inside a mount.
        var seen: Set<FileIdentity> = []
        return places.flatMap(systems(below:)).filter { root in
            FileIdentity(root).map { seen.insert($0).inserted } ?? false
        }.map(CgroupTree.init(root:))
    }

    /// Every `roost-*` directory below a place. Their contents belong to their systems and are not searched.
    static func systems(below place: String) -> [String] {
        let tree = CgroupTree(root: place)
        return tree.children("").flatMap { name in
            name.hasPrefix(CgroupTree.prefix) ? [tree.path(name)] : systems(below: tree.path(name))
        }
    }
}
