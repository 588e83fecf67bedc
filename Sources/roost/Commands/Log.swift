import ArgumentParser
import FoundationEssentials
import Glibc
import LifeCycleModel

/// Prints the logs of apps.
struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show the output of an app, or of all apps.",
        discussion: """
            With several apps, each line begins with its app. On a terminal, control characters are escaped; in a pipe, \
            every byte is unchanged. Needs no running system.
            """)

    @OptionGroup var state: StateOptions
    @Flag(name: .shortAndLong, help: "Follow new output until Ctrl-C.")
    var follow = false
    @Argument(
        help: ArgumentHelp("The app's bundle identifier; all apps if left out.", valueName: "app"),
        completion: InstalledApps.completion, transform: BundleIdentifier.argument)
    var app: BundleIdentifier?

    func run() throws {
        let directory = state.path + "/logs"
        try state.check()
        if let app, !FileManager.default.fileExists(atPath: "\(directory)/\(app).log") {
            guard InstalledApps.identifiers(in: state.path).contains(app) else {
                throw Failure.failed("no app \"\(app)\" is installed; `roost apps` lists those that are")
            }
            guard follow else {
                throw Failure.failed("\(app) has printed nothing: there is no \(directory)/\(app).log")
            }
        }
        var reader = LogReader(directory: directory, app: app, goingOn: follow)
        guard follow else { return try reader.printNew() }
        guard let watch = DirectoryWatch(directory) else {
            throw Failure.failed("cannot watch \(directory): \(String(cString: strerror(errno)))")
        }
        repeat { try reader.printNew() } while watch.wait()
    }
}
