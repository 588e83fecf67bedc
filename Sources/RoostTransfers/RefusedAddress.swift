internal import Glibc
internal import NIOCore

/// An address that no download is to reach: link-local ones, which no server of the internet has, and those where clouds keep
/// a machine's secrets for whoever asks from it.
///
/// Judged are the address a URL names, before anything is connected, and the one a connection has, before anything is
/// asked over it: so no name that leads there helps, and no redirect.
struct RefusedAddress: Error, Hashable {
    /// As it is written.
    let text: String

    /// Nil for an address that may be reached.
    init?(_ address: SocketAddress) {
        guard address.withSockAddr({ address, _ in Self.isRefused(Self.bytes(of: address)) }) else { return nil }
        text = address.ipAddress ?? "\(address)"
    }

    /// Of a host that is a number, in whatever way it is written; nil for a name as well, which is not asked for.
    init?(host: String) {
        // An IPv6 address stands in brackets.
        let host = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        guard Self.isRefused(Self.bytes(of: found.pointee.ai_addr)) else { return nil }
        text = host
    }

    /// Four or sixteen bytes, in the network's order; none for what is no address of the internet.
    private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8] {
        // By offset: the members of these structures are NIO's as well as the C library's.
        let raw = UnsafeRawPointer(address)
        switch Int32(raw.load(as: UInt16.self)) {
        case AF_INET: return Array(UnsafeRawBufferPointer(start: raw + 4, count: 4))
        case AF_INET6: return Array(UnsafeRawBufferPointer(start: raw + 8, count: 16))
        default: return []
        }
    }

    /// Of four or sixteen bytes; none is not refused.
    static func isRefused(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else {
            // Alibaba's and Oracle's metadata are not link-local.
            return bytes.starts(with: [169, 254]) || bytes == [100, 100, 100, 200] || bytes == [192, 0, 0, 192]
        }
        // fe80::/10, and fd00:ec2::254, Amazon's metadata.
        if bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80 { return true }
        if bytes == [0xfd, 0, 0x0e, 0xc2] + [UInt8](repeating: 0, count: 10) + [0x02, 0x54] { return true }
        // IPv4 inside: mapped, compatible, and translated (::ffff:0:0:0/96, 64:ff9b::/96 and 64:ff9b:1::/48).
        let zeros = [UInt8](repeating: 0, count: 8)
        let inside: [[UInt8]] = [
            zeros + [0, 0, 0xff, 0xff], zeros + [0, 0, 0, 0], zeros + [0xff, 0xff, 0, 0],
            [0, 0x64, 0xff, 0x9b] + zeros, [0, 0x64, 0xff, 0x9b, 0, 1],
        ]
        if inside.contains(where: { bytes.starts(with: $0) }) { return isRefused(Array(bytes[12...])) }
        // Teredo (2001::/32) has the bits of the client's address turned round, 6to4 (2002::/16) has it in front.
        if bytes.starts(with: [0x20, 0x01, 0, 0]) { return isRefused(bytes[12...].map { ~$0 }) }
        return bytes.starts(with: [0x20, 0x02]) && isRefused(Array(bytes[2..<6]))
    }
}
