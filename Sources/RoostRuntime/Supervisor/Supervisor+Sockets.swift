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
        submit(.concern(.socket(.taken(launch, socket.id, .notPermitted))))
    }
}

extension SocketOutput {
    /// The launch that has the sockets.
    fileprivate var launch: LaunchID {
        switch self {
        case .take(let launch, _), .watch(let launch), .unwatch(let launch), .close(let launch, _): launch
        }
    }
}
