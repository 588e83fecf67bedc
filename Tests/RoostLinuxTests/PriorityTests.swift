import Glibc
import LifeCycleModel
import RoostPorts
import Synchronization
import Testing

@testable import RoostLinux

@Suite(.serialized)
struct PriorityTests {
    /// On one processor, so that nobody can step aside: what else runs on the machine takes from all alike.
    @Test(arguments: [false, true])
    func theForegroundGetsNearlyAll(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let loop = "taskset -pc 0 $$ > /dev/null; echo up > up.$1; while :; do :; done"
        var background: [ProcessHandle] = []
        for number in 1...5 {
            let app = try bench.start("/bin/sh", ["-c", loop, "sh", "\(number)"], number: Int32(number))
            try bench.processes.setPriority(app.launch, .background)
            background.append(app.handle)
        }
        let front = try bench.start("/bin/sh", ["-c", loop, "sh", "6"], number: 6)
        try bench.processes.setPriority(front.launch, .foreground)
        for number in 1...6 { _ = try bench.await("up.\(number)") }
        let before = ticks(front.handle)
        let others = background.reduce(0) { $0 + ticks($1) }
        #expect(eventually { ticks(front.handle) >= before + 50 })
        let got = ticks(front.handle) - before
        let left = background.reduce(0) { $0 + ticks($1) } - others
        // With weights 1 in 500 each; sessions know only 1 in 68.
        let text = try #require(bench.processes.evidence(front.launch)?.priority)
        if text.hasPrefix("cpu.") { #expect(got >= left * 9, "\(got) against \(left) ticks, \(text)") }
        if text.hasPrefix("autogroup") { #expect(got >= left * 3, "\(got) against \(left) ticks, \(text)") }
    }

    @Test(arguments: [false, true])
    func thePriorityIsReadBackAndChanges(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.start("/bin/sleep", ["60"])
        var texts: [String?] = []
        for priority in [ProcessPriority.background, .foreground, .background] {
            try bench.processes.setPriority(app.launch, priority)
            texts.append(bench.processes.evidence(app.launch)?.priority)
        }
        let known: [[String?]] = [
            ["cpu.weight 1", "cpu.weight 500", "cpu.weight 1"], ["cpu.shares 2", "cpu.shares 1024", "cpu.shares 2"],
            ["autogroup nice 19", "autogroup nice 0", "autogroup nice 19"], ["nice 19", "nice 0", "nice 19"],
            ["batch", "nice 0", "batch"],
        ]
        #expect(known.contains(texts), "\(texts)")
        #expect(throws: SystemError.self) {
            try bench.processes.setPriority(LaunchID(app: AppID(9), number: 9), .background)
        }
    }

    @Test
    func weightsAreWrittenWhereTheTreeHasThem() throws {
        let scratch = try Scratch()
        scratch.directory("app.1")
        for knob in ["cpu.weight", "io.weight", "cgroup.procs", "cgroup.events"] { scratch.file("app.1/" + knob) }
        let tree = CgroupTree(root: scratch.path)
        let priority = Priority(tree: tree, groups: LegacyGroups())
        let enclosure = try CgroupEnclosure(tree: tree, name: "app.1")
        try priority.set(.background, name: "app.1", enclosure: enclosure)
        #expect(scratch.text("app.1/cpu.weight") == "1" && scratch.text("app.1/io.weight") == "default 1")
        #expect(priority.text(name: "app.1", processes: []) == "cpu.weight 1")
    }

    @Test
    func controllersAreSwitchedOnWhereTheKernelOffersThem() throws {
        let scratch = try Scratch()
        scratch.directory("roost-x")
        scratch.file("cgroup.subtree_control")
        scratch.file("roost-x/cgroup.controllers", "cpu memory\n")
        scratch.file("roost-x/cgroup.subtree_control")
        CgroupTree(parent: scratch.path, systemID: "x").enableControllers()
        // A knob of the kernel's takes one write after the other; a file keeps the beginnings of both.
        #expect(scratch.text("roost-x/cgroup.subtree_control")?.contains("+memory") == true)
        #expect(scratch.text("cgroup.subtree_control")?.hasPrefix("+pids") == true)
    }

    @Test
    func hierarchiesOfVersion1AreKnown() {
        let text = """
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
            39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:3 - cgroup cgroup rw,pids
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            36 31 0:32 /part /mnt/cpu rw,relatime - cgroup cgroup rw,cpu
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
            """
        let found = LegacyGroups.hierarchies(text).map { "\($0.controller) \($0.point)" }
        #expect(found == ["cpu /sys/fs/cgroup/cpu,cpuacct", "pids /sys/fs/cgroup/pids"])
    }

    @Test
    func whatTheKernelPutsOffIsWrittenLater() {
        let later = LaterWrites()
        let tries = Mutex(0)
        later.put(1) {
            tries.withLock {
                $0 += 1; return $0 > 2
            }
        }
        #expect(later.holds(1))
        let isReplaced = Mutex(false)
        later.put(2) { false }
        later.put(2) {
            isReplaced.withLock { $0 = true }; return true
        }
        #expect(eventually { !later.holds(1) && !later.holds(2) })
        #expect(tries.withLock { $0 } == 3 && isReplaced.withLock { $0 })
    }

    private func ticks(_ handle: ProcessHandle) -> Int { Int(ProcStat(pid: handle.pid)?.ticks ?? 0) }
}
