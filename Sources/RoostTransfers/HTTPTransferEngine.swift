public import LifeCycleModel
internal import RoostCarrier
public import RoostPorts

/// Carries transfers by HTTP/1.1, and by HTTP/2 where a server has that alone, over TLS or without.
///
/// Two versions of a resource never end up in one file, and what is not whole is never told to be. The threads start
/// with the first transfer and end a moment after the last. What becomes of a completed file is for others to do.
public final class HTTPTransferEngine {
    private let core: EngineCore

    /// Makes an engine, and its directory where that is missing. No thread is started yet.
    public init(_ options: TransferOptions) throws(SystemError) { core = try EngineCore(options: options) }

    /// The same, with another way to ask whether a host is there at all.
    init(_ options: TransferOptions, askingNamesBy ask: @escaping NameLookUp.Asking) throws(SystemError) {
        core = try EngineCore(options: options, askingNamesBy: ask)
    }

    deinit { core.close() }

    /// Readable when there are reports to take.
    public var descriptor: Int32 { core.reports.descriptor }

    /// The reports so far, in their order.
    public func takeReports() -> [TransferReport] { core.reports.takeAll() }

    /// Begins or goes on with a transfer. What is under way for the same one ends before.
    public func begin(_ job: TransferJob) { core.submit(job) }

    /// Stops a transfer under way, or about to be.
    public func stop(_ id: TransferID) { core.stop(id) }

    /// Whether no transfer is under way. A transfer reports its end first.
    package var isIdle: Bool { core.isIdle }
}
