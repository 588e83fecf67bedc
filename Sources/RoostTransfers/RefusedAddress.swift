internal import Glibc

/// An address that downloads must not reach. Link-local addresses belong to no server on the internet. Metadata
/// services of clouds reveal a machine's secrets to any program on it.
///
/// Two checks apply: to the literal address in a URL before connecting, and to the connection's address before the
/// request. Neither a host name nor a redirect can avoid them.
struct RefusedAddress: Error, Hashable {
    let text: String

    /// Nil if the address is allowed.
    init?(_ address: UnsafePointer<sockaddr>) {
        let bytes = Self.bytes(of: address)
        guard Self.isRefused(bytes) else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes {
            inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
        }
        self.text = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address that a host names literally, in any notation. Nil if the address is allowed, or if the host is a
    /// name, which is not looked up.
    init?(host: String) {
        // An IPv6 address has brackets.
        let host = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        guard Self.isRefused(Self.bytes(of: found.pointee.ai_addr)) else { return nil }
        text = host
    }

    /// The address in network order, 4 or 16 bytes; empty for any other family.
    private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8] {
        let raw = UnsafeRawPointer(address)
        switch Int32(raw.load(as: UInt16.self)) {
        case AF_INET: return Array(UnsafeRawBufferPointer(start: raw + 4, count: 4))
        case AF_INET6: return Array(UnsafeRawBufferPointer(start: raw + 8, count: 16))
        default: return []
        }
    }

    /// Whether an address of 4 or 16 bytes is refused. An empty address is not refused.
    static func isRefused(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else {
            // The metadata services of Alibaba and Oracle are not link-local.
            return bytes.starts(with: [169, 254]) || bytes == [100, 100, 100, 200] || bytes == [192, 0, 0, 192]
        }
        // fe80::/10, and the metadata services of Amazon, fd00:ec2::254, and Google, fd20:ce::254.
        if bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80 { return true }
        let services: [[UInt8]] = [[0xfd, 0, 0x0e, 0xc2], [0xfd, 0x20, 0, 0xce]]
        if services.contains(where: { bytes == $0 + [UInt8](repeating: 0, count: 10) + [0x02, 0x54] }) { return true }
        // Embedded IPv4: mapped, compatible, and translated (::ffff:0:0:0/96, 64:ff9b::/96 and 64:ff9b:1::/48).
        let zeros = [UInt8](repeating: 0, count: 8)
        let inside: [[UInt8]] = [
            zeros + [0, 0, 0xff, 0xff], zeros + [0, 0, 0, 0], zeros + [0xff, 0xff, 0, 0],
            [0, 0x64, 0xff, 0x9b] + zeros, [0, 0x64, 0xff, 0x9b, 0, 1],
        ]
        if inside.contains(where: { bytes.starts(with: $0) }) { return isRefused(Array(bytes[12...])) }
        // Teredo (2001::/32) has the inverted client address at its end, 6to4 (2002::/16) has it after the prefix.
        if bytes.starts(with: [0x20, 0x01, 0, 0]) { return isRefused(bytes[12...].map { ~$0 }) }
        return bytes.starts(with: [0x20, 0x02]) && isRefused(Array(bytes[2..<6]))
    }
}
