import CRoost
import Glibc
import RoostCarrier
import RoostPorts

/// The carrier's confinement of itself before it connects to any server. Afterwards it can reach only the network and
/// its directory.
struct Confinement {
    let settings: CarrierSettings
    /// The stream to the supervisor.
    let channel: Int32

    /// The access rights of Landlock, with the bits of `<linux/landlock.h>`.
    private enum Rights {
        static let writeFile: UInt64 = 1 << 1
        static let readFile: UInt64 = 1 << 2
        static let readDirectory: UInt64 = 1 << 3
        static let removeFile: UInt64 = 1 << 5
        static let makeRegular: UInt64 = 1 << 8
        static let truncate: UInt64 = 1 << 14

        static let ofFiles = writeFile | readFile | truncate
        static let reading = readFile | readDirectory

        static func known(to abi: Int32) -> UInt64 {
            switch abi {
            case ..<2: (1 << 13) - 1
            case 2: (1 << 14) - 1
            case 3, 4: (1 << 15) - 1
            default: (1 << 16) - 1
            }
        }
    }

    /// Trusted certificates, the configuration of name lookup, and the required libraries.
    private static let readable = [
        "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates",
        "/usr/local/share/ca-certificates",
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
        "/etc/protocols", "/etc/localtime", "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib", "/usr/lib64",
        "/usr/share/zoneinfo", "/dev/null", "/dev/urandom", "/sys/devices/system/cpu",
    ]

    /// Throws if the kernel supports a step and the step fails. The process then runs no transfers.
    func takeEffect() throws(SystemError) {
        let ruleset = try ruleset()
        defer { if let ruleset { close(ruleset) } }
        beFirstToGo()
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(Int32(RLIMIT_CORE.rawValue), &limit)
        limit = rlimit(rlim_cur: Self.memory, rlim_max: Self.memory)
        setrlimit(Int32(RLIMIT_DATA.rawValue), &limit)
        var bounds = croost_bounds()
        bounds.drop_capabilities = 1
        bounds.no_new_privileges = 1
        bounds.ruleset = ruleset ?? -1
        if let user = settings.user { (bounds.has_user, bounds.uid, bounds.gid) = (1, user, user) }
        var failed = CROOST_STEP_NONE
        let code = croost_confine(&bounds, &failed)
        guard code == 0 else { throw failure("enter the sandbox (step \(failed.rawValue))", code) }
        guard croost_can_refuse_calls() == 0 else { return }
        let refused = croost_refuse_calls_of_carrier(channel)
        guard refused == 0 else { throw failure("install the system call filter", refused) }
    }

    /// The most memory in bytes, including thread stacks. If a server makes the process exceed it, the process ends.
    private static let memory: rlim_t = 384 << 20

    /// If memory runs out, the kernel kills this process before any app; its transfers resume.
    private func beFirstToGo() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, "1000", 4)
        close(file)
    }

    /// The Landlock ruleset; nil if the kernel does not support Landlock.
    private func ruleset() throws(SystemError) -> Int32? {
        let abi = croost_landlock_abi()
        guard abi >= 1 else { return nil }
        let known = Rights.known(to: abi)
        var ruleset: Int32 = -1
        let code = croost_landlock_create(known, abi >= 6 ? 0b11 : 0, &ruleset)
        guard code == 0 else { throw failure("create Landlock's rules", code) }
        let own =
            (Rights.reading | Rights.writeFile | Rights.removeFile | Rights.makeRegular | Rights.truncate) & known
        let allowed = croost_landlock_allow(ruleset, settings.directory, own)
        guard allowed == 0 else {
            close(ruleset)
            throw SystemError(doing: "create Landlock's rules", subject: settings.directory, errno: allowed)
        }
        for path in Self.readable + [settings.additionalRoots].compactMap({ $0 }) + libraries {
            guard let resolved = realpath(path, nil) else { continue }
            defer { free(resolved) }
            var status = stat()
            guard stat(resolved, &status) == 0 else { continue }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            let rights = isDirectory ? Rights.reading : Rights.readFile | (path == "/dev/null" ? Rights.writeFile : 0)
            croost_landlock_allow(ruleset, resolved, rights & known)
        }
        return ruleset
    }

    /// Additional directories of libraries.
    private var libraries: [String] {
        getenv("LD_LIBRARY_PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    }

    private func failure(_ doing: String, _ code: Int32) -> SystemError {
        SystemError(doing: doing, subject: "roost-carry", errno: code)
    }
}
