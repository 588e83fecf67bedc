import Foundation
import Glibc
import LifeCycleModel

/// What the processes of a device's apps share: a directory, a socket, and the page of the device's clock. Made when the
/// first such app is installed, gone with the device.
@MainActor final class ProcessWorld {
    let directory: String
    let listener: AppListener
    let page: DevicePage
    /// The library that is preloaded.
    let clockLibrary: String

    init(now: Moment) throws(InstallationError) {
        clockLibrary = try Self.findClockLibrary()
        // Foundation's own has a slash at its end.
        var template = Array("\(NSTemporaryDirectory())roost.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw InstallationError("no temporary directory can be made: \(Self.error)")
        }
        directory = String(cString: made)
        guard let listener = AppListener(path: directory + "/apps") else {
            throw InstallationError(
                "no socket can be made in \(directory): \(Self.error) (a path may have 107 bytes: set TMPDIR to a short one)"
            )
        }
        guard let page = DevicePage(path: directory + "/clock", now: now) else {
            throw InstallationError("the device's clock can't be made in \(directory): \(Self.error)")
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
                "\(path) is not there, the device's clock for processes: add `.product(name: \"CRoostClock\", package: "
                    + "\"roost\")` to the dependencies of the test target")
        }
        return path
    }

    /// Makes an app's bundle and its container.
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
            // Another file system has no part in its links.
            if link(executable.path, "\(bundle)/\(product)") != 0 {
                try FileManager.default.copyItem(atPath: executable.path, toPath: "\(bundle)/\(product)")
            }
            for path in [home + "/output", home + "/record"] {
                guard FileManager.default.createFile(atPath: path, contents: nil) else {
                    throw InstallationError("\(path) can't be made: \(Self.error)")
                }
            }
        } catch let error as InstallationError {
            throw error
        } catch {
            throw InstallationError("\(name) can't be installed in \(home): \(error.localizedDescription)")
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

/// Where the launches of one app live: the same for all of them.
struct ProcessHome: Sendable {
    let executable: String
    /// Where the executable came from, with what it links against.
    let libraries: String
    let container: String
    /// What it prints.
    let output: String
    /// What it writes down of itself.
    let record: String

    /// The environment of a launch.
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
