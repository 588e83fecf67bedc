import Foundation
import Glibc
import LifeCycleModel

/// The resources shared by the processes of a device's apps: a directory, a socket, and the page with the device's
/// clock. These resources exist from the first installation of an executable until the device's end.
@MainActor final class ProcessWorld {
    let directory: String
    let listener: AppListener
    let page: DevicePage
    /// The path of the library that is preloaded into the processes.
    let clockLibrary: String

    init(now: Moment) throws(InstallationError) {
        clockLibrary = try Self.findClockLibrary()
        // Foundation's path already ends with a slash.
        var template = Array("\(NSTemporaryDirectory())roost.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw InstallationError("no temporary directory can be made: \(Self.error)")
        }
        directory = String(cString: made)
        guard let listener = AppListener(path: directory + "/apps") else {
            throw InstallationError(
                "cannot create a socket in \(directory): \(Self.error) (a path may have 107 bytes: set TMPDIR to a short one)"
            )
        }
        guard let page = DevicePage(path: directory + "/clock", now: now) else {
            throw InstallationError("cannot create the device's clock in \(directory): \(Self.error)")
        }
        self.listener = listener
        self.page = page
    }

    static var error: String { String(cString: strerror(errno)) }

    private static func findClockLibrary() throws(InstallationError) -> String {
        let name = "libCRoostClock.so"
        let path = Executable.buildDirectory + "/" + name
        guard access(path, R_OK) == 0 else {
            throw InstallationError(
                "\(path), the device's clock for processes, is missing: add `.product(name: \"CRoostClock\", package: "
                    + "\"roost\")` to the dependencies of the test target")
        }
        return path
    }

    /// Creates an app's bundle and container.
    func makeHome(_ name: String, _ id: AppID, _ executable: Executable, infoPlist: Data) throws(InstallationError)
        -> ProcessHome
    {
        let home = "\(directory)/\(id.rawValue)"
        let bundle = "\(home)/\(id.rawValue).app"
        let product = executable.name
        do {
            for path in [bundle, home + "/container/tmp"] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            try infoPlist.write(to: URL(fileURLWithPath: bundle + "/Info.plist"))
            // A hard link cannot cross file systems.
            if link(executable.path, "\(bundle)/\(product)") != 0 {
                try FileManager.default.copyItem(atPath: executable.path, toPath: "\(bundle)/\(product)")
            }
            for path in [home + "/output", home + "/record"] {
                guard FileManager.default.createFile(atPath: path, contents: nil) else {
                    throw InstallationError("cannot create \(path): \(Self.error)")
                }
            }
        } catch let error as InstallationError {
            throw error
        } catch {
            throw InstallationError("cannot install \(name) in \(home): \(error.localizedDescription)")
        }
        return ProcessHome(
            executable: "\(bundle)/\(product)", libraries: executable.directory, container: home + "/container",
            output: home + "/output", record: home + "/record")
    }

    func remove() {
        listener.shut()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// The paths of an app, shared by all its launches.
struct ProcessHome: Sendable {
    let executable: String
    /// The executable's original directory, with the libraries that the executable links against.
    let libraries: String
    let container: String
    /// The file with the app's output.
    let output: String
    /// The file with the app's test record.
    let record: String

    /// The environment variables of a launch.
    func environment(_ variables: [String], clock: String, page: String) -> [String] {
        let kept = ["PATH", "LANG", "LC_ALL", "TZ"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let paths = [libraries] + (getenv("LD_LIBRARY_PATH").map { [String(cString: $0)] } ?? [])
        let own = [
            "HOME=\(container)", "CFFIXED_USER_HOME=\(container)", "TMPDIR=\(container)/tmp",
            "LD_LIBRARY_PATH=\(paths.joined(separator: ":"))", "LD_PRELOAD=\(clock)", "ROOST_CLOCK=\(page)",
        ]
        return kept + variables + own
    }
}
