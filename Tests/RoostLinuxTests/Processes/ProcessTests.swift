import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// Behavior that cgroups and signals have in common, on real processes.
@Suite(.serialized)
struct ProcessTests {
    @Test(arguments: [false, true])
    func exitCodesAndSignalsAreReported(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let seven = try bench.shell("exit 7", number: 1)
        let term = try bench.shell("kill -TERM $$; sleep 60", number: 2)
        #expect(try bench.exit(seven.launch, seven.handle) == .exited(code: 7))
        #expect(try bench.exit(term.launch, term.handle) == .signaled(SIGTERM))
        #expect(bench.processes.collect(seven.launch) == .unknown)
        #expect(bench.processes.evidence(seven.launch) == nil)
    }

    @Test(arguments: [false, true])
    func aFrozenLaunchUsesNoProcessorTimeAndContinues(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.shell("echo up > up; while :; do :; done")
        _ = try bench.await("up")
        #expect(try bench.freeze(app.launch) > 0)
        let evidence = try #require(bench.processes.evidence(app.launch))
        let signals = bench.processes.tree == nil
        #expect(evidence.freezer == (signals ? "stopped" : "frozen 1"))
        #expect(evidence.isPopulated)
        #expect(evidence.memory ?? 0 > 0)
        let before = try #require(ProcStat(pid: app.handle.pid)).ticks
        // Five ticks, in which a running loop would have counted.
        #expect(!poll(app.handle.descriptor, POLLIN, milliseconds: 60))
        #expect(try #require(ProcStat(pid: app.handle.pid)).ticks == before)

        try bench.processes.thaw(app.launch)
        #expect(eventually { (ProcStat(pid: app.handle.pid)?.ticks ?? 0) > before })
        #expect(bench.processes.evidence(app.launch)?.freezer == (signals ? "running" : "frozen 0"))
        #expect(bench.processes.evidence(app.launch)?.processorTime ?? .zero > .zero)
    }

