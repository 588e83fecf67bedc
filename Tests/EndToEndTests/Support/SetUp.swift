import Foundation
import Glibc
import Testing

/// The environment in which a system starts.
enum SetUp: String, CaseIterable, CustomTestStringConvertible {
    /// Unchanged.
    case asFound = "as found"
    /// With cgroup2 mounted over /sys/fs/cgroup, in its own mount namespace.
    case unified = "cgroup2 over /sys/fs/cgroup"
    /// As an ordinary user, in a cgroup that belongs to that user.
    case ordinaryUser = "an ordinary user's subtree"
    /// Without any cgroup2: SIGSTOP replaces the freezer.
    case signals = "no cgroup2 at all"
    /// The system runs in its own network namespace, without a connection.
    case ownNetwork = "a network of its own"

    var testDescription: String { rawValue }

    /// The uid of `ordinaryUser`.
    static let user: uid_t = 65534

    /// The reason why this machine cannot offer the set-up; nil if it can.
    var obstacle: String? {
        switch self {
        case .asFound:
            return nil
        case .unified, .signals:
            return Self.mayUnshare ? nil : "a mount namespace takes root's privileges (unshare -m does not work here)"
        case .ownNetwork:
            return Self.runs(["unshare", "-n", "ip", "link", "set", "lo", "up"])
                ? nil : "a network namespace takes root's privileges, and iproute2's ip"
        case .ordinaryUser:
            guard geteuid() == 0 else { return "only root can give a cgroup to another user" }
            guard let mount = Kernel.cgroupMounts.first, access(mount, W_OK) == 0 else {
                return "no cgroup2 is mounted writable"
            }
            return Self.runs(["setpriv", "--version"]) ? nil : "there is no setpriv"
        }
    }

    /// The command that runs `command` in this set-up, in the same process. `subtree` is the cgroup for the ordinary
    /// user.
    func wrap(_ command: [String], subtree: String?) -> [String] {
        switch self {
        case .asFound: command
        case .unified:
            ["unshare", "-m", "sh", "-c", #"mount -t cgroup2 none /sys/fs/cgroup && exec "$0" "$@""#] + command
        case .signals:
            [
                "unshare", "-m", "sh", "-c",
                Kernel.cgroupMounts.map { "umount -l '\($0)' && " }.joined() + #"exec "$0" "$@""#,
            ]
                + command
        case .ownNetwork: ["unshare", "-n", "sh", "-c", #"ip link set lo up && exec "$0" "$@""#] + command
        case .ordinaryUser:
            [
                "sh", "-c", #"echo $$ > "$0/cgroup.procs" && exec "$@""#, subtree ?? "", "setpriv",
                "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups",
            ] + command
        }
    }

    private static let mayUnshare = runs(["unshare", "-m", "true"])

    private static func runs(_ command: [String]) -> Bool {
        let child = try? ChildProcess(
            command, environment: ProcessInfo.processInfo.environment, output: "/dev/null")
        return (try? child?.exit()) == .code(0)
    }
}
