import LifeCycleModel

/// The sockets of apps that the virtual body has descriptors of.
struct VirtualSockets: Hashable, Sendable {
    struct Socket: Hashable, Sendable {
        let launch: LaunchID
        let id: SocketID
    }

    private struct Fault: Hashable {
        let socket: Socket
        let failure: SocketFailure
    }

    /// In the order in which they were taken.
    private(set) var held: [Socket] = []
    /// The launches whose sockets are watched.
    private var watched: [LaunchID] = []
    /// The sockets that were reported as readable since the last `watch`.
    private var reported: [Socket] = []
    /// The sockets that could not be taken. They never can be.
    private var faults: [Fault] = []

    /// The sockets that may be reported as readable.
    var reportable: [Socket] { held.filter { watched.contains($0.launch) && !reported.contains($0) } }

    func failure(of socket: Socket) -> SocketFailure? { faults.first { $0.socket == socket }?.failure }

    mutating func fail(_ socket: Socket, _ failure: SocketFailure) {
        faults.append(Fault(socket: socket, failure: failure))
    }

    mutating func hold(_ socket: Socket) {
        close(socket)
        held.append(socket)
    }

    mutating func close(_ socket: Socket) {
        held.removeAll { $0 == socket }
        reported.removeAll { $0 == socket }
    }

    mutating func watch(_ launch: LaunchID) {
        watched.append(launch)
        reported.removeAll { $0.launch == launch }
    }

    mutating func unwatch(_ launch: LaunchID) { watched.removeAll { $0 == launch } }

    mutating func report(_ socket: Socket) { reported.append(socket) }

    /// The descriptors end with the system. The apps keep their own.
    mutating func systemRestarted() { (held, watched, reported) = ([], [], []) }
}
