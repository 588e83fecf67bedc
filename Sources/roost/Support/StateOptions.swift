import ArgumentParser
import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts
import RoostStore

/// Which system is meant: the one whose state directory this is.
struct StateOptions: ParsableArguments {
    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "The system's state directory.",
            discussion: """
                Else $ROOST_STATE, else $XDG_STATE_HOME/roost, else ~/.local/state/roost, for root \(StateOptions.ofRoot).
                """,
            valueName: "directory"), completion: .directory)
    var directory: String?

    func validate() throws {
        if directory == "" {
            throw ValidationError("--state is empty: give the path of a state directory, or leave it out")
        }
    }

    /// Root's: apps with uids of their own can't get through root's home.
    static let ofRoot = "/var/lib/roost"

    /// The state directory's absolute path.
    var path: String { Self.path(directory) }

    /// The absolute path of the directory that is named, or of the one that goes without saying.
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

    /// The home directory as the user database has it.
    private static var homeOfUser: String {
        guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "" }
        return String(cString: home)
    }

    /// A command for this system, as a message shows it.
    func command(_ words: String) -> String { Self.command(words, for: path) }

    /// A command for the system in the directory at `path`. A log is also read where `$ROOST_STATE` is another.
    static func command(_ words: String, for path: String) -> String {
        TypedCommand.text(words, state: path == defaultPath ? nil : path)
    }

    /// Throws an exit code if there is no state directory, or another's; the reason is said already.
    func check() throws {
        do throws(SystemError) {
            if try StateDirectory.exists(path) { return }
        } catch {
            throw Failure.failed(error.description)
        }
        throw noSystem
    }

    /// The same, and throws for another user's: a file made there would be in the owner's way.
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

/// `path` as seen from the current directory.
func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let directory = FileManager.default.currentDirectoryPath
    return (directory == "/" ? "" : directory) + "/" + path
}
