import RoostLinux
import RoostPorts
import RoostStore

/// Apps that were left frozen, after a system and its guardian were killed.
enum FrozenApps {
    /// The number of frozen apps of a state directory's system, which must not be running.
    static func count(in state: String) -> Int {
        guard let id = try? StateDirectory.systemID(of: state) else { return 0 }
        let stored = (try? SQLiteStore.kept(at: state + "/store.db"))?.launches.compactMap(\.process) ?? []
        return LinuxProcesses.frozen(systemID: id, environment: LinuxProcesses.ownEnvironment, stopped: stored)
    }

    /// A message about frozen apps with advice; nil without frozen apps, or if the system runs.
    static func sentence(in state: String) -> String? {
        guard !HeldDirectory.isHeld(state), HeldDirectory.guardian(of: state) == nil else { return nil }
        guard case let count = count(in: state), count > 0 else { return nil }
        let (apps, them) = count == 1 ? ("1 app is", "it") : ("\(count) apps are", "them")
        let (up, thaw) = (StateOptions.command("up", for: state), StateOptions.command("thaw", for: state))
        return "\(apps) still frozen: \(up) finds \(them) again, \(thaw) lets \(them) run without a system"
    }
}
