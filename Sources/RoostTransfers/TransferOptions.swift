public import LifeCycleModel

/// The options of an engine.
public struct TransferOptions: Hashable, Sendable {
    /// The absolute path of the directory for partial files. If missing, it is created, closed to other users.
    public var directory: String
    /// The kernel's id of this boot. Within one boot, a file's length is the number of received bytes.
    public var bootID: String
    /// The path of a PEM file with certificates that are trusted in addition to the system's own; nil for none.
    public var additionalRoots: String?
    /// The number of bytes after which a checkpoint is taken.
    public var checkpointBytes: Int64 = 64 << 20
    /// The time after which a checkpoint is taken, while bytes arrive.
    public var checkpointInterval = Nanoseconds.seconds(5)
    /// The most bytes of disk space that are reserved ahead of a transfer's received bytes.
    public var reservedAhead: Int64 = 32 << 20
    /// The bytes of disk space that transfers leave free. On a small disk, a twentieth of the disk applies instead if
    /// it is less.
    public var roomLeft: Int64 = 0
    /// Whether downloads may connect to link-local addresses and to the addresses of cloud metadata services.
    public var allowsLinkLocal = false
    /// The most redirects that are followed.
    public var redirects = 20
    /// The time for which threads and connections wait for another transfer after the last transfer.
    public var linger = Nanoseconds.seconds(2)

    /// Options for partial files in `directory`, in the boot `bootID`.
    public init(directory: String, bootID: String) {
        self.directory = directory
        self.bootID = bootID
    }
}
