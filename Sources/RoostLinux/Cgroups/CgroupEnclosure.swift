internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The cgroup of one launch.
final class CgroupEnclosure: Enclosure {
    let tree: CgroupTree
    let name: String
    private let events: Int32
    /// The files that freezing uses, opened at the first use and kept open. Opening a file takes longer than using it.
    private var freezer: Int32 = -1
    private var members: Int32 = -1
    /// The cgroup's inode number; 0, which is never valid, until freezing needs it.
    private var inode: UInt64 = 0
    /// The cgroup's path in the hierarchy, as /proc writes it; nil if no mount shows it.
    private lazy var hierarchyPath = CgroupDiscovery(environment: [:]).path(of: place)

    /// The enclosure of an existing cgroup.
    init(tree: CgroupTree, name: String) throws(SystemError) {
        self.tree = tree
        self.name = name
        events = try tree.openEvents(name)
    }

    deinit {
        for descriptor in [events, freezer, members] where descriptor >= 0 { close(descriptor) }
    }

    /// `org.example.notes.3`: the bundle identifier and the launch's number.
    static func name(_ identifier: BundleIdentifier, _ launch: LaunchID) -> String {
        "\(identifier.rawValue).\(launch.number)"
    }

    /// The bundle identifier in a cgroup's name; nil if the name is not a launch's.
    static func identifier(of name: String) -> BundleIdentifier? {
        name.lastIndex(of: ".").flatMap { BundleIdentifier(String(name[..<$0])) }
    }

    var place: String { tree.path(name) }
    var watch: Int32? { events }

    func freeze(first pidfd: Int32, looks: Int32, pause: Nanoseconds) throws(SystemError) -> FreezerGlance {
        try openFreezer()
        var parts = croost_freezer(freeze: freezer, events: events, first: pidfd, id: inode)
        let seen = croost_cgroup_freeze(&parts, looks, pause.rawValue)
        guard seen >= 0 else { throw .now("freeze a cgroup", place, advice: CgroupTree.advice(errno)) }
        let bits = UInt32(seen)
        return FreezerGlance(
            isFrozen: bits & CROOST_FROZEN.rawValue != 0, showsFirst: bits & CROOST_HAS_FIRST.rawValue != 0)
    }

    func thaw() throws(SystemError) {
        try openFreezer()
        try tree.write(UInt8(ascii: "0"), to: .freeze, of: name, at: freezer)
    }

    private func openFreezer() throws(SystemError) {
        guard freezer < 0 else { return }
        freezer = try tree.open(.freeze, of: name, O_WRONLY)
        var status = stat()
        if stat(place, &status) == 0 { inode = UInt64(status.st_ino) }
    }

    func isFrozen() throws(SystemError) -> Bool {
        guard let now = CgroupTree.events(at: events) else { throw .now("read a cgroup", place + "/cgroup.events") }
        return now.isFrozen
    }

    func isPopulated() -> Bool { CgroupTree.events(at: events)?.isPopulated ?? false }

    func processes() -> [Int32] { tree.processes(name) }

    var processList: @Sendable () -> [Int32] { { [tree, name] in tree.processes(name) } }

    func contains(_ pid: Int32) -> Bool {
        if isAmongFirst(pid) { return true }
        guard let hierarchyPath else { return processes().contains(pid) }
        guard let path = Proc.cgroup(of: pid) else { return false }
        return path == hierarchyPath || path.hasPrefix(hierarchyPath + "/")
    }

    /// Whether the first lines of `cgroup.procs` list a process. These lines usually list a launch's first process.
    private func isAmongFirst(_ pid: Int32) -> Bool {
        if members < 0 { members = (try? tree.open(.processes, of: name, O_RDONLY)) ?? -1 }
        return croost_cgroup_lists(members, pid) == 1
    }

    func kill() throws(SystemError) { try tree.kill(name) }

    func dissolve(patience: Nanoseconds) -> Bool { tree.dissolve(name, patience: patience) }

    func freezerText() -> String {
        switch try? isFrozen() {
        case true: "frozen 1"
        case false: "frozen 0"
        case nil: "unknown"
        }
    }

    func processorTime() -> Nanoseconds? { tree.processorMicroseconds(name).map { .microseconds($0) } }
}
