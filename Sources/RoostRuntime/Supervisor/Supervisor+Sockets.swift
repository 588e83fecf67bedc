import LifeCycleModel
import LifeCyclePolicy
import RoostPorts

/// The watch of kept sockets.
extension Supervisor {
    func watchSockets() throws(SystemError) {
        guard let sockets = parts.sockets else { return }
        try loop.add(sockets.descriptor, events: .readable) { [unowned self] _ in
            for report in sockets.takeReports() { submit(.concern(.socket(report))) }
        }
    }

    func perform(_ output: SocketOutput) {
        if let sockets = parts.sockets { return sockets.perform(output, on: handles[output.launch]) }
        guard case .take(let launch, let socket) = output else { return }
        submit(.concern(.socket(.taken(launch, socket.id, .unavailable))))
    }
}
