import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

@Suite(.serialized)
struct MemoryTests {
    @Test
    func triggersAreAsTheKernelTakesThem() {
        #expect(MemoryPressure.Trigger.low.text == "some 150000 2000000")
        #expect(MemoryPressure.Trigger.short.text == "full 100000 2000000")
        #expect(MemoryLevel.low < .short)
    }

    @Test
    func unwatchedMemoryLevelsHaveAReason() {
        let pressure = MemoryPressure()
        if let limitation = pressure.limitation {
            #expect(pressure.signals.isEmpty && pressure.mechanism.contains(limitation.reason))
        } else {
            #expect(pressure.signals.map(\.level) == [.low, .short])
            #expect(pressure.mechanism == "PSI some 150 ms in 2 s, full 100 ms in 2 s")
        }
        let none = MemoryPressure(file: "/no/such/pressure")
        #expect(none.signals.isEmpty && none.limitation?.errno == ENOENT)
    }

    /// A process that repeatedly reads a file larger than its memory limit, and so waits for memory all the time.
    @Test
    func memoryPressureIsReported() throws {
        let memory = "/sys/fs/cgroup/memory"
        guard geteuid() == 0, access(memory + "/memory.limit_in_bytes", F_OK) == 0 else {
            try Test.cancel("no memory controller of version 1 is writable here")
        }
        let trigger = MemoryPressure.Trigger(isFull: false, stall: .milliseconds(1), window: .milliseconds(500))
        let full = MemoryPressure.Trigger(isFull: true, stall: .milliseconds(1), window: .milliseconds(500))
        let pressure = MemoryPressure(low: trigger, short: full)
        if let limitation = pressure.limitation { try Test.cancel("\(limitation)") }
        let bench = try Bench()
        let cgroup = memory + "/roost-test-\(getpid())"
        try #require(mkdir(cgroup, 0o755) == 0)
        defer { #expect(eventually { rmdir(cgroup) == 0 }) }
        #expect(Files.write("\(8 << 20)", to: cgroup + "/memory.limit_in_bytes"))
        let script = """
            echo $$ > \(cgroup)/cgroup.procs
            head -c 67108864 /dev/zero > big
            while :; do cat big > /dev/null; done
            """
        let app = try bench.shell(script)
        defer {
            try? bench.processes.kill(app.launch)
            _ = poll(app.handle.descriptor, POLLIN)
        }
        let low = try #require(pressure.signals.first)
        #expect(poll(low.descriptor, POLLPRI, milliseconds: 20_000), "the wait for memory is reported")
        #expect(poll(low.descriptor, POLLPRI, milliseconds: 20_000), "reported again while it lasts")
    }

    /// Memory that two processes share is counted once, however large they are. Otherwise an app could be ended that
    /// frees less than it seems to (T15).
    @Test
    func sharedMemoryIsCountedOnce() throws {
        let bench = try Bench()
        let script = """
            text=$(head -c 80000000 /dev/zero | tr '\\0' a)
            (echo up > up; read x < none || sleep 60; : $text) &
            wait
            : $text
            """
        let app = try bench.shell(script)
        _ = try bench.await("up")
        let processes = bench.processes.tree.map { $0.processes("org.example.Test.1") } ?? []
        let resident = processes.compactMap(Footprint.residentBytes).reduce(0, +)
        try #require(resident > 160_000_000, "both processes have it in memory")
        let measured = try bench.freeze(app.launch)
        #expect(measured > 80_000_000 && measured < resident * 3 / 4, "\(measured) of \(resident)")
    }

    @Test
    func footprintsAreEstimatedInTime() throws {
        #expect(Footprint.ownPages("100 60 20 1 0 30 0\n") == 40)
        #expect(Footprint.ownPages("100") == nil)
        let bench = try Bench()
        let app = try bench.shell("i=0; while [ $i -lt 63 ]; do sleep 60 & i=$((i+1)); done; echo up > up; wait")
        _ = try bench.await("up")
        let processes = bench.processes.tree.map { $0.processes("org.example.Test.1") } ?? []
        let exact = Footprint.bytes(of: processes)
        let hurried = Footprint.estimate(of: processes, patience: 0)
        #expect(exact > 0 && hurried > 0 && hurried < exact * 2)
        _ = app
    }
}
