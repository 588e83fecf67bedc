import Foundation
import Glibc

/// A numeric address and a port of TCP.
struct SocketAddress: Sendable {
    let family: Int32
    /// The kernel's form of the address.
    private let bytes: [UInt8]

    /// Connects a socket that does not block. Returns the error, such as `EINPROGRESS`; 0 if it is connected.
    func connect(_ descriptor: Descriptor) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            guard let address = bytes.bindMemory(to: sockaddr.self).baseAddress else { return EINVAL }
            return Glibc.connect(descriptor.number, address, socklen_t(bytes.count)) == 0 ? 0 : errno
        }
    }

    /// Calls `completion` on the main thread: at once for a numeric address, and after the look-up for a name.
    @MainActor static func find(
        _ server: Server, completion: @escaping @MainActor @Sendable (Result<SocketAddress, Problem>) -> Void
    ) {
        if let address = try? lookUp(server, AI_NUMERICHOST) { return completion(.success(address)) }
        DispatchQueue.global().async {
            let result = Result { () throws(Problem) in try lookUp(server, 0) }
            DispatchQueue.main.async { MainActor.assumeIsolated { completion(result) } }
        }
    }

    private static func lookUp(_ server: Server, _ flags: Int32) throws(Problem) -> SocketAddress {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(server.host, String(server.port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard code == 0, let entry = list?.pointee, let address = entry.ai_addr else {
            throw Problem("there is no host \(server.host): \(String(cString: gai_strerror(code)))")
        }
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
        return SocketAddress(family: entry.ai_family, bytes: Array(bytes))
    }

    /// The text of an address; nil if it has none.
    static func text(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> (address: String, port: UInt16)? {
        var (host, port) = ([CChar](repeating: 0, count: 256), [CChar](repeating: 0, count: 16))
        let code = getnameinfo(
            address, size, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
        guard code == 0, let number = UInt16(text(port)) else { return nil }
        return (text(host), number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
