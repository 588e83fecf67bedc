import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// Controllers of a unified tree: in a directory that replaces the tree, and in the kernel's own.
@Suite(.serialized)
struct ControllerTests {
    @Test
    func availableControllersAreEnabled() throws {
        let scratch = try Scratch()
        scratch.directory("roost-x")
        scratch.file("cgroup.controllers", "cpu memory pids\n")
        scratch.file("cgroup.subtree_control")
        scratch.file("roost-x/cgroup.controllers", "cpu memory\n")
        scratch.file("roost-x/cgroup.subtree_control")
        let tree = CgroupTree(parent: scratch.path, systemID: "x")
        #expect(tree.enableControllers().isEmpty)
        // A control file of the kernel accepts one write after the other; an ordinary file holds the beginnings of
        // both.
        #expect(scratch.text("roost-x/cgroup.subtree_control")?.contains("+memory") == true)
        #expect(scratch.text("cgroup.subtree_control") == "+pids")
    }

    @Test
    func theOutlookChangesNoControllers() throws {
        let scratch = try Scratch()
        scratch.directory("roost-x")
        scratch.file("cgroup.controllers", "cpu memory pids\n")
        scratch.file("cgroup.subtree_control", "memory\n")
        scratch.file("cgroup.events")
        scratch.file("cgroup.procs")
        scratch.file("roost-x/cgroup.controllers", "cpu memory\n")
        scratch.file("roost-x/cgroup.subtree_control", "cpu\n")
        let tree = CgroupTree(parent: scratch.path, systemID: "x")
        #expect(tree.outlook().map(\.state) == [.on, .absent, .obtainable, .obtainable])
        scratch.file("cgroup.procs", "17\n18\n")
        let states = tree.outlook().map(\.state)
        #expect(states[..<3] == [.on, .absent, .obtainable])
        guard case .refused(let error) = states[3] else {
            Issue.record("\(states)")
            return
        }
        #expect(error.errno == EBUSY && error.description.contains("17, 18"), "\(error)")
        #expect(scratch.text("cgroup.subtree_control") == "memory\n")
        #expect(scratch.text("roost-x/cgroup.subtree_control") == "cpu\n")
    }

    @Test
    func theSystemsOwnCgroupIsNextToTheCgroupsOfApps() {
        func candidates(_ own: String) -> [String] {
            CgroupDiscovery(
                mountInfo: CgroupDiscoveryTests.unified, ownCgroup: "0::\(own)\n", named: nil, isRoot: false
            )
            .candidates
        }
        #expect(candidates("/user.slice/roost.service/roost.self") == ["/sys/fs/cgroup/user.slice/roost.service"])
        #expect(candidates("/roost.self") == ["/sys/fs/cgroup"])
        #expect(candidates("/user.slice/my-roost.self") == ["/sys/fs/cgroup/user.slice/my-roost.self"])
    }

    /// A cgroup of the kernel with a controller to delegate. The cgroup is removed with the object.
    private final class Place {
        static let controller = "hugetlb"
        /// No version 1 hierarchy uses its controllers here, so cgroup2 can offer one of them.
        static let mount: String? = CgroupDiscovery(environment: [:]).mounts.map(\.point).first {
            geteuid() == 0 && access($0, W_OK) == 0 && CgroupTree(root: $0).words(.controllers).contains(controller)
        }

        let path: String
        private let hadIt: Bool

        init() throws {
            let root = CgroupTree(root: try #require(Self.mount))
            path = root.root + "/test-controllers-\(getpid())"
            hadIt = root.words(.subtreeControl).contains(Self.controller)
            try root.write("+" + Self.controller, to: .subtreeControl, of: "")
            try #require(mkdir(path, 0o755) == 0)
        }

        deinit {
            let tree = CgroupTree(root: path)
            _ = tree.dissolve("", patience: .seconds(5))
            if !hadIt, let mount = Self.mount {
                try? CgroupTree(root: mount).write("-" + Self.controller, to: .subtreeControl, of: "")
            }
        }

        /// Starts a process in this child cgroup; the process ends with the bench.
        func populate(_ name: String, _ bench: Bench) throws {
            let directory = CgroupTree(root: path).path(name)
            mkdir(directory, 0o755)
            try bench.shell("echo $$ > '\(directory)/cgroup.procs' && echo in > in && exec sleep 60")
            _ = try bench.await("in")
        }
    }

    @Test(.enabled(if: Place.mount != nil, "no controller is available in cgroup2"))
    func theKernelRefusesThemBesideProcessesAndGivesThemBesideALeaf() throws {
        let wanted = [Place.controller]
        for name in ["", CgroupDiscovery.leaf] {
            let place = try Place()
            let bench = try Bench(signals: true)
            try place.populate(name, bench)
            let tree = CgroupTree(parent: place.path, systemID: "x")
            try tree.make("")
            let foreseen = try #require(tree.outlook(wanted).first?.state)
            let refused = tree.enableControllers(wanted)
            if name.isEmpty {
                let error = try #require(refused.first)
                #expect(refused.count == 1 && foreseen == .refused(error), "\(foreseen)")
                #expect(error.errno == EBUSY && error.description.contains("roost.self"), "\(error)")
            } else {
                #expect(refused.isEmpty && foreseen == .obtainable, "\(refused)")
                #expect(tree.outlook(wanted).first?.state == .on)
                try tree.make("app.1")
                #expect(access(tree.path("app.1") + "/hugetlb.2MB.max", F_OK) == 0)
            }
        }
    }
}
