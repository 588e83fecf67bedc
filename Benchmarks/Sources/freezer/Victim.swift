import CFreeze
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts

/// A process that the adapter and C freeze and thaw.
final class Victim {
    let launch: LaunchID
    private let processes: LinuxProcesses
    private let cgroup: freeze_cgroup
    private let page: UnsafeMutablePointer<shared_page>

    init(
        _ launch: LaunchID, processes: LinuxProcesses, cgroup: freeze_cgroup, page: UnsafeMutablePointer<shared_page>
    ) {
        self.launch = launch
        self.processes = processes
        self.cgroup = cgroup
        self.page = page
    }

    deinit {
        close(cgroup.freeze)
        close(cgroup.events)
        munmap(page, 4096)
    }

    /// A freeze and a thaw by the adapter, then both in C. Each thaw is followed by a pause in microseconds.
    func takeTurns(_ samples: inout Samples, pause: UInt32 = 20_000) throws {
        samples.add(\.freeze, roost: try freeze())
        samples.add(\.thaw, roost: try timeOfThaw { try thaw() })
        usleep(pause)
        samples.add(\.freeze, c: try freezeInC())
        samples.add(\.thaw, c: try timeOfThaw { try thawInC() })
        usleep(pause)
    }

    /// Freezes the process as the supervisor does: requests it, and checks again when the adapter's watch reports a
    /// change.
    func freeze() throws -> Int64 {
        let start = freeze_now()
        var progress = try processes.freeze(launch)
        while case .pending(let watch, let delay) = progress {
            var descriptor = pollfd(fd: watch ?? -1, events: Int16(POLLPRI), revents: 0)
            poll(&descriptor, 1, Int32(delay.rawValue / 1_000_000))
            progress = try processes.freezeProgress(launch)
        }
        return freeze_now() - start
    }

    func thaw() throws { try processes.thaw(launch) }

    func freezeInC() throws -> Int64 {
        let start = freeze_now()
        try check(freeze_begin(cgroup), "freeze")
        try check(freeze_wait(cgroup), "wait for the freezer")
        return freeze_now() - start
    }

    func thawInC() throws { try check(freeze_thaw(cgroup), "thaw") }

    /// From before the thaw to the victim's first instruction.
    private func timeOfThaw(_ thaw: () throws -> Void) throws -> Int64 {
        freeze_ask(page)
        let start = freeze_now()
        try thaw()
        let seen = freeze_answer(page)
        guard seen > 0 else { throw Problem("the victim does not run again") }
        return seen - start
    }

    private func check(_ code: Int32, _ doing: String) throws {
        guard code == 0 else { throw Problem("cannot \(doing): \(String(cString: strerror(code)))") }
    }
}

struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The victims of this run, in cgroups of a separate system.
final class Farm {
    private let victim: String
    private let log: String
    private let processes: LinuxProcesses
    private var handles: [LaunchID: ProcessHandle] = [:]
    private var last: Int32 = 0

    init(victim: String, log: String) throws {
        self.victim = victim
        self.log = log
        processes = try LinuxProcesses(
            systemID: "bench\(getpid())", environment: LinuxProcesses.ownEnvironment)
        if let limitation = processes.limitation { throw limitation }
    }

    /// Starts a victim with this many threads. One thread runs; with 0 threads none runs.
    func start(threads: Int) throws -> Victim {
        last += 1
        // A valid number and a valid name.
        let launch = LaunchID(app: AppID(last), number: 1)
        guard let identifier = BundleIdentifier("org.roost.bench.victim\(last)") else { throw Problem("a bad name") }
        var descriptor: Int32 = -1
        var page: UnsafeMutablePointer<shared_page>?
        guard freeze_share(&descriptor, &page) == 0, let page else { throw Problem("cannot share a page") }
        defer { close(descriptor) }
        handles[launch] = try processes.start(
            LaunchSpecification(
                launch: launch, identifier: identifier, executable: victim, arguments: ["\(threads)"],
                environment: [], workingDirectory: "/", logFile: log),
            passing: descriptor)
        var cgroup = freeze_cgroup()
        guard let place = processes.evidence(launch)?.place, freeze_open(place, &cgroup) == 0 else {
            throw Problem("cannot open the victim's cgroup")
        }
        guard freeze_ready(page) == 1 else { throw Problem("the victim does not start") }
        return Victim(launch, processes: processes, cgroup: cgroup, page: page)
    }

    /// Ends a victim, and removes its cgroup.
    func end(_ victim: Victim) throws { try end(victim.launch) }

    private func end(_ launch: LaunchID) throws {
        guard let handle = handles.removeValue(forKey: launch) else { return }
        try processes.kill(launch)
        var exited = pollfd(fd: handle.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&exited, 1, 5_000)
        _ = processes.collect(launch)
    }

    /// Ends all remaining victims.
    func end() {
        for launch in handles.keys { try? end(launch) }
        processes.removeTreeIfEmpty()
    }
}
