import UIKit

/// Misuses of the system's sockets. Each costs the app a connection and affects no other app.
enum Misbehavior: String {
    /// Closes both of its connections.
    case close
    /// Sends an invalid message on both of its connections.
    case garbage
    /// Sends an endless message on both of its connections.
    case oversize
    /// Introduces itself on a new connection with a token that is not its own.
    case token
    /// Tries to go to the home screen, which apps are not allowed to do.
    case control
    /// Introduces itself again while it is already connected.
    case again
    /// Introduces itself with the token in the file `Documents/token`, and writes its own token there.
    case earlier
    /// Sends a thousand requests per second from a separate thread.
    case flood

    func perform() {
        let path = ProcessInfo.processInfo.environment["ROOST_SOCKET"] ?? ""
        switch self {
        case .close: for descriptor in Self.connections(to: path) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        case .garbage: for descriptor in Self.connections(to: path) { Self.send("{]\0", to: descriptor) }
        case .oversize:
            let endless = String(repeating: "x", count: 300 * 1024)
            for descriptor in Self.connections(to: path) { Self.send(endless, to: descriptor) }
        case .token: Self.identify(with: "00000000000000000000000000000000", at: path)
        case .control:
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            Self.ask(#"{"method":"roost.Control.Home","parameters":{}}"#, at: folder.path + "/control")
        case .again: Self.identify(with: Self.ownToken, at: path)
        case .earlier:
            let file = Script.documents + "/token"
            let earlier = try? String(contentsOfFile: file, encoding: .utf8)
            try? Self.ownToken.write(toFile: file, atomically: true, encoding: .utf8)
            if let earlier { Self.identify(with: earlier, at: path) }
        case .flood: Thread.detachNewThread { Self.flood() }
        }
        print("misbehaved \(rawValue)")
    }

    /// Endless: the system has to stop it.
    private static func flood() {
        var isOn = false
        while true {
            let next = Date.now + 0.01
            for _ in 0..<10 {
                isOn.toggle()
                let value = isOn
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { UIApplication.shared.isIdleTimerDisabled = value }
                }
            }
            Thread.sleep(until: next)
        }
    }

    /// This process's own connections to the system: its descriptors whose other end is that socket.
    private static func connections(to path: String) -> [Int32] {
        (Int32(3)..<256).filter { name(of: $0) == path }
    }

    private static func name(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard found == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func send(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, 1000)
            } else {
                return
            }
        }
    }

    /// The token of this launch. RoostKit removes it from the environment, but not from the process's initial
    /// environment.
    private static var ownToken: String {
        let began = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/environ"))) ?? Data()
        let variable = began.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .first { $0.hasPrefix("ROOST_TOKEN=") }
        return String(variable?.dropFirst("ROOST_TOKEN=".count) ?? "")
    }

    private static func identify(with token: String, at path: String) {
        ask(#"{"method":"roost.App.Identify","parameters":{"token":"\#(token)"}}"#, at: path)
    }

    /// Sends a call on a new connection and prints the reply.
    private static func ask(_ call: String, at path: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { Foundation.close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { return print("not connected: \(String(cString: strerror(errno)))") }
        send(call + "\0", to: descriptor)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        print("answered \(String(decoding: buffer.prefix(max(0, count)).filter { $0 != 0 }, as: UTF8.self))")
    }
}
