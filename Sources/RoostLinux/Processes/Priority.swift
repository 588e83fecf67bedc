internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// Sets a launch's share of the processor and the disks. The best available mechanism is used: v2 weights, v1 shares,
/// session niceness (autogroup), niceness, and finally the batch class.
///
/// A foreground app weighs five hundred times as much as a background app. With twenty busy background apps on the same
/// processor, the foreground app gets 96 % of it. A background app still gets 10 ms in five seconds, enough to finish
/// its work.
struct Priority {
    let tree: CgroupTree?
    let groups: LegacyGroups
    let sessions: SessionNiceness

    init(tree: CgroupTree?, groups: LegacyGroups, worker: WorkerThread? = nil) {
        self.tree = tree
        self.groups = groups
        sessions = SessionNiceness(worker: worker)
    }

    /// The kernel's parameters for each priority.
    struct Numbers: Hashable {
        /// v2 `cpu.weight` and `io.weight`, 1 to 10000; `blkio.bfq.weight`, 1 to 1000.
        let weight: Int
        /// v1 `cpu.shares`, at least 2.
        let shares: Int
        /// Niceness, from -20 (first) to 19 (last).
        let nice: Int32
        /// The I/O level within the best-effort class, 0 to 7; negative for the default.
        let ioLevel: Int32

        static func of(_ priority: ProcessPriority) -> Numbers {
            switch priority {
            case .foreground: Numbers(weight: 500, shares: 1024, nice: 0, ioLevel: -1)
            case .background: Numbers(weight: 1, shares: 2, nice: 19, ioLevel: 7)
            }
        }
    }

    /// Sets the priority of the launch with this cgroup name. Processes started later inherit it.
    func set(_ priority: ProcessPriority, name: String, enclosure: any Enclosure) throws(SystemError) {
        let numbers = Numbers.of(priority)
        let processes = enclosure.processes()
        setDisks(numbers, name: name, processes)
        if let tree, tree.has(.processorWeight, of: name) {
            return try tree.write("\(numbers.weight)", to: .processorWeight, of: name)
        }
        if let shares = groups.knob("cpu", "cpu.shares", of: name) {
            guard Files.write("\(numbers.shares)", to: shares) else { throw .now("write a cgroup", shares) }
            return
        }
        var failure: SystemError?
        for pid in processes {
            do throws(SystemError) {
                try set(numbers, of: pid)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Sets the priority of one process. It is no error if the process is gone.
    private func set(_ numbers: Numbers, of pid: Int32) throws(SystemError) {
        if SessionNiceness.counts(for: pid) { return try sessions.set(numbers.nice, of: pid) }
        for thread in Proc.threadNumbers(of: pid) {
            // Lowering a priority can be undone only by root, or with a niceness limit (ulimit -e) of at least 20.
            // Otherwise the app would stay slow forever. Then use the batch class: its effect is small, but any process
            // may leave it.
            guard NiceRight.mayReturn else {
                _ = croost_set_batch(thread, numbers.nice > 0 ? 1 : 0)
                continue
            }
            let code = croost_set_nice(thread, numbers.nice)
            guard code == 0 || code == ESRCH else {
                throw SystemError(doing: "set the niceness of an app", subject: "process \(pid)", errno: code)
            }
        }
    }

    /// Ignores errors: not every disk has a scheduler that uses these values.
    private func setDisks(_ numbers: Numbers, name: String, _ processes: [Int32]) {
        if let tree, tree.has(.diskWeight, of: name) {
            try? tree.write("default \(numbers.weight)", to: .diskWeight, of: name)
        }
        for file in Self.legacyDiskWeights {
            if let knob = groups.knob("blkio", file.name, of: name) { _ = Files.write("\(numbers.weight)", to: knob) }
        }
        for pid in processes {
            for thread in Proc.threadNumbers(of: pid) { _ = croost_set_io_level(thread, numbers.ioLevel) }
        }
    }

    /// The v1 files with disk weights, and their names in `roost ps`.
    private static let legacyDiskWeights = [
        (name: "blkio.bfq.weight", short: "bfq.weight"), (name: "blkio.weight", short: "blkio.weight"),
    ]

    /// The launch's share as the kernel reports it: of the processor, then of the disks; nil if no share can be read.
    func text(name: String, processes: [Int32]) -> String? {
        let shares = [processorText(name: name, processes: processes), diskText(name: name, processes: processes)]
        let known = shares.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    private func diskText(name: String, processes: [Int32]) -> String? {
        // The text is `default 500`, perhaps followed by lines for single disks.
        if let tree, let text = try? tree.read(.diskWeight, of: name), let weight = Self.lastWordOfFirstLine(text) {
            return "io.weight \(weight)"
        }
        for file in Self.legacyDiskWeights {
            if let knob = groups.knob("blkio", file.name, of: name), let text = Files.text(knob),
                let weight = Self.lastWordOfFirstLine(text)
            {
                return "\(file.short) \(weight)"
            }
        }
        var level: Int32 = 0
        guard let first = processes.first, croost_get_io_level(first, &level) == 0 else { return nil }
        return "ionice \(level)"
    }

    private static func lastWordOfFirstLine(_ text: String) -> Substring? {
        text.split(separator: "\n").first?.split(separator: " ").last
    }

    private func processorText(name: String, processes: [Int32]) -> String? {
        if let tree, let weight = tree.number(.processorWeight, of: name) { return "cpu.weight \(weight)" }
        if let shares = groups.knob("cpu", "cpu.shares", of: name), let text = Files.text(shares) {
            return "cpu.shares \(text.split(separator: "\n").first ?? "")"
        }
        guard let first = processes.first else { return nil }
        if SessionNiceness.counts(for: first) { return SessionNiceness.nice(of: first).map { "autogroup nice \($0)" } }
        if croost_is_batch(first) != 0 { return "batch" }
        var nice: Int32 = 0
        return croost_get_nice(first, &nice) == 0 ? "nice \(nice)" : nil
    }
}

/// Whether this process may restore a niceness that it has raised.
enum NiceRight {
    static let mayReturn: Bool = {
        var limit = rlimit()
        // A limit of 20 allows niceness 0.
        return geteuid() == 0
            || getrlimit(__rlimit_resource_t(__RLIMIT_NICE.rawValue), &limit) == 0 && limit.rlim_cur >= 20
    }()
}
