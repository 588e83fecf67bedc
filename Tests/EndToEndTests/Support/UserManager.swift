import Foundation
import Glibc
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests with a real systemd: skipped without one, except in CI.
    static var whereSystemdIsInstalled: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CI"] == "true" || UserManager.isInstalled,
            "there is no systemd here: apt-get install systemd")
    }
}

/// `systemd --user` in the cgroup of a test's system. Its mount namespace has cgroup2 at `/sys/fs/cgroup` and an empty
/// `/run/systemd`, so it also runs on a machine that another init has booted.
final class UserManager {
    private let process: ChildProcess
    private let environment: [String: String]
    private let system: TestSystem
    private let log: String

    private static let programs = ["/usr/lib/systemd/systemd", "/lib/systemd/systemd"]

    private static let program = programs.first { access($0, X_OK) == 0 }

    static var isInstalled: Bool { program != nil }

    /// Starts the manager, and returns once the manager is ready. The manager's units and the files of its services are
    /// in the system's directory.
    init(for system: TestSystem) throws {
        self.system = system
        log = system.directory + "/manager.log"
        let program = try #require(Self.program, "there is no systemd here: apt-get install systemd")
        let subtree = try #require(system.subtree)
        let notify = try NotifySocket(system.directory + "/manager")
        var variables = system.environment
        variables["ROOST_CGROUP"] = nil
        variables["HOME"] = system.directory
        variables["XDG_CONFIG_HOME"] = system.directory + "/config"
        variables["SYSTEMD_LOG_TARGET"] = "console"
        environment = variables
        variables["NOTIFY_SOCKET"] = system.directory + "/manager"
        // The mount hides the path by which the cgroup is entered, so that comes first.
        let script = #"""
            echo $$ > "$0/cgroup.procs"
            mount -t cgroup2 none /sys/fs/cgroup
            mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system
            exec "$1" --user
            """#
        process = try ChildProcess(
            ["unshare", "-m", "sh", "-ec", script, subtree, program], environment: variables,
            output: log)
        try notify.wait(for: "READY=1")
    }

    /// Its services are ended with the test's cgroup.
    deinit { process.kill() }

    /// The output of systemd and its services.
    private var output: String { Kernel.text(log) ?? "" }

    /// Puts a unit where systemd finds it.
    static func install(_ unit: String, called name: String, for system: TestSystem) throws {
        let folder = system.directory + "/config/systemd/user"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try unit.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    /// Runs `systemctl --user`; its output.
    @discardableResult func control(_ arguments: String...) throws -> String {
        let command = ["nsenter", "-t", "\(process.pid)", "-m", "systemctl", "--user"] + arguments
        let (exit, out, err) = try system.run(command, adding: environment)
        guard exit == .code(0) else {
            throw TestFailure(description: "systemctl \(arguments): \(exit) \(out)\(err)\n\(output.suffix(4000))")
        }
        return out
    }

    /// A property of a unit.
    func property(_ name: String, of unit: String) throws -> String {
        try control("show", "--value", "-p", name, unit).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
