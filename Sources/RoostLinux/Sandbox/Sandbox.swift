internal import CRoost
internal import Glibc
internal import LifeCycleModel
public import RoostPorts

/// How apps are kept from each other, from the system and from the user's files. The threat model is in
/// `docs/security.md`.
public struct Sandbox: Hashable, Sendable {
    /// What is asked for.
    public enum Request: String, Hashable, Sendable, CaseIterable {
        /// The strongest there is.
        case auto
        /// A uid for each app, with Landlock on top where the kernel has it.
        case uids
        /// Landlock alone, under the system's own uid.
        case landlock
        /// Nothing.
        case none
    }

    /// What is in force.
    public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
        /// Each app has a uid and a gid of its own.
        case uids
        /// Apps share the system's uid, and Landlock holds them.
        case landlock
        /// Apps can do whatever the system's user can.
        case none
    }

    /// The uid of the app with number 0; nil where apps share ours.
    let firstUser: UInt32?
    /// The version of Landlock's interface; nil where it holds nobody.
    let landlock: Int32?
    /// Whether the kernel refuses apps the system calls that none may make.
    let refusesCalls: Bool
    /// Where the user database's files of apps with uids of their own are put; nil for nowhere.
    let entries: String?
    /// What no app may read, whoever it is: absolute paths without symbolic links.
    let hidden: [String]
    /// Further directories every app may read and run programs from.
    let readable: [String]
    /// Why a stronger level is not in force, in sentences; empty at the strongest.
    public let shortcomings: [String]

    /// Which level is in force.
    public var level: Level { firstUser != nil ? .uids : landlock != nil ? .landlock : .none }

    /// For people: `uids from 1375731712, Landlock (ABI 7), seccomp`.
    public var summary: String { text(users: firstUser.map { "uids from \($0)" }) }

    /// The same for a system that has no id yet, from which the uids follow: `uids, Landlock (ABI 7), seccomp`.
    public var kinds: String { text(users: firstUser.map { _ in "uids" }) }

    private func text(users: String?) -> String {
        let parts = [
            users, landlock.map { "Landlock (ABI \($0))" },
            refusesCalls ? "seccomp" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    /// No sandbox.
    public static let none = Sandbox(
        firstUser: nil, landlock: nil, refusesCalls: false, entries: nil, hidden: [], readable: [], shortcomings: [])

    /// Where uids of apps begin, unless something else is said: far from those of people and of containers.
    /// Systems of one machine part the next 256 × 65536 numbers by their ids.
    public static let usualFirstUser: UInt32 = 0x5200_0000
    /// How many apps may have a uid.
    static let userCount: UInt32 = 1 << 16

    init(
        firstUser: UInt32?, landlock: Int32?, refusesCalls: Bool, entries: String?, hidden: [String],
        readable: [String], shortcomings: [String]
    ) {
        self.firstUser = firstUser
        self.landlock = landlock
        self.refusesCalls = refusesCalls
        self.entries = entries
        self.hidden = hidden
        self.readable = readable
        self.shortcomings = shortcomings
    }

    /// Looks at the machine and chooses.
    ///
    /// `base` is where the uids of apps begin; `environment` is ours, in which `ROOST_READABLE` may name further
    /// directories for apps to read, with colons between them. Throws where a level other than `auto` is asked for and
    /// not to be had.
    public init(
        _ request: Request, systemID: String, stateDirectory: String, runtimeDirectory: String,
        environment: [String: String], base: UInt32 = usualFirstUser
    ) throws(SystemError) {
        let abi = croost_landlock_abi()
        var shortcomings: [String] = []
        var firstUser: UInt32?
        if request == .auto || request == .uids {
            if let obstacle = Self.obstacleToUsers(stateDirectory, runtimeDirectory) {
                shortcomings.append("apps share the system's uid: \(obstacle)")
            } else {
                firstUser = base + UInt32(Self.digest(systemID)) << 16
            }
        }
        if abi < 1, request != .none {
            shortcomings.append(
                "no Landlock: \(String(cString: strerror(-abi))) (a kernel from 5.13 on, with lsm=landlock)")
        } else if abi < 6, request != .none, firstUser == nil {
            shortcomings.append("Landlock before ABI 6 keeps no app from signalling processes of its user")
        }
        let usesLandlock = request != .none && abi >= 1
        let isConfined = firstUser != nil || usesLandlock
        let filterError = croost_can_refuse_calls()
        if isConfined, filterError != 0 {
            shortcomings.append(
                "no system call is refused: \(String(cString: strerror(filterError))) (CONFIG_SECCOMP_FILTER)")
        }
        let chosen = Sandbox(
            firstUser: firstUser, landlock: usesLandlock ? abi : nil, refusesCalls: isConfined && filterError == 0,
            entries: firstUser == nil ? nil : runtimeDirectory + RuntimeDirectory.entries,
            hidden: Self.hiddenPlaces(
                stateDirectory, runtimeDirectory, environment, sharesUser: firstUser == nil),
            readable: (environment["ROOST_READABLE"] ?? "").split(separator: ":").map(String.init),
            shortcomings: request == .none ? ["--sandbox none asks for it"] : shortcomings)
        let isMissing = request == .uids && firstUser == nil || request == .landlock && abi < 1
        guard !isMissing else {
            throw SystemError(
                doing: "sandbox apps", subject: request.rawValue, errno: ENOTSUP,
                reason: shortcomings.joined(separator: "; "))
        }
        self = chosen
    }

    /// Why apps can't have uids of their own; nil if they can.
    private static func obstacleToUsers(_ stateDirectory: String, _ runtimeDirectory: String) -> String? {
        guard geteuid() == 0 else { return "only root can give them others" }
        for place in [stateDirectory, runtimeDirectory] {
            var path = parent(of: place)
            while true {
                var status = stat()
                // What is missing yet is ours to make.
                if stat(path, &status) == 0, status.st_mode & S_IXOTH == 0, !isOurs(path, of: runtimeDirectory) {
                    return "other users can't get through \(path) to \(place)"
                }
                if path == "/" { break }
                path = parent(of: path)
            }
        }
        return nil
    }

    /// The directory of the sockets and the one above it are opened as far as needed.
    private static func isOurs(_ path: String, of runtimeDirectory: String) -> Bool {
        path == parent(of: runtimeDirectory) && path.hasSuffix("/roost")
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Eight bits of a system's id, by FNV-1a, so that the apps of two systems of one machine hardly share uids.
    private static func digest(_ systemID: String) -> UInt8 {
        let hash = systemID.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return UInt8(truncatingIfNeeded: hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24)
    }

    /// The system's own places, people's, and those that all users share.
    private static func hiddenPlaces(
        _ stateDirectory: String, _ runtimeDirectory: String, _ environment: [String: String], sharesUser: Bool
    ) -> [String] {
        var places = [
            stateDirectory, runtimeDirectory, "/home", "/root", "/tmp", "/var/tmp", "/dev", "/run/user", "/run/roost",
            "/var/lib/roost", "/lost+found",
        ]
        if let home = environment["HOME"], home.hasPrefix("/"), home != "/" { places.append(home) }
        if let home = getpwuid(getuid())?.pointee.pw_dir.map({ String(cString: $0) }), home.hasPrefix("/"), home != "/"
        {
            places.append(home)
        }
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"), runtime != "/" {
            places.append(runtime)
        }
        if geteuid() == 0 { places += ["/var/lib", "/var/log", "/var/spool", "/boot"] }
        // Only an app that shares root's uid could read these. For other apps one Landlock rule covers all of `/etc`. Hiding
        // these files would take a rule for each other file, and a file put in place of one of those, as a package's script
        // replaces `/etc/passwd`, would have no rule.
        if geteuid() == 0, sharesUser {
            places += [
                "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
                "/etc/ssh", "/etc/ssl/private",
            ]
        }
        return Set(places.map { realPath($0) ?? $0 }).sorted()
    }

    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The uid and gid of an app; nil where it shares ours.
    ///
    /// Throws `ERANGE` for an app with a number beyond the last uid.
    func user(of app: AppID) throws(SystemError) -> UInt32? {
        guard let firstUser else { return nil }
        guard app.rawValue >= 0, app.rawValue < Self.userCount - 1 else {
            throw SystemError(
                doing: "give an app a uid", subject: "\(app)", errno: ERANGE,
                reason: "a system has uids for \(Self.userCount - 1) apps, and this one has used them up")
        }
        return firstUser + UInt32(app.rawValue)
    }

    /// The uid and gid of the process that carries downloads: the last of the system's own; nil where it has ours.
    public var carrierUser: UInt32? { firstUser.map { $0 + Self.userCount - 1 } }

    /// Lets other users through to the containers and bundles of the state directory, without letting them look around.
    /// Does nothing where apps have no uids of their own.
    public func open(stateDirectory: String) throws(SystemError) {
        guard firstUser != nil else { return }
        for path in [stateDirectory, stateDirectory + "/bundles", stateDirectory + "/containers"] {
            try Directories.make(path, mode: 0o711)
            let directory = try Directories.open(path)
            defer { close(directory) }
            guard fchmod(directory, 0o711) == 0 else { throw .now("let apps through to their files", path) }
        }
    }
}
