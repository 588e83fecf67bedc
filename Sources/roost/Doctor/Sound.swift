import Glibc
import RoostLinux

/// Whether the sound server accepts connections. Nothing is sent to it.
struct Sound {
    let environment: [String: String]

    var finding: Finding {
        let about = "sound"
        guard let server = SoundServer(environment: environment) else {
            return .ok(about, "no sound server. Apps can play, but nothing is audible")
        }
        guard let path = server.path else { return .ok(about, "apps play to \(server.address), which was not tried") }
        guard let reason = Self.refusal(at: path) else {
            return .ok(about, "a sound server accepts connections at \(server.address)")
        }
        let found = "no sound server at \(server.address): \(reason). Apps can play, but nothing is audible"
        guard server.isChosen else { return .ok(about, found) }
        return .warning(about, found, "start the server, or correct \(SoundServer.variable)")
    }

    /// Why no connection to the Unix socket at a path is possible; nil if one is.
    private static func refusal(at path: String) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return String(cString: strerror(ENAMETOOLONG)) }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(kind), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? nil : String(cString: strerror(errno))
    }
}
