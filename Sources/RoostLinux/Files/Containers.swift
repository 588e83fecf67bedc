internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// The paths of apps' files below a system's state directory. May be used on any thread.
///
/// - `bundles/<id>/`: the app's bundle
/// - `containers/<id>/`: the app's own data, with the directories of iOS
/// - `logs/<id>.log`: its recent output; `<id>.log.1` holds earlier output (see `LogFile`)
public struct Containers: Hashable, Sendable {
    /// The suffixes of an app's newer and older log.
    static let logSuffixes = [".log", LogFile.older(".log")]

    /// The system's state directory, an absolute path.
    public let stateDirectory: String

    /// The directories in every container, in the order of their creation.
    static let directories = [
        "Documents", "Library", "Library/Application Support", "Library/Caches", "Library/Preferences",
        "Library/State", "tmp",
    ]

    /// The variables of our environment that an app gets unchanged, in addition to those that begin with `LC_`.
    static let passedThrough: Set<String> = ["PATH", "LANG", "TZ"]

    /// Removes slashes from the end of the path. Nothing is created.
    public init(stateDirectory: String) {
        var path = stateDirectory
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.stateDirectory = path
    }

    /// `bundles/<id>`, which holds `Name.app`.
    public func bundle(_ app: BundleIdentifier) -> String { stateDirectory + "/bundles/" + app.rawValue }

    /// The app's own directory, its home.
    public func container(_ app: BundleIdentifier) -> String { stateDirectory + "/containers/" + app.rawValue }

    /// The app's `Documents` directory.
    public func documents(_ app: BundleIdentifier) -> String { container(app) + "/Documents" }

    /// The file that receives the app's output.
    public func log(_ app: BundleIdentifier) -> String { stateDirectory + "/logs/" + app.rawValue + ".log" }

    /// Creates the app's container and the directories for bundles and logs if they are missing, mode 0700.
    ///
    /// Anything that an app has put in a directory's place stays; nothing is created through its symbolic links. Throws
    /// if one of the system's own directories cannot be created.
    public func prepare(_ app: BundleIdentifier) throws(SystemError) {
        try Directories.make(stateDirectory, mode: 0o700)
        for name in ["bundles", "containers", "logs"] {
            try Directories.make(stateDirectory + "/" + name, mode: 0o700)
        }
        let containers = try Directories.open(stateDirectory + "/containers")
        defer { close(containers) }
        let path = container(app)
        let container = try Directories.open(app.rawValue, in: containers, makingItWith: 0o700, path: path)
        defer { close(container) }
        for directory in Self.directories { makeWithoutFollowing(directory, in: container) }
    }

    /// Creates one directory below the container. Does nothing if a part of its path is not a directory.
    private func makeWithoutFollowing(_ relativePath: String, in container: Int32) {
        var parts = relativePath.split(separator: "/").map(String.init)
        guard let last = parts.popLast() else { return }
        var directory = dup(container)
        defer { close(directory) }
        for part in parts {
            guard let next = try? Directories.open(part, in: directory, path: relativePath) else { return }
            close(directory)
            directory = next
        }
        mkdirat(directory, last, 0o700)
    }

    /// The whole environment of an app, as sorted `NAME=value`.
    ///
    /// `ours` is the system's environment; the app gets search path, language, time zone and sound server from it.
    /// `adding` holds the system's own variables, which take precedence over all others.
    ///
    /// Foundation on Linux looks up the home directory in the user database. Only `CFFIXED_USER_HOME` changes
    /// `NSHomeDirectory()`, `~` and `.documentDirectory`. `XDG_DATA_HOME`, `XDG_CACHE_HOME` and `XDG_CONFIG_HOME`
    /// determine `.applicationSupportDirectory`, `.cachesDirectory` and `UserDefaults`. There must be no
    /// `user-dirs.dirs` file: Foundation takes its quotation marks as part of the path, and without the file the path
    /// is right.
    public func environment(
        for app: BundleIdentifier, ours: [String: String], adding: [String: String] = [:]
    ) -> [String] {
        let home = container(app)
        var result = ours.filter { Self.passedThrough.contains($0.key) || $0.key.hasPrefix("LC_") }
        result["PATH"] = result["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        if let server = SoundServer(environment: ours) {
            result[SoundServer.variable] = server.address
            // Otherwise libpulse would make its cookie among the app's preferences.
            result["PULSE_COOKIE"] = ours["PULSE_COOKIE"] ?? home + "/tmp/pulse-cookie"
        }
        let own = [
            "HOME": home,
            "CFFIXED_USER_HOME": home,
            "TMPDIR": home + "/tmp",
            "XDG_DATA_HOME": home + "/Library/Application Support",
            "XDG_CONFIG_HOME": home + "/Library/Preferences",
            "XDG_CACHE_HOME": home + "/Library/Caches",
            "XDG_STATE_HOME": home + "/Library/State",
            "XDG_DOCUMENTS_DIR": home + "/Documents",
        ]
        result.merge(own) { $1 }
        result.merge(adding) { $1 }
        return result.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// Denies every app access to the container and bundle of an app that gets a new number, until its next launch.
    /// Otherwise, the app that gets the old number could read these files. Does nothing without root, because apps then
    /// do not have their own uids.
    public func takeBack(_ app: BundleIdentifier) throws(SystemError) {
        guard geteuid() == 0 else { return }
        if Files.isDirectory(container(app)) { try Ownership(user: 0).give(container: container(app)) }
        guard Files.isDirectory(bundle(app)) else { return }
        let bundle = try Directories.open(bundle(app))
        defer { close(bundle) }
        guard fchown(bundle, 0, 0) == 0, fchmod(bundle, 0o700) == 0 else {
            throw .now("restrict the permissions of a bundle", self.bundle(app))
        }
    }

    /// False before the first installation and after the removal.
    public func hasContainer(_ app: BundleIdentifier) -> Bool { Files.isDirectory(container(app)) }

    /// Deletes the app's bundle, container and logs, without following symbolic links out of them.
    ///
    /// The time grows with the number of files, so call it on a thread that may wait. Throws `EBUSY` if something is
    /// mounted in the container. Files deleted until then stay deleted, and a second call resumes.
    public func remove(_ app: BundleIdentifier) throws(SystemError) {
        try TreeRemoval.remove(app.rawValue, from: stateDirectory + "/bundles")
        try TreeRemoval.remove(app.rawValue, from: stateDirectory + "/containers")
        for suffix in Self.logSuffixes {
            try TreeRemoval.remove(app.rawValue + suffix, from: stateDirectory + "/logs")
        }
    }
}
