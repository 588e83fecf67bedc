import ArgumentParser
import Glibc
import LifeCycleModel
import RoostLinux
import RoostPorts
import RoostRuntime
import RoostWire

/// Lets the supervisor hand over to a new one.
struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start the system anew without touching its apps, after an upgrade for example.",
        discussion: """
            The supervisor writes what it has to, ends, and is started again from the program that is now where it was. \
            Suspended apps stay frozen, running ones come back to it. The guardian stays the one it was.
            """)

    @OptionGroup var state: StateOptions

    /// How long the successor may take. Its guardian gives it as long as the policy says.
    private static let patience = Nanoseconds.seconds(20)

    func run() throws {
        let before = try ControlClient(to: state)
        let socket = try ControlSocket.path(of: state.path, systemID: state.systemID())
        guard case .status(let old) = try before.ask(.status) else { return }
        _ = try before.ask(.restart)
        let end = Moment.now.awake + Self.patience
        while Moment.now.awake < end {
            // Until its guardian has reaped it the old one may still seem to listen.
            if kill(old.pid, 0) != 0, let new = status(at: socket) {
                return print("restarted: Roost \(new.version), pid \(new.pid)")
            }
            poll(nil, 0, 10)
        }
        throw Failure.failed("the system has not come back in \(Self.patience): its log says why")
    }

    /// Whoever answers at the socket; nil where nobody does.
    private func status(at socket: String) -> SystemStatus? {
        guard let descriptor = ControlClient.connected(to: socket) else { return nil }
        let client = ControlClient(descriptor)
        guard (try? client.send(.status)) != nil,
            case .status(let status)? = try? client.next(answering: .status, within: .seconds(1))
        else { return nil }
        return status
    }
}
