import CRoost
import Glibc
import RoostPorts

/// The confinement of the process by itself. Its rights go before it looks up gpsd's name, and everything except its two
/// sockets before it reads from gpsd.
enum Confinement {
    /// The most memory in bytes. If gpsd makes the process exceed it, the process ends.
    private static let memory: rlim_t = 64 << 20

    /// Gives up the rights of the system's user. Name lookup and connecting still work.
    static func dropRights(user: UInt32?) throws(SystemError) {
        beFirstToGo()
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(Int32(RLIMIT_CORE.rawValue), &limit)
        limit = rlimit(rlim_cur: Self.memory, rlim_max: Self.memory)
        setrlimit(Int32(RLIMIT_DATA.rawValue), &limit)
        var bounds = croost_bounds()
        bounds.drop_capabilities = 1
        bounds.no_new_privileges = 1
        bounds.ruleset = -1
        if let user { (bounds.has_user, bounds.uid, bounds.gid) = (1, user, user) }
        try confine(bounds)
    }

    /// Closes everything except open sockets. Throws if the kernel supports a step and the step fails.
    static func closeRest() throws(SystemError) {
        leaveStandardDescriptors()
        if let ruleset = try emptyRuleset() {
            defer { close(ruleset) }
            var bounds = croost_bounds()
            bounds.ruleset = ruleset
            try confine(bounds)
        }
        guard croost_can_refuse_calls() == 0 else { return }
        let code = croost_refuse_calls_of_gps()
        guard code == 0 else { throw failure("install the system call filter", code) }
    }

    private static func confine(_ bounds: croost_bounds) throws(SystemError) {
        var bounds = bounds
        var failed = CROOST_STEP_NONE
        let code = croost_confine(&bounds, &failed)
        guard code == 0 else { throw failure("enter the sandbox (step \(failed.rawValue))", code) }
    }

    /// If memory runs out, the kernel kills this process before any app.
    private static func beFirstToGo() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, "1000", 4)
        close(file)
    }

    /// The standard descriptors may be sockets of the service's log.
    private static func leaveStandardDescriptors() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        for descriptor: Int32 in 0...2 { dup2(nothing, descriptor) }
        if nothing > 2 { close(nothing) }
    }

    /// A Landlock ruleset that allows nothing; nil if the kernel does not support Landlock.
    private static func emptyRuleset() throws(SystemError) -> Int32? {
        let abi = croost_landlock_abi()
        guard abi >= 1 else { return nil }
        // All rights that this version knows, as in <linux/landlock.h>.
        let count =
            switch abi {
            case 1: 13
            case 2: 14
            case 3, 4: 15
            default: 16
            }
        var ruleset: Int32 = -1
        let code = croost_landlock_create(1 << UInt64(count) - 1, abi >= 6 ? 0b11 : 0, &ruleset)
        guard code == 0 else { throw failure("create Landlock's rules", code) }
        return ruleset
    }

    private static func failure(_ doing: String, _ code: Int32) -> SystemError {
        SystemError(doing: doing, subject: "roost-gps", errno: code)
    }
}
