import Glibc
import RoostGPS
import RoostLinux
import RoostPorts

/// The environment variables that configure a system. An empty one counts as unset.
struct SystemEnvironment {
    private let values: [String: String]

    init(_ values: [String: String] = LinuxProcesses.ownEnvironment) {
        self.values = values.filter { !$0.value.isEmpty }
    }

    /// A PEM file with further root certificates that downloads trust.
    var tlsRoot: String? { values["ROOST_TLS_ROOT"].map(absolute) }
    /// The directory of the machine's power supplies, unless it is the kernel's.
    var powerSupplies: String? { values["ROOST_POWER_SUPPLIES"].map(absolute) }
    /// The host and port of gpsd; its usual port on this machine if the variable is unset.
    var gpsd: GPSDAddress { values["ROOST_GPSD"].flatMap(GPSDAddress.init) ?? .standard }
    var choosesGPSD: Bool { values["ROOST_GPSD"] != nil }
    /// Whether downloads may reach link-local addresses and clouds' metadata.
    var allowsLinkLocal: Bool { values["ROOST_LINK_LOCAL"] == Self.allow }

    private static let allow = "allow"

    /// Throws the first wrong value. `roost up` checks them, because a wrong value would otherwise have no effect, and its
    /// user would not know.
    func check() throws(SystemError) {
        if let value = values["ROOST_LINK_LOCAL"], !allowsLinkLocal {
            throw Self.wrong("ROOST_LINK_LOCAL", value, "the only value is \"\(Self.allow)\"")
        }
        if let value = values["ROOST_GPSD"], GPSDAddress(value) == nil {
            throw Self.wrong("ROOST_GPSD", value, "write HOST:PORT, and an IPv6 address in brackets, as in [::1]:2947")
        }
        for path in (values["ROOST_READABLE"] ?? "").split(separator: ":").map(String.init) {
            guard path.hasPrefix("/") else { throw Self.wrong("ROOST_READABLE", path, "write an absolute path") }
            try Self.look(path, for: "ROOST_READABLE")
        }
        if let powerSupplies { try Self.look(powerSupplies, for: "ROOST_POWER_SUPPLIES", isDirectory: true) }
        if let tlsRoot { try Self.look(tlsRoot, for: "ROOST_TLS_ROOT", isDirectory: false) }
    }

    private static func look(_ path: String, for variable: String, isDirectory: Bool? = nil) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else { throw .now("use \(variable)", path) }
        let kind = status.st_mode & S_IFMT
        switch isDirectory {
        case true? where kind != S_IFDIR: throw SystemError(doing: "use \(variable)", subject: path, errno: ENOTDIR)
        case false? where kind != S_IFREG: throw wrong(variable, path, "it is not a regular file")
        default: break
        }
    }

    private static func wrong(_ variable: String, _ value: String, _ reason: String) -> SystemError {
        SystemError(doing: "use \(variable)", subject: value, errno: EINVAL, reason: reason)
    }
}
