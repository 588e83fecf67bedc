internal import Glibc
public import LifeCycleModel
public import RoostPorts

/// Where the files of apps are, below the state directory of a system.
///
/// `bundles/<id>/` holds the app itself, `containers/<id>/` what is its own, laid out as on iOS, and `logs/<id>.log`
/// what it printed (`<id>.log.1` what it printed before, see `LogFile`). Any thread may use it.
public struct Containers: Hashable, Sendable {
    /// What follows an app's identifier in the names of its logs: the newer and the older.
    static let logSuffixes = [".log", LogFile.older(".log")]

    /// The system's state directory, an absolute path.
    public let stateDirectory: String

    /// The directories every container has, in the order they are made.
    static let directories = [
        "Documents", "Library", "Library/Application Support", "Library/Caches", "Library/Preferences",
        "Library/State", "tmp",
    ]

    /// The variables of ours that an app gets as they are; those beginning with `LC_` as well.
    static let passedThrough: Set<String> = ["PATH", "LANG", "TZ"]

    /// The files of the system whose state directory this is.
    public init(stateDirectory: String) {
        var path = stateDirectory
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.stateDirectory = path
    }

    /// The directory the app's bundle is in.
    public func bundle(_ app: BundleIdentifier) -> String { stateDirectory + "/bundles/" + app.rawValue }

    /// The app's own directory, its home.
    public func container(_ app: BundleIdentifier) -> String { stateDirectory + "/containers/" + app.rawValue }

    /// Where the app's documents are.
    public func documents(_ app: BundleIdentifier) -> String { container(app) + "/Documents" }

    /// The file the app's output goes to.
    public func log(_ app: BundleIdentifier) -> String { stateDirectory + "/logs/" + app.rawValue + ".log" }

    /// Makes the app's container and the directories for bundles and logs where they are missing, mode 0700.
    ///
    /// What an app has put in a directory's place stays: nothing is made through a symbolic link of the app's.
    /// Throws where one of the system's own directories can't be made.
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

    /// Makes one directory below the container, or lets it be if the way there is not made of directories.
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

    /// The whole environment an app is started with, as sorted `NAME=value`.
    ///
    /// `ours` is the system's environment, of which an app gets the search path, language and time zone; `adding`
    /// are the system's own variables, which win over all others.
    ///
    /// Foundation on Linux looks for the home directory in the user database; only `CFFIXED_USER_HOME` makes
    /// `NSHomeDirectory()`, `~` and `.documentDirectory` follow. `.applicationSupportDirectory`, `.cachesDirectory` and
    /// `UserDefaults` go by `XDG_DATA_HOME`, `XDG_CACHE_HOME` and `XDG_CONFIG_HOME`. A `user-dirs.dirs` must not exist
    /// there: Foundation takes its quotation marks for part of the path, and without the file it is right.
    public func environment(
        for app: BundleIdentifier, ours: [String: String], adding: [String: String] = [:]
    ) -> [String] {
        let home = container(app)
        var result = ours.filter { Self.passedThrough.contains($0.key) || $0.key.hasPrefix("LC_") }
        result["PATH"] = result["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
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

    /// Closes the container and the bundle of an app that gets another number to every app, until its next launch opens
    /// them to the app again: an app that now has the old number must not get in. Does nothing unless run as root: then
    /// no app has a uid of its own.
    public func takeBack(_ app: BundleIdentifier) throws(SystemError) {
        guard geteuid() == 0 else { return }
        if Files.isDirectory(container(app)) { try Ownership(user: 0).give(container: container(app)) }
        guard Files.isDirectory(bundle(app)) else { return }
        let bundle = try Directories.open(bundle(app))
        defer { close(bundle) }
        guard fchown(bundle, 0, 0) == 0, fchmod(bundle, 0o700) == 0 else {
            throw .now("close a bundle to apps", self.bundle(app))
        }
    }

    /// Whether the app has a container.
    public func hasContainer(_ app: BundleIdentifier) -> Bool { Files.isDirectory(container(app)) }

    /// Deletes the app's bundle, container and logs, following no symbolic link out of them.
    ///
    /// Takes as long as the files are many: call it on a thread where they may be. Throws `EBUSY` where something is
    /// mounted in the container; what was deleted by then stays deleted, and a second call goes on.
    public func remove(_ app: BundleIdentifier) throws(SystemError) {
        try TreeRemoval.remove(app.rawValue, from: stateDirectory + "/bundles")
        try TreeRemoval.remove(app.rawValue, from: stateDirectory + "/containers")
        for suffix in Self.logSuffixes {
            try TreeRemoval.remove(app.rawValue + suffix, from: stateDirectory + "/logs")
        }
    }
}
