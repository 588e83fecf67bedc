import CRoost
import Glibc
import RoostLinux
import RoostPorts
import RoostStore

/// The control socket of a state directory's system. The system records the socket's path. Without a record, the path
/// is in this environment's `XDG_RUNTIME_DIR`.
enum ControlSocket {
    /// A connection to the system, and the socket's path; nil if no process of the directory's owner listens there.
    static func running(of state: String, systemID: String) throws -> (descriptor: Int32, path: String)? {
        for path in try candidates(state, systemID) {
            guard let descriptor = ControlClient.connected(to: path) else { continue }
            // The directory's owner writes the recorded path. The path must not lead a command of root to a third
            // user's system, or to root's own system.
            if isOwner(of: state, at: descriptor) { return (descriptor, path) }
            close(descriptor)
        }
        return nil
    }

    /// The path of the system's socket, whether or not the system runs.
    static func path(of state: String, systemID: String) throws -> String {
        if let (descriptor, path) = try running(of: state, systemID: systemID) {
            close(descriptor)
            return path
        }
        return try sockets(systemID).controlSocket
    }

    private static func candidates(_ state: String, _ systemID: String) throws -> [String] {
        let noted = StateDirectory.sockets(of: systemID, in: state).map { $0 + "/control" }
        let usual = Result { try sockets(systemID).controlSocket }
        guard let noted else { return [try usual.get()] }
        return [noted] + ((try? usual.get()).map { [$0] } ?? [])
    }

    private static func sockets(_ systemID: String) throws(SystemError) -> RuntimeDirectory {
        try RuntimeDirectory(systemID: systemID, environment: LinuxProcesses.ownEnvironment)
    }

    private static func isOwner(of state: String, at descriptor: Int32) -> Bool {
        var peer = croost_peer()
        return croost_peer_credentials(descriptor, &peer) == 0 && StateDirectory.owner(of: state) == peer.uid
    }
}
