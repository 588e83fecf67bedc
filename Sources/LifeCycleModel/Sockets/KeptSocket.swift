/// The kernel's number of a socket, `SO_COOKIE`. It is the same for all descriptors of the socket, and no other socket
/// has it until the next boot.
public struct SocketID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number, greater than 0.
    public let rawValue: Int64

    /// A socket with this number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number.
    public var description: String { "\(rawValue)" }
    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A TCP socket that the system watches for an app while the app is suspended.
public struct KeptSocket: Hashable, Sendable, Codable {
    /// The socket.
    public let id: SocketID
    /// The descriptor of the socket in the app's process.
    public let descriptor: Int32

    /// A socket behind a descriptor of the app.
    public init(id: SocketID, descriptor: Int32) { (self.id, self.descriptor) = (id, descriptor) }
}

/// Why the system does not watch a socket.
public enum SocketFailure: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// The app does not declare the `voip` mode.
    case modeNotDeclared = 0
    /// The app, or all apps together, have as many kept sockets as the policy allows.
    case tooMany = 1
    /// The descriptor is closed, or belongs to another socket by now.
    case notOpen = 2
    /// The descriptor is no TCP socket.
    case notTCP = 3
    /// The TCP socket is not connected, or its connection has ended.
    case notConnected = 4
    /// The system could not duplicate the descriptor: missing permission (`CAP_SYS_PTRACE` for root; otherwise
    /// `kernel.yama.ptrace_scope` 0 or 1), or too many open files.
    case unavailable = 5
}
