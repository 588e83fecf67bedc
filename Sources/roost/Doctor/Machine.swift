import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts

/// The capabilities of this machine's kernel.
struct Machine {
    let environment: [String: String]

    var findings: [Finding] { [kernel] + freezing + [layout, pressure] }

    // MARK: The kernel

    private static let release: String = {
        Files.text("/proc/sys/kernel/osrelease")?.split(separator: "\n").first.map(String.init) ?? "?"
    }()

    /// Whether the kernel has at least this version.
    private func isKernel(_ major: Int, _ minor: Int) -> Bool {
        let numbers = Self.release.split(whereSeparator: { !$0.isASCII || !$0.isNumber }).prefix(2).compactMap {
            Int($0)
        }
        guard numbers.count == 2 else { return false }
        return (numbers[0], numbers[1]) >= (major, minor)
    }

    private var kernel: Finding {
        let lacking = [
            isKernel(5, 7) ? nil : "no start inside a cgroup (5.7): each app is moved there, which takes milliseconds",
            isKernel(5, 14) ? nil : "no cgroup.kill (5.14): processes are ended one by one",
            isKernel(6, 15) ? nil : "no exit codes of apps found again after a restart (6.15)",
        ].compactMap(\.self)
        let found = ([Self.release] + lacking).joined(separator: "; ")
        guard isKernel(5, 4) else {
            return .problem("kernel", found, "Roost needs pidfds and cgroup v2's freezer: Linux 5.4 or newer")
        }
        return isKernel(5, 14) ? .ok("kernel", found) : .warning("kernel", found, "Linux 5.14 or newer is better")
    }

    // MARK: Cgroups

    private var freezing: [Finding] {
        let about = "freezing"
        do throws(SystemError) {
            let processes = try LinuxProcesses(
                systemID: "doctor\(getpid())", environment: environment, isOnlyToLook: true)
            defer { processes.removeTreeIfEmpty() }
            if let limitation = processes.limitation {
                return [
                    .warning(
                        about,
                        "by SIGSTOP, because no cgroup can be used: \(limitation). Parents of apps' processes see them "
                            + "stop, a busy app with many threads takes milliseconds to stop, and processes that an app "
                            + "moved to a session of their own keep running",
                        "give Roost a cgroup: systemd-run --user --scope -p Delegate=yes roost up")
                ]
            }
            let place = String(processes.mechanism.split(separator: " at ", maxSplits: 1).last ?? "")
            return [
                .ok(about, "by cgroup v2 in \(parent(of: place)): all of an app at once, in 0.02 to 0.2 ms"),
                controllers(processes.controllers, place),
            ]
        } catch {
            return [.problem(about, error.description, "ROOST_CGROUP names an unusable place: change it")]
        }
    }

    /// Freezing, ending and processor time need no controller. Shares, limits and memory use need controllers.
    private func controllers(_ controllers: [ControllerOutlook], _ place: String) -> Finding {
        let about = "controllers"
        var (had, absent): ([String], [String]) = ([], [])
        var refused: [SystemError] = []
        for controller in controllers {
            switch controller.state {
            case .on, .obtainable: had.append(controller.name)
            case .absent: absent.append(controller.name)
            case .refused(let error): refused.append(error)
            }
        }
        var found = [
            "\(list(had)) for apps' cgroups",
            access(place + "/cgroup.kill", F_OK) == 0 ? "cgroup.kill exists" : "no cgroup.kill",
        ]
        if !absent.isEmpty { found.append("no parent cgroup delegates \(list(absent)) to \(parent(of: place))") }
        found += refused.map(\.description)
        guard refused.isEmpty else {
            return .warning(
                about, found.joined(separator: "; "),
                "without them apps share the processor and the disks by niceness alone, and no limit applies to what they "
                    + "fork (docs/operations.md, Cgroups)")
        }
        return .ok(about, found.joined(separator: "; "))
    }

    private func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: " ") }

    private func parent(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path }

    private var layout: Finding {
        let about = "cgroup layout"
        var unified: [String] = []
        var old: [String] = []
        for line in (Files.text("/proc/self/mountinfo") ?? "").split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 3, dash >= 5 else { continue }
            if fields[dash + 1] == "cgroup2" { unified.append(String(fields[4])) }
            if fields[dash + 1] == "cgroup" { old.append(String(fields[4].split(separator: "/").last ?? "")) }
        }
        switch (unified.isEmpty, old.isEmpty) {
        case (false, true): return .ok(about, "unified, at " + unified.joined(separator: ", "))
        case (false, false):
            return .ok(
                about,
                "hybrid: v2 at \(unified.joined(separator: ", ")), and on v1 \(old.sorted().joined(separator: " "))")
        case (true, false):
            return .warning(
                about, "v1 only, whose freezer Roost cannot use",
                "boot with systemd.unified_cgroup_hierarchy=1, or mount -t cgroup2 none on some directory")
        case (true, true):
            return .warning(about, "no cgroups are mounted", "mount -t cgroup2 none /sys/fs/cgroup")
        }
    }

    private var pressure: Finding {
        let about = "memory pressure"
        guard let text = Files.text("/proc/pressure/memory"), let line = text.split(separator: "\n").first else {
            return .warning(
                about, "the kernel does not report it: there is no /proc/pressure/memory",
                "boot with psi=1, on a kernel built with CONFIG_PSI")
        }
        return .ok(about, "the kernel reports it: \(line)")
    }
}
