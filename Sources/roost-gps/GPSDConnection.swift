import CRoost
import Glibc
import LifeCycleModel
import RoostPorts

/// The making of a TCP connection to gpsd, from which nothing is read yet.
struct GPSDConnection {
    let host: String
    let port: UInt16

    /// How long name lookup and connecting may take together.
    static let patience = Nanoseconds.seconds(5)

    /// Connects to the first address that accepts, and returns a non-blocking socket, which the caller closes. A name
    /// lookup that takes too long cannot be interrupted: the process then sends `farewell` to `supervisor` and ends.
    func open(supervisor: Int32, farewell: (SystemError) -> [UInt8]) throws(SystemError) -> Int32 {
        let end = croost_monotonic() + Self.patience.rawValue
        let seconds = UInt32(Self.patience.rawValue / 1_000_000_000)
        let message = farewell(lookupFailure("there was no answer within \(seconds) s"))
        croost_say_and_exit_after(seconds, supervisor, message, message.count)
        var list: UnsafeMutablePointer<addrinfo>?
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        let code = getaddrinfo(host, "\(port)", &hints, &list)
        alarm(0)
        guard code == 0 else { throw lookupFailure(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        let addresses = Array(sequence(first: list, next: { $0?.pointee.ai_next }).compactMap(\.self))
        var last = ENOENT
        for (number, address) in addresses.enumerated() {
            let socket = try descriptor(for: address.pointee)
            // An address that does not answer leaves the others their part of the time.
            let now = croost_monotonic()
            let share = max(0, end - now) / Int64(addresses.count - number)
            last = connect(socket, to: address.pointee, until: now + share)
            if last == 0 { return socket }
            close(socket)
        }
        throw failure(last)
    }

    private func lookupFailure(_ reason: String) -> SystemError {
        SystemError(doing: "look up gpsd's host", subject: host, errno: 0, reason: reason)
    }

    private func descriptor(for address: addrinfo) throws(SystemError) -> Int32 {
        let socket = socket(
            address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { throw failure(errno) }
        // Notice that another machine has vanished. gpsd may say nothing for hours.
        for (level, option, value) in [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60),
            (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 4),
        ] as [(Int32, Int32, Int32)] {
            var value = value
            setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        return socket
    }

    /// 0, or an errno.
    private func connect(_ socket: Int32, to address: addrinfo, until end: Int64) -> Int32 {
        if Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        let waited = croost_wait_for(socket, Int16(POLLOUT), max(0, end - croost_monotonic()))
        guard waited == 0 else { return waited }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }

    private func failure(_ code: Int32) -> SystemError {
        SystemError(
            doing: "connect to gpsd", subject: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)",
            errno: code)
    }
}
