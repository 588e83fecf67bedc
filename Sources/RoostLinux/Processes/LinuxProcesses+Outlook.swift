internal import CRoost
public import RoostPorts

/// Limits and capabilities of this machine.
extension LinuxProcesses {
    /// Raises our own soft limit of open files to the hard limit. Returns the previous soft limit, for
    /// `openFilesOfApps`.
    public static func raiseOpenFiles() throws(SystemError) -> UInt64 {
        var before: UInt64 = 0
        let code = croost_raise_open_files(&before)
        guard code == 0 else {
            throw SystemError(doing: "raise the limit of open files", subject: "this process", errno: code)
        }
        return before
    }

    /// `cgroup v2 at /sys/fs/cgroup/roost-1a2b`, or `SIGSTOP`.
    public var mechanism: String { tree.map { "cgroup v2 at \($0.root)" } ?? "SIGSTOP" }

    /// The controllers that Roost uses, and their state in the system's place; empty if signals replace cgroups.
    /// Controllers of a usable v1 hierarchy are left out.
    public var controllers: [ControllerOutlook] {
        let legacy = groups.roots.keys.map { $0 == "blkio" ? "io" : $0 }
        return tree?.outlook().filter { $0.state != .absent || !legacy.contains($0.name) } ?? []
    }
}
