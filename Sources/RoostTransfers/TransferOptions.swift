public import LifeCycleModel

/// What an engine is made with.
public struct TransferOptions: Hashable, Sendable {
    /// Where the partial files lie, an absolute path; made where it is missing, and closed to everybody else.
    public var directory: String
    /// The kernel's name for this boot: in the same one a file's length tells what arrived.
    public var bootID: String
    /// A PEM file of certificates that are trusted besides the system's own; nil for none.
    public var additionalRoots: String?
    /// A checkpoint is taken once so many bytes have arrived since the last …
    public var checkpointBytes: Int64 = 64 << 20
    /// … or after so long, while bytes arrive.
    public var checkpointInterval = Nanoseconds.seconds(5)
    /// So many bytes of room at most are set aside ahead of what has arrived of a transfer.
    public var reservedAhead: Int64 = 32 << 20
    /// So many bytes of room are left to others, or a twentieth of the disk where that is less.
    public var roomLeft: Int64 = 0
    /// Whether link-local addresses, and those where clouds keep secrets, may be connected to.
    public var allowsLinkLocal = false
    /// How many redirects are followed.
    public var redirects = 20
    /// How long threads and connections stay after the last transfer, for the next one.
    public var linger = Nanoseconds.seconds(2)

    /// Partial files in `directory`, in the boot `bootID`.
    public init(directory: String, bootID: String) {
        self.directory = directory
        self.bootID = bootID
    }
}
