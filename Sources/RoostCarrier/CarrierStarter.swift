public import LifeCycleModel
public import RoostPorts

/// Starts carriers, and ends them.
public protocol CarrierStarter: AnyObject {
    /// Starts one, and returns the supervisor's end of its stream, the caller's to close. It comes up by itself; one that
    /// does not hangs up.
    func startCarrier(_ number: Int64) throws(SystemError) -> Int32

    /// Ends the one with this number, whatever it does; one that has gone is left alone.
    func endCarrier(_ number: Int64)
}

/// How transfers are carried.
public struct CarriedTransferOptions: Hashable, Sendable {
    /// The directory of the partial files, an absolute path; made where it is missing, and closed to all others.
    public var directory: String
    /// The kernel's name for this boot: in the same one a file's length tells what arrived.
    public var bootID: String
    /// A PEM file of certificates that are trusted in addition to the system's own; nil for none.
    public var additionalRoots: String?
    /// The uid and gid of carriers; nil for the system's own.
    public var user: UInt32?
    /// So many bytes of room at most are set aside ahead of what has arrived of a transfer.
    public var reservedAhead: Int64 = 32 << 20
    /// So many bytes of room are left to others, or a twentieth of the disk where that is less.
    public var roomLeft: Int64 = 0
    /// Whether link-local addresses, and those where clouds keep secrets, may be connected to.
    public var allowsLinkLocal = false
    /// How long a carrier may take to stop a transfer; then it is ended.
    public var stopPatience = Nanoseconds.seconds(30)

    /// Partial files in `directory`, in the boot `bootID`.
    public init(directory: String, bootID: String) {
        self.directory = directory
        self.bootID = bootID
    }
}
