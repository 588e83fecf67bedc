internal import CRoost
internal import Glibc
internal import LifeCycleModel
public import RoostPorts

/// The isolation of apps from each other, from the system and from the user's files. The threat model is in
/// `docs/security.md`.
public struct Sandbox: Hashable, Sendable {
    /// The requested level.
    public enum Request: String, Hashable, Sendable, CaseIterable {
        /// The strongest available level.
        case auto
        /// A uid for each app, and Landlock in addition if the kernel has it.
        case uids
        /// Landlock only, with the system's own uid.
        case landlock
        /// No sandbox.
        case none
    }

    /// The level in force.
    public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
        /// Each app has its own uid and gid.
        case uids
        /// Apps share the system's uid, and are confined by Landlock.
        case landlock
        /// Apps can do everything that the system's user can.
        case none
    }

    /// The uid of the app with number 0; nil if apps share the system's uid.
    let firstUser: UInt32?
    /// The version of Landlock's interface; nil if Landlock is not used.
    let landlock: Int32?
    /// Whether the kernel refuses the system calls that no app may make.
    let refusesCalls: Bool
    /// The directory for the user database files of apps with their own uids; nil if apps have no own uids.
    let entries: String?
    /// The paths that no app may read, even by its permissions: absolute, without symbolic links.
    let hidden: [String]
    /// Additional directories from which every app may read files and run programs.
    let readable: [String]
    /// Why a stronger level is not in force, in sentences; empty at the strongest level.
    public let shortcomings: [String]

    /// The level in force.
    public var level: Level { firstUser != nil ? .uids : landlock != nil ? .landlock : .none }

    /// A description for display: `uids from 1375731712, Landlock (ABI 7), seccomp`.
    public var summary: String { text(users: firstUser.map { "uids from \($0)" }) }

    /// The description without the first uid, which depends on the system's id: `uids, Landlock (ABI 7), seccomp`.
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

    /// The first uid of apps by default, far from the uids of users and of containers. The systems of one machine
    /// divide the next 256 × 65536 uids: the id of each system selects 65536 of them.
    public static let usualFirstUser: UInt32 = 0x5200_0000
    /// The number of uids for one system: one for each app, and the last for the carrier of downloads.
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

    /// Checks the machine and chooses a level.
    ///
    /// `base` is the first uid for apps. `environment` is ours; its `ROOST_READABLE` may name more directories that
    /// apps may read, separated by colons. Throws if the requested level is unavailable; `auto` always succeeds.
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
            shortcomings.append("Landlock before ABI 6 does not stop an app from signaling processes of its user")
        }
        let usesLandlock = request != .none && abi >= 1
        let isConfined = firstUser != nil || usesLandlock
        let filterError = croost_can_refuse_calls()
        if isConfined, filterError != 0 {
            shortcomings.append(
                "system calls are not filtered: \(String(cString: strerror(filterError))) (CONFIG_SECCOMP_FILTER)")
        }
        let chosen = Sandbox(
            firstUser: firstUser, landlock: usesLandlock ? abi : nil, refusesCalls: isConfined && filterError == 0,
            entries: firstUser == nil ? nil : runtimeDirectory + RuntimeDirectory.entries,
            hidden: Self.hiddenPlaces(
                stateDirectory, runtimeDirectory, environment, sharesUser: firstUser == nil),
            readable: (environment["ROOST_READABLE"] ?? "").split(separator: ":").map(String.init),
            shortcomings: request == .none ? ["--sandbox none was given"] : shortcomings)
        let isMissing = request == .uids && firstUser == nil || request == .landlock && abi < 1
        guard !isMissing else {
            throw SystemError(
                doing: "sandbox apps", subject: request.rawValue, errno: ENOTSUP,
                reason: shortcomings.joined(separator: "; "))
        }
        self = chosen
    }

    /// Why apps cannot have their own uids; nil if own uids are possible.
    private static func obstacleToUsers(_ stateDirectory: String, _ runtimeDirectory: String) -> String? {
        guard geteuid() == 0 else { return "only root can give them others" }
        for place in [stateDirectory, runtimeDirectory] {
            var path = parent(of: place)
            while true {
                var status = stat()
                // We will create directories that do not exist yet.
                if stat(path, &status) == 0, status.st_mode & S_IXOTH == 0, !isOurs(path, of: runtimeDirectory) {
                    return "other users cannot search \(path), which contains \(place)"
                }
                if path == "/" { break }
                path = parent(of: path)
            }
        }
        return nil
    }

    /// The directory `roost` above the socket directory is ours. `RuntimeDirectory.prepare` opens it to other users if
    /// needed.
    private static func isOurs(_ path: String, of runtimeDirectory: String) -> Bool {
        path == parent(of: runtimeDirectory) && path.hasSuffix("/roost")
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Eight bits of a system's id, by FNV-1a, so that two systems on one machine rarely share uids.
    private static func digest(_ systemID: String) -> UInt8 {
        let hash = systemID.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return UInt8(truncatingIfNeeded: hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24)
    }

    /// The system's own directories, users' directories, and directories that all users share.
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
        // Only an app that shares root's uid could read the following files. For other apps, one Landlock rule covers
        // all of `/etc`. Hiding these files would take a rule for each other file. A file that is replaced later, as
        // package scripts replace `/etc/passwd`, would then have no rule.
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

    /// The uid and gid of an app; nil if the app shares the system's.
    ///
    /// Throws `ERANGE` if the app's number is beyond the last uid.
    func user(of app: AppID) throws(SystemError) -> UInt32? {
        guard let firstUser else { return nil }
        guard app.rawValue >= 0, app.rawValue < Self.userCount - 1 else {
            throw SystemError(
                doing: "assign a uid to an app", subject: "\(app)", errno: ERANGE,
                reason: "a system has uids for \(Self.userCount - 1) apps, and this one has used them up")
        }
        return firstUser + UInt32(app.rawValue)
    }

    /// The uid and gid of the carrier, the last of this system's; nil if the carrier shares the system's own.
    public var carrierUser: UInt32? { firstUser.map { $0 + Self.userCount - 1 } }

    /// Lets other users reach containers and bundles in the state directory, without listing the directories above
    /// them. Does nothing if apps do not have their own uids.
    public func open(stateDirectory: String) throws(SystemError) {
        guard firstUser != nil else { return }
        for path in [stateDirectory, stateDirectory + "/bundles", stateDirectory + "/containers"] {
            try Directories.make(path, mode: 0o711)
            let directory = try Directories.open(path)
            defer { close(directory) }
            guard fchmod(directory, 0o711) == 0 else { throw .now("grant apps access to a directory", path) }
        }
    }
}
