package import LifeCycleModel

/// The content of the first order to a carrier.
package struct CarrierSettings: Hashable, Sendable {
    /// The absolute path of the directory for partial files, the only directory that the carrier may write to.
    package var directory: String
    /// The kernel's id of this boot.
    package var bootID: String
    /// The path of a PEM file with certificates that are trusted in addition to the system's own; nil for none.
    package var additionalRoots: String?
    /// The uid and gid of the carrier; nil for the system's own.
    package var user: UInt32?
    /// The most bytes of disk space that are reserved ahead of a transfer's received bytes.
    package var reservedAhead: Int64 = 32 << 20
    /// The bytes of disk space that transfers leave free.
    package var roomLeft: Int64 = 0
    /// Whether the carrier may connect to link-local addresses and to the addresses of cloud metadata services.
    package var allowsLinkLocal = false

    /// Settings without additional certificates, for a carrier with the system's own uid.
    package init(directory: String, bootID: String) {
        self.directory = directory
        self.bootID = bootID
    }
}

/// A message from the supervisor to a carrier.
package enum CarrierOrder: Hashable, Sendable {
    /// The first order, sent once.
    case settings(CarrierSettings)
    case begin(TransferJob)
    case stop(TransferID)

    /// The longest order, in bytes.
    package static let longest = 512 << 10
}

/// A message from a carrier to the supervisor.
package enum CarrierWord: Hashable, Sendable {
    case report(TransferReport)
    /// The carrier has been idle for a while.
    case resting
    /// The carrier cannot work, for this reason, and exits.
    case gaveUp(String)

    /// The longest message, in bytes: the fields and URL of a response, and a reserve.
    package static let longest = 128 << 10
}
