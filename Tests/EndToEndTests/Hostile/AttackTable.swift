import Foundation

/// The expected outcome of each attack in each situation.
enum AttackTable {
    struct Row: Sendable {
        let attack: Attack
        /// By the situation's number, in the words of the app. Several outcomes if the machine decides between them.
        let outcomes: [[String]]

        init(_ attack: Attack, _ outcomes: [String]) {
            self.attack = attack
            self.outcomes = outcomes.map { $0.components(separatedBy: " or ") }
        }

        func expected(_ situation: Situation) -> [String] { outcomes[situation.rawValue] }
    }

    /// The same outcome in every situation.
    private static func everywhere(_ attack: Attack, _ outcome: String) -> Row {
        Row(attack, Array(repeating: outcome, count: Situation.allCases.count))
    }

    /// Refused by every sandbox, and successful without a sandbox.
    private static func sandboxed(_ attack: Attack, _ outcome: String, without: String = "done") -> Row {
        Row(attack, [outcome, outcome, outcome, without, without])
    }

    static let rows: [Row] =
        [
            everywhere(.writeInContainer, "done"),
            everywhere(.readSystemFile, "done"),
            everywhere(.learnItsName, "done"),
            everywhere(.startProgram, "done"),
            sandboxed(.writeBeside, "EACCES"),
            sandboxed(.writeThroughLink, "EACCES"),
            sandboxed(.writeInTemporary, "EACCES"),
            sandboxed(.writeProgram, "EACCES"),
            sandboxed(.readContainer, "EACCES"),
            sandboxed(.listContainers, "EACCES"),
            sandboxed(.readPerson, "EACCES"),
            sandboxed(.readStore, "EACCES"),
            sandboxed(.readLog, "EACCES"),
            sandboxed(.readCookie, "EACCES"),
            Row(.openUpCookie, ["EPERM", "EPERM", "EPERM", "done", "done"]),
            Row(.closePerson, ["EACCES or EPERM", "EPERM", "EPERM", "done", "done"]),
            sandboxed(.makeSetUser, "EPERM"),
            sandboxed(.signalApp, "EPERM"),
            sandboxed(.signalSupervisor, "EPERM"),
        ] + processes + rights + system + kernel + limits

    private static let processes: [Row] = [
        // If Yama is on, an ordinary user may trace only children.
        Row(.traceApp, ["EPERM", "EPERM", "EPERM", "done", "done or EPERM"]),
        sandboxed(.readEnvironment, "EACCES"),
        Row(.writeMemory, ["EACCES", "EACCES", "EACCES", "done", "done or EACCES"]),
        Row(.takeDescriptor, ["EPERM", "EPERM", "EPERM", "done", "done or EPERM"]),
        sandboxed(.limitSupervisor, "EPERM"),
        sandboxed(.slowSupervisor, "EPERM"),
        sandboxed(.pinSupervisor, "EPERM"),
        Row(.leaseLog, ["EACCES", "EPERM", "EPERM", "done or EAGAIN", "done or EAGAIN"]),
        // Root's system gives each app its own IPC namespace. The app can create anything there, but cannot find the
        // segments of others.
        Row(.attachMemory, ["EINVAL", "EINVAL", "ENOSYS", "done", "done"]),
        Row(.leaveMemory, ["done", "done", "ENOSYS", "done", "done"]),
    ]

    private static let rights: [Row] = [
        // If root's system has no uids for apps, an app is already uid 0, but has none of root's capabilities.
        Row(.becomeRoot, ["EPERM", "EALREADY", "EPERM", "EALREADY", "EPERM"]),
        everywhere(.runSetUser, "EPERM"),
        Row(.mount, ["EPERM", "EPERM", "EPERM", "done or EPERM", "EPERM"]),
        Row(.copyMount, ["EPERM", "EPERM", "EPERM", "done or EPERM", "EPERM"]),
        sandboxed(.unshareUser, "EPERM", without: "done or EPERM or ENOSPC"),
        sandboxed(.cloneUser, "EPERM", without: "done or EPERM or ENOSPC"),
        sandboxed(.programUnshares, "EPERM", without: "done or EPERM"),
        Row(.joinNamespace, ["EPERM", "EPERM", "EPERM", "done or EPERM", "EPERM"]),
    ]

    private static let system: [Row] = [
        Row(.useControlSocket, ["EACCES", "ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED"]),
        // The process's cgroup still shows which app it belongs to.
        Row(.commandFromSession, ["EACCES", "ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED"]),
        sandboxed(.moveToCgroup, "EACCES"),
        sandboxed(.bornInCgroup, "ENOSYS"),
        sandboxed(.commandFromOutside, "EACCES"),
    ]

    private static let kernel: [Row] = [
        sandboxed(.useRing, "EPERM", without: "done or EPERM or ENOSYS"),
        sandboxed(.useKeys, "EPERM", without: "done or EPERM or ENOSYS"),
        Row(.useBPF, ["EPERM", "EPERM", "EPERM", "done or EPERM or ENOSYS", "done or EPERM or ENOSYS"]),
        sandboxed(.usePerformanceEvents, "EPERM", without: "done or EACCES or ENOENT or ENOSYS"),
        sandboxed(.useFaults, "EPERM", without: "done or EPERM or ENOSYS"),
        sandboxed(.readKernelLog, "EPERM", without: "done or EPERM"),
        sandboxed(.callAsI386, "ENOSYS or SIGSEGV", without: "done or SIGSEGV"),
        sandboxed(.callAsX32, "ENOSYS", without: "done or ENOSYS"),
    ]

    private static let limits: [Row] = [
        // Root of a virtual machine may lack CAP_SYS_RESOURCE.
        Row(.raiseLimits, ["EPERM", "EPERM", "EPERM", "done or EPERM", "EPERM"]),
        everywhere(.openFiles, "EMFILE"),
        everywhere(.makeLargeFile, "EFBIG"),
        // On a hybrid mount the pids controller belongs to root.
        Row(.fork, ["EAGAIN", "EAGAIN", "EAGAIN or done", "EAGAIN", "EAGAIN or done"]),
    ]
}
