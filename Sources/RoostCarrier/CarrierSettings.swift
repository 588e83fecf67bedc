package import LifeCycleModel

/// The first order a carrier gets.
package struct CarrierSettings: Hashable, Sendable {
    /// The directory of the partial files, an absolute path: the only one that the carrier may write to.
    package var directory: String
    /// The kernel's name for this boot.
    package var bootID: String
    /// A PEM file of certificates that are trusted in addition to the system's own; nil for none.
    package var additionalRoots: String?
    /// The uid and gid of the carrier; nil for the system's own.
    package var user: UInt32?
    /// So many bytes of room at most are set aside ahead of what has arrived of a transfer.
    package var reservedAhead: Int64 = 32 << 20
    /// So many bytes of room are left to others.
    package var roomLeft: Int64 = 0
    /// Whether link-local addresses, and those where clouds keep secrets, may be connected to.
    package var allowsLinkLocal = false

    /// Settings without additional certificates, for a carrier with the system's own uid.
    package init(directory: String, bootID: String) {
        self.directory = directory
        self.bootID = bootID
    }
}

/// A message from the supervisor to a carrier.
package enum CarrierOrder: Hashable, Sendable {
    /// The first order, once.
    case settings(CarrierSettings)
    case begin(TransferJob)
    case stop(TransferID)

    /// The longest one, in bytes.
    package static let longest = 512 << 10
}

/// A message from a carrier to the supervisor.
package enum CarrierWord: Hashable, Sendable {
    case report(TransferReport)
    /// The carrier has had nothing to do for a while.
    case resting
    /// The carrier cannot work, for this reason, and exits.
    case gaveUp(String)

    /// The longest one, in bytes: an answer's fields and its URL, and some room.
    package static let longest = 128 << 10
}
