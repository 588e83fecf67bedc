internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// One launch's cgroup.
final class CgroupEnclosure: Enclosure {
    let tree: CgroupTree
    let name: String
    private let events: Int32
    /// Where it is in the hierarchy, as /proc names it; nil where no mount tells.
    private lazy var hierarchyPath = CgroupDiscovery(environment: [:]).path(of: place)

    /// Takes charge of an existing cgroup.
    init(tree: CgroupTree, name: String) throws(SystemError) {
        self.tree = tree
        self.name = name
        events = try tree.openEvents(name)
    }

    deinit { close(events) }

    /// What a launch's cgroup is called.
    static func name(_ identifier: BundleIdentifier, _ launch: LaunchID) -> String {
        "\(identifier.rawValue).\(launch.number)"
    }

    var place: String { tree.path(name) }
    var watch: Int32? { events }

    func freeze() throws(SystemError) { try tree.write("1", to: .freeze, of: name) }

    func thaw() throws(SystemError) { try tree.write("0", to: .freeze, of: name) }

    func isFrozen() throws(SystemError) -> Bool {
        guard let now = CgroupTree.events(at: events) else { throw .now("read a cgroup", place + "/cgroup.events") }
        return now.isFrozen
    }

    func isPopulated() -> Bool { CgroupTree.events(at: events)?.isPopulated ?? false }

    func processes() -> [Int32] { tree.processes(name) }

    func contains(_ pid: Int32) -> Bool {
        guard let hierarchyPath else { return processes().contains(pid) }
        guard let path = Proc.cgroup(of: pid) else { return false }
        return path == hierarchyPath || path.hasPrefix(hierarchyPath + "/")
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
