import Foundation
import Glibc
import LifeCycleModel

/// A fault that the soak inflicts on the system's processes or its machine, in addition to what the hostile apps do.
enum AttackBlow: String, CaseIterable {
    case killSupervisor = "SIGKILL for the supervisor"
    case killGuardian = "SIGKILL for the guardian"
    case killCarrier = "SIGKILL for the carrier"
    case fillDisk = "the disk fills up"
    case diskErrors = "system calls on the disk fail with EIO"
    case noRoom = "system calls on the disk fail with ENOSPC"
    case noDescriptors = "system calls that make descriptors fail with EMFILE"
    case noProcesses = "births fail with EAGAIN"

    /// The system calls that strace makes fail, and the error; nil for other blows. Every third call fails.
    var injection: (calls: String, error: String)? {
        switch self {
        case .diskErrors: ("pwrite64,fsync,fdatasync", "EIO")
        case .noRoom: ("pwrite64,ftruncate,fallocate", "ENOSPC")
        case .noDescriptors: ("openat,accept4,socket,pidfd_open", "EMFILE")
        case .noProcesses: ("clone,clone3", "EAGAIN")
        case .killSupervisor, .killGuardian, .killCarrier, .fillDisk: nil
        }
    }

    /// Whether the supervisor may end by itself during the fault, because it cannot write what it must persist.
    var mayEndSupervisor: Bool {
        switch self {
        case .fillDisk, .diskErrors, .noRoom, .noDescriptors, .noProcesses, .killSupervisor, .killGuardian: true
        case .killCarrier: false
        }
    }
}

extension AttackSoak {
    /// Inflicts a fault, and undoes its reversible effects.
    func strike(_ blow: AttackBlow) throws {
        if blow != .killCarrier { note(blow.rawValue) }
        switch blow {
        case .killSupervisor:
            let supervisor = system.supervisor
            supervisor?.send(SIGKILL)
            try supervisor?.waitUntilGone()
            try system.untilUpAgain()
        case .killGuardian: try system.crashAndRestart(.guardian)
        case .killCarrier:
            // Only a carrier that has ended counts. There may be none: the downloading app is under attack, too.
            try startDownloads()
            _ = try? system.until("a carrier runs", lookingAgainAfter: 0.02, within: 1) {
                system.carriers.isEmpty ? nil : true
            }
            for carrier in system.carriers.compactMap({ HeldProcess($0) }) {
                carrier.send(SIGKILL)
                try carrier.waitUntilGone()
                note(blow.rawValue)
            }
        case .fillDisk:
            fillDisk()
            try act()
            try useIfRunning(countingLatency: true)
            emptyDisk()
        case .diskErrors, .noRoom, .noDescriptors, .noProcesses: try inject(blow)
        }
    }

    // MARK: The disk

    private var filler: String { system.state + "/filler" }

    /// Writes a file until the disk is full.
    private func fillDisk() {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let block = [UInt8](repeating: 1, count: 1 << 16)
        for size in [1 << 16, 512] { while write(file, block, size) > 0 {} }
        close(file)
    }

    func emptyDisk() { unlink(filler) }

    // MARK: System calls that fail

    /// Makes system calls of the supervisor fail for a while. Always ends the tracer.
    private func inject(_ blow: AttackBlow) throws {
        guard let injection = blow.injection, let supervisor = system.supervisor else { return }
        let said = system.directory + "/strace.txt"
        unlink(said)
        let tracer = try ChildProcess(
            [
                "strace", "-f", "-qq", "-o", "/dev/null", "-p", "\(supervisor.pid)", "-e", "trace=" + injection.calls,
                "-e", "inject=\(injection.calls):error=\(injection.error):when=1+3",
            ], environment: system.environment, output: said)
        defer {
            tracer.held.send(SIGTERM)
            _ = try? tracer.exit(within: 10)
            tracer.kill()
        }
        try untilTraced(supervisor, tracer, said)
        for _ in 0..<3 { try act() }
        // The freezer is also written with `pwrite64`, and an app that cannot be frozen is ended. The tracer stops
        // every system call, so latencies measured now say nothing about the system.
        if !injection.calls.contains("pwrite64") { try useIfRunning(countingLatency: false) }
    }

    private func untilTraced(_ process: HeldProcess, _ tracer: ChildProcess, _ said: String) throws {
        let deadline = Deadline()
        while Kernel.text("/proc/\(process.pid)/status")?.contains("TracerPid:\t0\n") != false {
            guard !deadline.isOver, !process.isGone, !tracer.held.isGone else {
                throw TestFailure(description: "strace does not trace the supervisor: \(Kernel.text(said) ?? "")")
            }
            sched_yield()
        }
    }
}
