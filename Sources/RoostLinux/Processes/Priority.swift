internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// Gives launches their share of the processor and the disks, by the best means there is: v2 weights, v1 shares, the
/// scheduler's groups of sessions, niceness, and at last the batch class.
///
/// A foreground app counts five hundred times a background one: beside twenty busy ones on its own processor it keeps
/// 96 % of it, and a background app still gets 10 ms in five seconds, enough to end what it was told to end.
struct Priority {
    let tree: CgroupTree?
    let groups: LegacyGroups
    let sessions: SessionNiceness

    init(tree: CgroupTree?, groups: LegacyGroups, worker: WorkerThread? = nil) {
        self.tree = tree
        self.groups = groups
        sessions = SessionNiceness(worker: worker)
    }

    /// What the kernel is told for each priority.
    struct Numbers: Hashable {
        /// v2 `cpu.weight` and `io.weight`, 1 to 10000; `blkio.bfq.weight`, 1 to 1000.
        let weight: Int
        /// v1 `cpu.shares`, from 2 on.
        let shares: Int
        /// From -20, the first, to 19, the last.
        let nice: Int32
        /// The level within best effort, 0 to 7; below 0 for the usual one.
        let ioLevel: Int32

        static func of(_ priority: ProcessPriority) -> Numbers {
            switch priority {
            case .foreground: Numbers(weight: 500, shares: 1024, nice: 0, ioLevel: -1)
            case .background: Numbers(weight: 1, shares: 2, nice: 19, ioLevel: 7)
            }
        }
    }

    /// Sets it for the launch whose cgroups have this name. Processes born later inherit it.
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

    /// One that is gone by now is no error.
    private func set(_ numbers: Numbers, of pid: Int32) throws(SystemError) {
        if SessionNiceness.counts(for: pid) { return try sessions.set(numbers.nice, of: pid) }
        for thread in Proc.threadNumbers(of: pid) {
            // What is lowered can be raised again only by root, or with a limit of niceness (ulimit -e) of 20 and more.
            // Without, an app would stay slow for ever: the batch class is little, but anybody may leave it.
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

    /// As well as can be: not every disk has a scheduler that looks at these.
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

    /// The files of version 1 that weigh launches at the disks, and what `ps` calls them.
    private static let legacyDiskWeights = [
        (name: "blkio.bfq.weight", short: "bfq.weight"), (name: "blkio.weight", short: "blkio.weight"),
    ]

    /// What the kernel says of a launch's share, in its own words: of the processor, and then of the disks.
    func text(name: String, processes: [Int32]) -> String? {
        let shares = [processorText(name: name, processes: processes), diskText(name: name, processes: processes)]
        let known = shares.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    private func diskText(name: String, processes: [Int32]) -> String? {
        // `default 500`, and perhaps lines for single disks.
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

/// Whether a process of ours that was made nicer may be brought back.
enum NiceRight {
    static let mayReturn: Bool = {
        var limit = rlimit()
        // 20 stands for niceness 0.
        return geteuid() == 0
            || getrlimit(__rlimit_resource_t(__RLIMIT_NICE.rawValue), &limit) == 0 && limit.rlim_cur >= 20
    }()
}
