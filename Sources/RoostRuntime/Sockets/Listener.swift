internal import CRoost
internal import Glibc
import RoostPorts

/// A Unix stream socket that accepts connections. For the loop's thread only.
final class Listener {
    private let descriptor: Int32
    private let path: String
    private let reception: Reception
    /// A spare descriptor. If descriptors run out, this descriptor is closed so that a connection can be accepted and
    /// rejected.
    private var spare: Int32

    /// Listens at `path`, and replaces a socket that an earlier run has left. Each connection goes to `accepted`, which
    /// owns its descriptor (non-blocking, close-on-exec). `mode` says who may connect.
    ///
    /// The kernel rejects passed descriptors, unless the reception receives descriptors. A connection inherits that
    /// setting from the listening socket.
    init(
        path: String, mode: mode_t = 0o600, reception: Reception, accepted: @escaping (Int32) -> Void
    ) throws(SystemError) {
        self.path = path
        self.reception = reception
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard path.utf8.count < 108 else {
            throw SystemError(
                doing: "listen", subject: path, errno: ENAMETOOLONG,
                reason: "a socket's path may have 107 bytes: set XDG_RUNTIME_DIR to a shorter directory")
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw SystemError.now("create a socket", path) }
        unlink(path)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
        }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let refusal = reception.receivesDescriptors ? 0 : croost_refuse_descriptors(descriptor)
        if refusal != 0 { errno = refusal }
        guard refusal == 0, bound == 0, chmod(path, mode) == 0, listen(descriptor, 128) == 0 else {
            let error = SystemError.now("listen", path)
            Glibc.close(descriptor)
            throw error
        }
        let listening = descriptor
        do throws(SystemError) {
            try reception.loop.add(descriptor, events: .readable) { [unowned self] _ in
                let connection = croost_accept(listening)
                if connection >= 0 {
                    accepted(connection)
                } else if errno == EMFILE || errno == ENFILE {
                    turnAway(listening)
                }
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Accepts and closes a connection when descriptors have run out. Otherwise the pending connection would wake the
    /// loop forever.
    private func turnAway(_ listening: Int32) {
        Glibc.close(spare)
        let connection = croost_accept(listening)
        if connection >= 0 { reception.close(connection) }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    /// Stops listening and removes the socket.
    func close() {
        Glibc.close(spare)
        reception.loop.remove(descriptor)
        Glibc.close(descriptor)
        unlink(path)
    }
}