    /// `posix_spawn` waits like `vfork`: until its child, which here waits for the writer of a FIFO, has executed the
    /// program. The signal stops the child first.
    @Test(arguments: [false, true])
    func aProcessThatStartsAnotherIsFrozen(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let fifo = bench.scratch.path + "/fifo"
        mkfifo(fifo, 0o600)
        let script = """
            import os, sys
            fifo = (os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)
            os.posix_spawn("/bin/sleep", ["sleep", "60"], {}, file_actions=[fifo])
            os.wait()
            """
        let app = try bench.start("/usr/bin/env", ["python3", "-c", script, fifo])
        let isSpawning = eventually {
            Proc.members(ofSession: app.handle.pid).count == 2
                && ProcStat(pid: app.handle.pid)?.isUninterruptible == true
        }
        #expect(isSpawning)
        _ = try bench.processes.freeze(app.launch)
        let writer = open(fifo, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        let isFrozen = eventually {
            if case .frozen? = try? bench.processes.freezeProgress(app.launch) { true } else { false }
        }
        #expect(isFrozen)
    }

    @Test(arguments: [false, true])
    func aFrozenLaunchCanBeKilled(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.start("/bin/sleep", ["60"])
        _ = try bench.freeze(app.launch)
        try bench.processes.kill(app.launch)
        #expect(try bench.exit(app.launch, app.handle) == .signaled(SIGKILL))
    }

    @Test(arguments: [false, true])
    func aRequestToExitIsSIGTERM(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.shell("trap 'exit 3' TERM; echo up > up; while :; do read x < fifo; done")
        mkfifo(bench.scratch.path + "/fifo", 0o600)
        _ = try bench.await("up")
        try bench.processes.requestExit(app.launch)
        #expect(try bench.exit(app.launch, app.handle) == .exited(code: 3))
    }

    @Test(arguments: [false, true])
    func processesLeftByAnAppAreEnded(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.shell("sleep 60 & echo $! > child; (sleep 60 & echo $! > grandchild); exit 0")
        let child = try #require(Int32(try bench.await("child").dropLast()))
        let grandchild = try #require(Int32(try bench.await("grandchild").dropLast()))
        #expect(poll(app.handle.descriptor, POLLIN))
        #expect(isAlive(child) && isAlive(grandchild))
        #expect(bench.processes.contains(app.launch, peer(child)))
        #expect(bench.processes.collect(app.launch) == .exited(code: 0))
        #expect(!isAlive(child) && !isAlive(grandchild))
    }

    @Test(arguments: [false, true])
    func onlyItsOwnProcessesAreContained(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let first = try bench.start("/bin/sleep", ["60"], number: 1)
        let second = try bench.start("/bin/sleep", ["60"], number: 2)
        #expect(bench.processes.contains(first.launch, peer(first.handle.pid)))
        #expect(!bench.processes.contains(first.launch, peer(second.handle.pid)))
        #expect(!bench.processes.contains(first.launch, peer(getpid())))
        #expect(!bench.processes.contains(first.launch, peer(0)))
    }

    @Test(arguments: [false, true])
    func anAppsProcessIsRecognized(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.shell("sleep 60 & echo $! > child; wait")
        let child = try #require(Int32(try bench.await("child").dropLast()))
        #expect(bench.processes.isAppProcess(peer(app.handle.pid)) == true)
        #expect(bench.processes.isAppProcess(peer(child)) == true)
        #expect(bench.processes.isAppProcess(peer(getpid())) == false)
        #expect(bench.processes.isAppProcess(peer(0)) == nil)
        #expect(bench.processes.isAppProcess(peer(0x3f_ffff)) == nil)
        try bench.processes.kill(app.launch)
        #expect(poll(app.handle.descriptor, POLLIN))
        #expect(bench.processes.isAppProcess(peer(app.handle.pid)) == nil, "a zombie is not an app's process")
    }

    @Test(arguments: [false, true])
    func aProcessIsFoundAgainByAnotherRunOfTheSystem(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.start("/bin/sleep", ["60"])
        _ = try bench.freeze(app.launch)
        let later =
            signals
            ? LinuxProcesses.usingSignals()
            : try LinuxProcesses(systemID: bench.systemID, environment: LinuxProcesses.ownEnvironment)
        let (launch, pid, start) = (app.launch, app.handle.pid, app.handle.startTime)
        let found = try #require(later.find(launch, identifier: bench.identifier, pid: pid, startTime: start))
        #expect(found.pid == pid && found.descriptor != app.handle.descriptor)
        guard case .frozen = try later.freezeProgress(launch) else {
            Issue.record("the app is not frozen")
            return
        }
        #expect(later.removeLeftovers().isEmpty)
        try later.kill(launch)
        #expect(poll(found.descriptor, POLLIN))
        #expect(later.collect(launch) == .signaled(SIGKILL))
    }

    @Test(arguments: [false, true])
    func anotherProcessIsNotFoundAsALaunch(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        let app = try bench.start("/bin/sleep", ["60"])
        let later = LinuxProcesses(tree: signals ? nil : CgroupTree(root: "/nonexistent"))
        let start = app.handle.startTime
        #expect(later.find(app.launch, identifier: bench.identifier, pid: app.handle.pid, startTime: start + 1) == nil)
        #expect(later.find(app.launch, identifier: bench.identifier, pid: 0x3f_ffff, startTime: start) == nil)
        let own = try #require(ProcStat(pid: getpid())).startTime
        #expect(later.find(app.launch, identifier: bench.identifier, pid: getpid(), startTime: own) == nil)
        #expect(isAlive(app.handle.pid))
    }

    @Test
    func theExitOfANonChildIsReadFromTheKernel() throws {
        let bench = try Bench()
        let app = try bench.shell("exit 9")
        #expect(poll(app.handle.descriptor, POLLIN))
        // Still a zombie: /proc has its wait status.
        let (pid, start) = (app.handle.pid, app.handle.startTime)
        let zombie = Proc.exitOfStranger(pid: pid, startTime: start, pidfd: app.handle.descriptor)
        #expect(zombie == .exited(code: 9))
        // Reaped: only kernels from 6.15 on remember the status, and with other kernels the code must not guess.
        let copy = dup(app.handle.descriptor)
        defer { close(copy) }
        #expect(bench.processes.collect(app.launch) == .exited(code: 9))
        let reaped = Proc.exitOfStranger(pid: pid, startTime: start, pidfd: copy)
        #expect(reaped == .exited(code: 9) || reaped == .unknown)
    }
}

/// The start of a process.
@Suite(.serialized)
struct StartTests {
    @Test(arguments: [false, true])
    func aFailedStartSaysWhyAndLeavesNothing(signals: Bool) throws {
        let bench = try Bench(signals: signals)
        bench.scratch.file("plain", "#!/bin/sh\n")
        try bench.scratch.program("noise", "\u{1}\u{2}\u{3}")
        try bench.scratch.program("lost", "#!/no/such/interpreter\n")
        for (name, code) in [("missing", ENOENT), ("plain", EACCES), ("noise", ENOEXEC), ("lost", ENOENT)] {
            let error = #expect(throws: SystemError.self) {
                try bench.start(bench.scratch.path + "/" + name, [])
            }
            #expect(error?.errno == code)
            #expect(error?.subject == bench.scratch.path + "/" + name)
        }
        #expect(bench.processes.tree?.children("") ?? [] == [])
    }

