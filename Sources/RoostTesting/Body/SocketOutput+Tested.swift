import LifeCycleModel
import LifeCyclePolicy

extension SocketOutput: TestedWork {
    func perform(by body: Body) {
        switch self {
        case .take(let launch, let socket):
            // The descriptor of an app that runs as a process of its own means nothing in this process.
            let isHosted = body.endpoint(of: launch) is HostedEndpoint
            let failure: SocketFailure? = isHosted ? body.sockets.take(socket, of: launch) : .unavailable
            body.enqueue(.concern(.socket(.taken(launch, socket.id, failure))))
        case .watch(let launch): body.sockets.watch(launch)
        case .unwatch(let launch): body.sockets.unwatch(launch)
        case .close(let launch, let id): body.sockets.close(id, of: launch)
        }
    }
}
