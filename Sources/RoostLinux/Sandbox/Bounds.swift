internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The restrictions of a launch from its start: v1 cgroups, resource limits and sandbox. Holds the descriptors that the
/// child needs for them until it is deinitialized.
final class Bounds {
    private let groups: [Int32]
    private let limits: ProcessLimits?
    private let user: UInt32?
    private let isConfined: Bool
    private let keepsPrivileges: Bool
    private let refusesCalls: Bool
    /// The paths, as C strings, of the files that replace the user database's.
    private var entries: [UnsafeMutablePointer<CChar>?] = []
    private var ruleset: Int32 = -1

    /// The restrictions for a specification. `groups` are descriptors of `tasks` files, which this object closes.
    init(_ specification: LaunchSpecification, sandbox: Sandbox, groups: [Int32]) throws(SystemError) {
        self.groups = groups
        limits = specification.limits
        isConfined = specification.confinement != nil && sandbox.level != .none
        keepsPrivileges = specification.confinement == nil
        refusesCalls = isConfined && sandbox.refusesCalls
        user = isConfined ? try sandbox.user(of: specification.launch.app) : nil
        guard let confinement = specification.confinement else { return }
        if geteuid() == 0 { try Ownership(user: user ?? 0).giveDirectories(of: confinement.container) }
        let entry = user.flatMap { user in
            sandbox.entries.flatMap {
                UserEntry(
                    app: specification.launch.app, user: user, home: confinement.container, in: $0)
            }
        }
        if let entry { entries = [strdup(entry.passwd), strdup(entry.group)] }
        if let abi = sandbox.landlock {
            let files = entry.map { [$0.passwd, $0.group] } ?? []
            let rules = LandlockRules(abi: abi, hidden: sandbox.hidden, readable: sandbox.readable + files)
            ruleset = try rules.ruleset(container: confinement.container, bundle: confinement.bundle)
        }
    }

    deinit {
        if ruleset >= 0 { close(ruleset) }
        for group in groups { close(group) }
        for path in entries { free(path) }
    }

    /// Calls `body` with the restrictions as a C struct, valid only during the call.
    func withValue<Result>(_ body: (UnsafePointer<croost_bounds>) -> Result) -> Result {
        groups.withUnsafeBufferPointer { groups in
            var bounds = croost_bounds()
            bounds.groups = groups.baseAddress
            bounds.group_count = Int32(groups.count)
            bounds.no_core = limits == nil ? 0 : 1
            bounds.open_files = limits?.openFiles ?? 0
            bounds.file_size = limits?.fileSize ?? 0
            // The kernel counts processes per user, so this limits an app only if it has its own uid.
            bounds.processes = user == nil ? 0 : limits?.processes ?? 0
            bounds.has_user = user == nil ? 0 : 1
            bounds.uid = user ?? 0
            bounds.gid = user ?? 0
            if entries.count == 2 {
                (bounds.passwd, bounds.group) = (UnsafePointer(entries[0]), UnsafePointer(entries[1]))
            }
            bounds.drop_capabilities = isConfined ? 1 : 0
            // At every level: a program that an app starts may not do more than the app itself.
            bounds.no_new_privileges = keepsPrivileges ? 0 : 1
            bounds.ruleset = ruleset
            bounds.refuse_calls = refusesCalls ? 1 : 0
            return withUnsafePointer(to: bounds, body)
        }
    }
}