    @Test
    func aMissingDirectoryOrLogIsReported() throws {
        let bench = try Bench()
        var specification = bench.specification("/bin/true", [])
        specification.workingDirectory = "/no/such/directory"
        #expect(throws: SystemError.self) { try bench.processes.start(specification) }
        specification = bench.specification("/bin/true", [])
        specification.logFile = "/no/such/directory/log"
        let error = #expect(throws: SystemError.self) { try bench.processes.start(specification) }
        #expect(error?.doing == "open the app's log file")
        specification = bench.specification("/bin/true", ["a\0b"])
        #expect(throws: SystemError.self) { try bench.processes.start(specification) }
    }

    @Test
    func theSameLaunchDoesNotStartTwice() throws {
        let bench = try Bench()
        try bench.start("/bin/sleep", ["60"])
        let error = #expect(throws: SystemError.self) { try bench.start("/bin/sleep", ["60"]) }
        #expect(error?.errno == EEXIST)
    }

    @Test
    func outputIsAppendedToTheLog() throws {
        let bench = try Bench()
        bench.scratch.file("log", "before\n")
        let app = try bench.shell("echo out; echo err >&2; readlink /proc/self/fd/0; grep flags /proc/self/fdinfo/1")
        _ = try bench.exit(app.launch, app.handle)
        let lines = bench.logText.split(separator: "\n")
        #expect(lines.prefix(4) == ["before", "out", "err", "/dev/null"])
        let flags = try #require(lines.last.flatMap { Int32($0.split(separator: "\t").last ?? "", radix: 8) })
        #expect(flags & O_APPEND != 0)
    }

    @Test
    func noDescriptorLeaksButTheOnePassed() throws {
        let bench = try Bench()
        // A descriptor of this process that any child would inherit.
        let ours = fcntl(2, F_DUPFD, 500)
        defer { close(ours) }
        let without = try bench.start("/bin/ls", ["/proc/self/fd"], number: 1)
        _ = try bench.exit(without.launch, without.handle)
        // 3 is the directory that ls itself has open.
        #expect(bench.logText == "0\n1\n2\n3\n")
        truncate(bench.log, 0)
        let with = try bench.start("/bin/ls", ["/proc/self/fd"], number: 2, passing: ours)
        _ = try bench.exit(with.launch, with.handle)
        #expect(bench.logText == "0\n1\n2\n3\n4\n")
    }

    @Test
    func anAppGetsItsLimitOfOpenFiles() throws {
        let bench = try Bench()
        bench.processes.openFilesOfApps = 123
        let limited = try bench.shell("ulimit -Sn; ulimit -Hn", number: 1)
        _ = try bench.exit(limited.launch, limited.handle)
        let before = try LinuxProcesses.raiseOpenFiles()
        let most = try LinuxProcesses.raiseOpenFiles()
        defer {
            var limit = rlimit(rlim_cur: rlim_t(before), rlim_max: rlim_t(most))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        #expect(bench.logText.split(separator: "\n") == ["123", "\(most)"])
        bench.processes.openFilesOfApps = nil
        let unlimited = try bench.shell("ulimit -Sn > ours", number: 2)
        _ = try bench.exit(unlimited.launch, unlimited.handle)
        #expect(try bench.await("ours") == "\(most)\n")
    }

    @Test
    func anAppHasItsOwnSessionSignalsAndEnvironment() throws {
        let bench = try Bench()
        // As the system does.
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let app = try bench.shell("env > environment; grep -E 'Sig(Blk|Ign)' /proc/self/status > signals; pwd > where")
        _ = try bench.exit(app.launch, app.handle)
        #expect(try bench.await("where") == bench.scratch.path + "\n")
        let signals = try bench.await("signals").split(separator: "\n")
        #expect(signals == ["SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"])
        let environment = try bench.await("environment").split(separator: "\n")
        #expect(
            environment.allSatisfy {
                $0.hasPrefix("PATH=") || $0.hasPrefix("PWD=") || $0.hasPrefix("_=") || $0.hasPrefix("OLDPWD=")
                    || $0.hasPrefix("SHLVL=")
            })
        let sleeper = try bench.start("/bin/sleep", ["60"], number: 2)
        let stat = try #require(ProcStat(pid: sleeper.handle.pid))
        #expect(stat.session == sleeper.handle.pid && stat.group == sleeper.handle.pid)
    }
}
