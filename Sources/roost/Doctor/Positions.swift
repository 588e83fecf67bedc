import CRoost
import Glibc
import RoostGPS

/// Whether anything answers at gpsd's address. Nothing is read from it.
struct Positions {
    let address: GPSDAddress
    /// Whether the user has named the address.
    let isChosen: Bool

    /// How long one address may take to answer.
    private static let patience: Int64 = 2_000_000_000

    var finding: Finding {
        let about = "positions"
        guard let reason = refusal else { return .ok(about, "a program answers at gpsd's address, \(address)") }
        let found = "no gpsd at \(address): \(reason). Apps get only the positions of `roost location`"
        guard isChosen else { return .ok(about, found) }
        return .warning(about, found, "start gpsd there, or correct ROOST_GPSD")
    }

    /// Why no connection is possible; nil if one is.
    private var refusal: String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address.host, "\(address.port)", &hints, &list)
        guard code == 0 else { return String(cString: gai_strerror(code)) }
        defer { freeaddrinfo(list) }
        var last = ENOENT
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }).compactMap(\.self) {
            last = Self.connect(to: entry.pointee)
            if last == 0 { return nil }
        }
        return String(cString: strerror(last))
    }

    /// 0, or an errno.
    private static func connect(to entry: addrinfo) -> Int32 {
        let socket = socket(
            entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return errno }
        defer { close(socket) }
        if Glibc.connect(socket, entry.ai_addr, entry.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        let waited = croost_wait_for(socket, Int16(POLLOUT), patience)
        guard waited == 0 else { return waited }
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }
}
