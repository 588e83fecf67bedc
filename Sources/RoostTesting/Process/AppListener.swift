import CRoostTesting
import Glibc
import LifeCycleModel
import RoostWire

/// The socket to which the processes of a device's apps connect. The connections are read when the apps are idle, one
/// app after the other.
///
/// An app has two connections, one for callbacks and one for requests. Both are identified by the launch's token.
@MainActor final class AppListener {
    private final class Link {
        let descriptor: Int32
        var framer = MessageFramer()
        var token: String?
        var isForCallbacks = false

        init(_ descriptor: Int32) { self.descriptor = descriptor }
    }

    /// A message from an app, identified by its launch's token.
    enum Said {
        case attached(Attachment)
        case requested(AppRequest)
        case garbage(String)
    }

    let path: String
    private let descriptor: Int32
    private var links: [Link] = []
    private var said: [(token: String, what: Said)] = []

    /// Listens at `path`, whose directory must exist; nil on failure, with `errno`.
    init?(path: String) {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [UInt8](path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return nil
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(descriptor, 64) == 0 else {
            close(descriptor)
            return nil
        }
    }

    func shut() {
        for link in links { close(link.descriptor) }
        links = []
        close(descriptor)
        unlink(path)
    }

    // MARK: Reading

    /// Returns the new messages of the app with this token, in order.
    func take(of token: String) -> [Said] {
        readAll()
        defer { said.removeAll { $0.token == token } }
        return said.filter { $0.token == token }.map(\.what)
    }

    private func readAll() {
        while true {
            let peer = croost_testing_accept(descriptor)
            guard peer >= 0 else { break }
            links.append(Link(peer))
        }
        // A request must not overtake the attachment that was sent before it on the other connection.
        for link in links.sorted(by: { $0.isForCallbacks && !$1.isForCallbacks }) { read(link) }
    }

    private func read(_ link: Link) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(link.descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return drop(link) }
            var messages: [[UInt8]] = []
            do throws(WireError) {
                try link.framer.feed(buffer[..<count], into: &messages)
                for message in messages { try take(message, from: link) }
            } catch {
                if let token = link.token { said.append((token, .garbage("\(error)"))) }
                return drop(link)
            }
        }
    }

    private func take(_ message: [UInt8], from link: Link) throws(WireError) {
        switch try AppCall(try VarlinkCall(message)) {
        case .attach(let token, let attachment):
            link.token = token
            link.isForCallbacks = true
            said.append((token, .attached(attachment)))
        case .identify(let token):
            link.token = token
            write(VarlinkReply.empty.encoded(), to: link)
        case .request(let request):
            if let token = link.token { said.append((token, .requested(request))) }
        }
    }

    private func drop(_ link: Link) {
        close(link.descriptor)
        links.removeAll { $0 === link }
    }

    // MARK: Writing

    /// Sends a message to the app with this token; dropped if the app is not connected.
    func send(_ message: SystemMessage, to token: String) {
        guard let link = links.first(where: { $0.token == token && $0.isForCallbacks }) else { return }
        write(message.encoded(), to: link)
    }

    private func write(_ bytes: [UInt8], to link: Link) {
        // Callbacks are small and are sent one at a time. If the socket's buffer has no space, the app no longer reads.
        let sent = Glibc.send(link.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if sent != bytes.count { drop(link) }
    }

    /// Closes the connections of a launch that is over.
    func forget(_ token: String) {
        for link in links where link.token == token { drop(link) }
        said.removeAll { $0.token == token }
    }
}
