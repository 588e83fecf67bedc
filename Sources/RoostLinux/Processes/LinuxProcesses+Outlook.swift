internal import CRoost
public import RoostPorts

/// What the machine lets the system do.
extension LinuxProcesses {
    /// Raises our own soft limit of open files as far as it goes, and gives what it was: `openFilesOfApps`.
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

    /// The controllers Roost has a use for, and what becomes of them in the place; none where signals stand in. Those
    /// of a hierarchy of version 1 that serves are left out.
    public var controllers: [ControllerOutlook] {
        let legacy = groups.roots.keys.map { $0 == "blkio" ? "io" : $0 }
        return tree?.outlook().filter { $0.state != .absent || !legacy.contains($0.name) } ?? []
    }
}
