import ArgumentParser
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostWire

/// Restarts the supervisor.
struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Restart the supervisor without touching its apps, for example after an upgrade.",
        discussion: """
            The supervisor persists its state, exits, and is started again from the program file now at its path. Suspended \
            apps stay frozen, and running apps reconnect. The guardian process is not restarted.
            """)

    @OptionGroup var state: StateOptions

    /// The time limit for the successor. The guardian's own limit for it is the policy's.
    private static let patience = Nanoseconds.seconds(20)

    func run() throws {
        let before = try ControlClient(to: state)
        let socket = try ControlSocket.path(of: state.path, systemID: state.systemID())
        guard case .status(let old) = try before.ask(.status) else { return }
        _ = try before.ask(.restart)
        let end = Moment.now.awake + Self.patience
        while Moment.now.awake < end {
            // Until the guardian has reaped the old supervisor, its socket may still seem to listen.
            if kill(old.pid, 0) != 0, let new = status(at: socket) {
                return print("restarted: Roost \(new.version), pid \(new.pid)")
            }
            poll(nil, 0, 10)
        }
        throw Failure.failed("the system did not restart within \(Self.patience): read its log")
    }

    /// The status of the system at the socket; nil if no system answers there.
    private func status(at socket: String) -> SystemStatus? {
        guard let descriptor = ControlClient.connected(to: socket) else { return nil }
        let client = ControlClient(descriptor)
        guard (try? client.send(.status)) != nil,
            case .status(let status)? = try? client.next(answering: .status, within: .seconds(1))
        else { return nil }
        return status
    }
}
