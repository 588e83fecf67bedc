import Foundation
import Glibc

/// A test's directory and cgroups outside its own process. Their names show which process they belong to.
enum Leftovers {
    private static let prefix = "roost-e2e-"
    /// Not `roost-`, which begins the names of a system's own cgroups.
    private static let cgroupPrefix = "e2e-roost-"

    /// A name that no other test has, and that shows which process it belongs to.
    static func newName() -> String {
        _ = earlierRuns
        return "\(getpid())-\(UUID().uuidString.prefix(8))"
    }

    static func directory(_ name: String) -> String { NSTemporaryDirectory() + prefix + name }

    static func subtree(_ name: String) -> String? { Kernel.cgroupMounts.first.map { "\($0)/\(cgroupPrefix)\(name)" } }

    /// Ends every process that a test's system has left, and removes its cgroups and files.
    static func remove(_ name: String) {
        let directory = directory(name)
        let id = Kernel.text(directory + "/state/system-id")?.split(separator: "\n").first.map(String.init)
        for mount in Kernel.cgroupMounts {
            if let id { Kernel.dissolve("\(mount)/roost-\(id)") }
            Kernel.dissolve("\(mount)/\(cgroupPrefix)\(name)")
        }
        // If signals replace cgroups, apps are recognized by their environment.
        for pid in processes(withEnvironment: directory + "/") {
            guard let process = HeldProcess(pid) else { continue }
            process.send(SIGKILL)
            try? process.waitUntilGone()
        }
        // A test may have mounted a disk for the system.
        umount2(directory + "/state", Int32(MNT_DETACH))
        if let id { for mount in Kernel.legacyMounts { Kernel.removeEmpty("\(mount)/roost-\(id)") } }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Removes what interrupted earlier runs have left, once per run.
    private static let earlierRuns: Void = {
        let places = [NSTemporaryDirectory()] + Kernel.cgroupMounts.map { $0 + "/" }
        for place in places {
            for entry in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] {
                for start in [prefix, cgroupPrefix] where entry.hasPrefix(start) {
                    let name = String(entry.dropFirst(start.count))
                    guard let owner = name.split(separator: "-").first.flatMap({ Int32($0) }), owner != getpid(),
                        kill(owner, 0) != 0, errno == ESRCH
                    else { continue }
                    remove(name)
                }
            }
        }
    }()

    private static func processes(withEnvironment value: String) -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter {
            $0 != getpid() && Kernel.text("/proc/\($0)/environ")?.contains("=" + value) == true
        }
    }
}
