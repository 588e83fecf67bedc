import ArgumentParser
import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts
import RoostStore

/// The option that selects a system by its state directory.
struct StateOptions: ParsableArguments {
    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "The system's state directory.",
            discussion: """
                By default $ROOST_STATE, otherwise $XDG_STATE_HOME/roost, otherwise ~/.local/state/roost; for root \(StateOptions.ofRoot).
                """,
            valueName: "directory"), completion: .directory)
    var directory: String?

    func validate() throws {
        if directory == "" {
            throw ValidationError("--state is empty: give the path of a state directory, or leave it out")
        }
    }

    /// The default for root. Apps with their own uids could not pass through root's home.
    static let ofRoot = "/var/lib/roost"

    /// The absolute path of the state directory.
    var path: String { Self.path(directory) }

    /// The absolute path of the named directory, or of the default.
    static func path(_ directory: String?) -> String {
        let environment = LinuxProcesses.ownEnvironment
        if let directory = directory ?? environment["ROOST_STATE"], !directory.isEmpty {
            return absolute(directory)
        }
        return defaultPath
    }

    /// The directory of a command without `--state` and without `$ROOST_STATE`.
    private static var defaultPath: String {
        let environment = LinuxProcesses.ownEnvironment
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return home + "/roost" }
        if getuid() == 0 { return ofRoot }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? homeOfUser
        return home + "/.local/state/roost"
    }

    /// The home directory from the user database.
    private static var homeOfUser: String {
        guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "" }
        return String(cString: home)
    }

    /// A command for this system, for messages.
    func command(_ words: String) -> String { Self.command(words, for: path) }

    /// A command for the system in the directory at `path`. The command names the directory even if `$ROOST_STATE`
    /// names it, because a log is also read in other environments.
    static func command(_ words: String, for path: String) -> String {
        TypedCommand.text(words, state: path == defaultPath ? nil : path)
    }

    /// Throws an exit code after printing an error if the directory is not a state directory of Roost.
    func check() throws {
        do throws(SystemError) {
            if try StateDirectory.exists(path) { return }
        } catch {
            throw Failure.failed(error.description)
        }
        throw noSystem
    }

    /// Like `check()`, but also throws for another user's directory, because a file made there would obstruct the
    /// owner.
    func checkOwner() throws {
        try check()
        guard let owner = StateDirectory.owner(of: path), owner != geteuid() else { return }
        throw Failure.failed("\(path) belongs to user \(owner): run this command as that user")
    }

    private var noSystem: ExitCode {
        Failure.noSystem(
            "there is no system in \(path): name its state directory with --state or $ROOST_STATE, or start one with "
                + command("up"))
    }

    /// The id of the system, read without disturbing it.
    func systemID() throws -> String {
        do throws(SystemError) {
            if let id = try StateDirectory.systemID(of: path) { return id }
        } catch {
            throw Failure.failed(error.description)
        }
        throw noSystem
    }
}

/// `path` relative to the current directory, as an absolute path.
func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let directory = FileManager.default.currentDirectoryPath
    return (directory == "/" ? "" : directory) + "/" + path
}
