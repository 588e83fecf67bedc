import ArgumentParser
import FoundationEssentials
import RoostLinux
import RoostPorts
import RoostStore

/// Which system is meant: the one whose state directory this is.
struct StateOptions: ParsableArguments {
    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "The system's state directory.",
            discussion: "Else $ROOST_STATE, else $XDG_STATE_HOME/roost, else ~/.local/state/roost.",
            valueName: "directory"))
    var directory: String?

    /// The state directory's absolute path.
    var path: String {
        let environment = LinuxProcesses.ownEnvironment
        if let directory = directory ?? environment["ROOST_STATE"], !directory.isEmpty {
            return absolute(directory)
        }
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return home + "/roost" }
        return (environment["HOME"] ?? "") + "/.local/state/roost"
    }

    /// The id of the system, read without disturbing it.
    func systemID() throws -> String {
        guard let id = try StateDirectory.systemID(of: path) else {
            throw Failure.noSystem("there is no system in \(path): start one with `roost up`")
        }
        return id
    }
}

/// `path` as seen from the current directory.
func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
