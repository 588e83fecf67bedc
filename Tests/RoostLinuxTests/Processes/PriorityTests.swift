import Glibc
import LifeCycleModel
import RoostPorts
import Synchronization
import Testing

@testable import RoostLinux

@Suite(.serialized)
struct PriorityTests {
    /// All on one processor, so that no process can move to another. Other work on the machine takes time from all
    /// alike.
    @Test(arguments: [false, true])
    func theForegroundGetsNearlyAll(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let loop = "taskset -pc 0 $$ > /dev/null; echo up > up.$1; while :; do :; done"
        var background: [(launch: LaunchID, handle: ProcessHandle)] = []
        for number in 1...5 {
            let app = try bench.start("/bin/sh", ["-c", loop, "sh", "\(number)"], number: Int32(number))
            // With the background's share, the shell might not get this far while other programs are busy.
            _ = try bench.await("up.\(number)")
            try bench.processes.setPriority(app.launch, .background)
            background.append(app)
        }
        let front = try bench.start("/bin/sh", ["-c", loop, "sh", "6"], number: 6)
        try bench.processes.setPriority(front.launch, .foreground)
        _ = try bench.await("up.6")
        let before = ticks(front.handle)
        let others = background.reduce(0) { $0 + ticks($1.handle) }
        #expect(eventually { ticks(front.handle) >= before + 50 })
        let got = ticks(front.handle) - before
        let left = background.reduce(0) { $0 + ticks($1.handle) } - others
        // With weights, each of the five gets 1 part in 500; as sessions or by niceness, 1 in 68. The batch class only
        // delays its turns. With this class the foreground gets at least half of an even share.
        let text = try #require(bench.processes.evidence(background[0].launch)?.priority)
        let tenths = [("cpu.", 90), ("autogroup nice 19", 30), ("nice 19", 30), ("batch", 1)]
        let least = try #require(tenths.first { text.hasPrefix($0.0) }, "\(text)").1
        #expect(got * 10 >= left * least, "\(got) against \(left) ticks, \(text)")
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
        #expect(texts[0] == texts[2])
        let parts = texts.map { $0?.split(separator: ", ").map(String.init) ?? [] }
        try #require(parts.allSatisfy { $0.count == 2 }, "\(texts)")
        let processor = [
            ["cpu.weight 1", "cpu.weight 500"], ["cpu.shares 2", "cpu.shares 1024"],
            ["autogroup nice 19", "autogroup nice 0"], ["nice 19", "nice 0"], ["batch", "nice 0"],
        ]
        #expect(processor.contains([parts[0][0], parts[1][0]]), "\(texts)")
        let disks = [
            ["io.weight 1", "io.weight 500"], ["bfq.weight 1", "bfq.weight 500"],
            ["blkio.weight 1", "blkio.weight 500"], ["ionice 7", "ionice 4"],
        ]
        // Without weights the processes' own level counts. Without a level, the level that follows from niceness does.
        #expect(disks[(signals ? 3 : 0)...].contains([parts[0][1], parts[1][1]]), "\(texts)")
        #expect(throws: SystemError.self) {
            try bench.processes.setPriority(LaunchID(app: AppID(9), number: 9), .background)
        }
    }

    @Test
    func weightsAreWrittenIfTheTreeHasThem() throws {
        let scratch = try Scratch()
        scratch.directory("app.1")
        for knob in ["cpu.weight", "io.weight", "cgroup.procs", "cgroup.events"] { scratch.file("app.1/" + knob) }
        let tree = CgroupTree(root: scratch.path)
        let priority = Priority(tree: tree, groups: LegacyGroups())
        let enclosure = try CgroupEnclosure(tree: tree, name: "app.1")
        try priority.set(.background, name: "app.1", enclosure: enclosure)
        #expect(scratch.text("app.1/cpu.weight") == "1" && scratch.text("app.1/io.weight") == "default 1")
        #expect(priority.text(name: "app.1", processes: []) == "cpu.weight 1, io.weight 1")
        scratch.file("app.1/io.weight", "default 77\n8:0 300\n")
        #expect(priority.text(name: "app.1", processes: []) == "cpu.weight 1, io.weight 77")
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
    func deferredWritesAreRetried() throws {
        let later = LaterWrites(worker: try WorkerThread("later"))
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
