public import LifeCycleModel

/// How far a transfer is, for people to look at.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes that have arrived, with what was there before.
    public var received: Int64
    /// The whole length, where it is known.
    public var expected: Int64?
    /// Bytes a second over the last seconds.
    public var rate: Int64

    /// Progress of these.
    public init(received: Int64, expected: Int64?, rate: Int64) {
        self.received = received
        self.expected = expected
        self.rate = rate
    }
}

/// What carries transfers: HTTP, and the files they become. It decides nothing: not what is begun, nor whether it is
/// tried again. Used on the loop's thread only; whatever takes time is done on threads of its own, and reported.
///
/// Partial files lie in a directory that no app can reach. Without a transfer it has no thread awake and no timer.
public protocol TransferEngine: AnyObject {
    /// Readable when there are reports to take; owned by the organ.
    var descriptor: Int32 { get }

    /// The reports so far, in their order.
    func takeReports() -> [TransferReport]

    /// Begins or goes on with transfers. Each ends in `completed`, `failed` or `stopped`, once.
    ///
    /// Where a validator and bytes are there it asks for the rest with `Range` and `If-Range`; an answer that is not
    /// the rest of the same version begins anew. In the boot of the checkpoint it goes by the file's length.
    func begin(_ jobs: [TransferJob])

    /// Stops a transfer under way; one that is not is left alone.
    func stop(_ id: TransferID)

    /// Moves a completed file to `path` below the directory `container`, at once and whole, to belong to that directory's
    /// owner; a link on the way is not followed. Done before, it does nothing. Answered by `moved`.
    func move(_ id: TransferID, to path: String, below container: String)

    /// Deletes what there is of a transfer: its partial file, and, where `path` is given, the file that was moved there
    /// below the directory `container`.
    func discard(_ id: TransferID, delivered path: String?, below container: String?)

    /// Deletes the partial files of all transfers but these: what a crash has left.
    func keepOnly(_ ids: Set<TransferID>)

    /// What all partial files of an app take on the disk, in bytes: asked on another thread, as it may take long.
    func partialSize(of app: AppID) -> @Sendable () -> Int64

    /// How far those under way are. One that is not among them has reported its end, if it was.
    func progress() -> [TransferID: TransferProgress]
}
