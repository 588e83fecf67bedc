internal import CRoost
internal import Glibc
public import RoostPorts

/// The network links of this machine or its network namespace. Netlink reports changes.
public final class NetworkLinks: LinkWatch {
    /// Readable after a link or an address has changed.
    public let descriptor: Int32

    /// Starts watching. Throws if netlink is unavailable.
    public init() throws(SystemError) {
        var descriptor: Int32 = -1
        let code = croost_link_watch(&descriptor)
        guard code == 0 else {
            throw SystemError(doing: "watch the network links", subject: "netlink", errno: code)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether a link is up, has a carrier and has an address that other machines can reach. Loopback does not count.
    public func isConnected() -> Bool {
        _ = croost_netlink_drain(descriptor, nil)
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).contains { entry in
            entry.map { Self.leadsElsewhere($0.pointee) } ?? false
        }
    }

    private static func leadsElsewhere(_ entry: ifaddrs) -> Bool {
        let (up, loopback) = (UInt32(IFF_UP | IFF_RUNNING), UInt32(IFF_LOOPBACK))
        guard entry.ifa_flags & up == up, entry.ifa_flags & loopback == 0, let address = entry.ifa_addr else {
            return false
        }
        switch Int32(address.pointee.sa_family) {
        case AF_INET: return true
        case AF_INET6:
            // fe80::/10 is valid only on the link itself.
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { $0[0] != 0xfe || $0[1] & 0xc0 != 0x80 }
            }
        default: return false
        }
    }
}
