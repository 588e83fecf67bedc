public import LifeCycleModel

/// The progress of a transfer, for display.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes received, including those of earlier attempts.
    public var received: Int64
    /// The whole length in bytes; nil if unknown.
    public var expected: Int64?
    /// Bytes per second over the last few seconds.
    public var rate: Int64

    /// For display only; it is not persisted.
    public init(received: Int64, expected: Int64?, rate: Int64) {
        self.received = received
        self.expected = expected
        self.rate = rate
    }
}

/// The adapter for transfers: HTTP, and the downloaded files. It does not decide which transfers begin or are retried.
/// Used on the loop's thread only. Slow work runs on the engine's own threads and is reported.
///
/// Partial files lie in a directory that no app can reach. Without a transfer the engine has no running thread and no
/// timer.
public protocol TransferEngine: AnyObject {
    /// Readable when there are reports to take. Owned by the adapter.
    var descriptor: Int32 { get }

    /// Takes the reports so far, in their order.
    func takeReports() -> [TransferReport]

    /// Starts or resumes transfers. Each attempt ends once, with `completed`, `failed` or `stopped`.
    ///
    /// With a validator and some bytes, the engine requests the rest with `Range` and `If-Range`. If the answer is not
    /// the rest of the same version, the download restarts from zero. In the boot of the checkpoint, the file's length
    /// says how many bytes there are.
    func begin(_ jobs: [TransferJob])

    /// Stops a running transfer; does nothing if the transfer is not running.
    func stop(_ id: TransferID)

    /// Atomically moves a completed file to `path` below the directory `container`, and gives it that directory's
    /// owner. Symbolic links on the way are not followed. Does nothing if the file was already moved. Reported by
    /// `moved`.
    func move(_ id: TransferID, to path: String, below container: String)

    /// Deletes a transfer's partial file. If `path` is given, also deletes the file that was moved there, below the
    /// directory `container`.
    func discard(_ id: TransferID, delivered path: String?, below container: String?)

    /// Deletes the partial files of all other transfers, which a crash may have left.
    func keepOnly(_ ids: Set<TransferID>)

    /// A function that measures an app's partial files on disk, in bytes. The function may take long, so run it on
    /// another thread.
    func partialSize(of app: AppID) -> @Sendable () -> Int64

    /// The progress of the running transfers. A transfer that was running and is not in the result has reported its
    /// end.
    func progress() -> [TransferID: TransferProgress]
}
