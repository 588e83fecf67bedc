public import LifeCycleModel

/// The configuration of `CarriedTransfers`: directories, certificates, limits.
public struct CarriedTransferOptions: Hashable, Sendable {
    /// The absolute path of the directory for partial files. If missing, it is created, closed to other users.
    public var directory: String
    /// The kernel's id of this boot. Within one boot, a file's length is the number of received bytes.
    public var bootID: String
    /// The path of a PEM file with certificates that are trusted in addition to the system's own; nil for none.
    public var additionalRoots: String?
    /// The uid and gid of carriers; nil for the system's own.
    public var user: UInt32?
    /// The most bytes of disk space that are reserved ahead of a transfer's received bytes.
    public var reservedAhead: Int64 = 32 << 20
    /// The bytes of disk space that transfers leave free. On a small disk, a twentieth of the disk applies instead if
    /// it is less.
    public var roomLeft: Int64 = 0
    /// Whether carriers may connect to link-local addresses and to the addresses of cloud metadata services.
    public var allowsLinkLocal = false
    /// How long a carrier may take to stop a transfer before it is ended.
    public var stopPatience = Nanoseconds.seconds(30)

    /// Options for partial files in `directory`, in the boot `bootID`.
    public init(directory: String, bootID: String) {
        self.directory = directory
        self.bootID = bootID
    }
}
