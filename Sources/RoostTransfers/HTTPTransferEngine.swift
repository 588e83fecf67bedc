public import LifeCycleModel
internal import RoostCarrier
public import RoostPorts

/// A transfer engine for HTTP/1.1, and for HTTP/2 if a server supports nothing else, with or without TLS.
///
/// A file never mixes two versions of a resource, and an incomplete file is never reported as complete. The threads
/// start with the first transfer, and end shortly after the last transfer. Completed files are moved by other code.
public final class HTTPTransferEngine {
    private let core: EngineCore

    /// Creates an engine, and its directory if the directory is missing. Starts no thread yet.
    public init(_ options: TransferOptions) throws(SystemError) { core = try EngineCore(options: options) }

    /// Creates an engine that has no thread for its connections: its owner calls `run`.
    public init(runByOwner options: TransferOptions) throws(SystemError) {
        core = try EngineCore(options: options, isRunByOwner: true)
    }

    /// Runs the engine on this thread, until it is deallocated. Orders and reports then need no other thread.
    public func run(beside companion: any LoopCompanion) { core.run(beside: companion) }

    /// Creates an engine with another lookup of host names, for tests.
    init(_ options: TransferOptions, askingNamesBy ask: @escaping NameLookUp.Asking) throws(SystemError) {
        core = try EngineCore(options: options, names: NameLookUp(ask: ask))
    }

    deinit { core.close() }

    /// Readable when reports can be taken.
    public var descriptor: Int32 { core.reports.descriptor }

    /// The reports so far, in order.
    public func takeReports() -> [TransferReport] { core.reports.takeAll() }

    /// Begins or resumes a transfer. If work for the same transfer is under way, the new job waits for its end.
    public func begin(_ job: TransferJob) { core.submit(job) }

    /// Stops a transfer that is under way or queued.
    public func stop(_ id: TransferID) { core.stop(id) }

    /// Whether no transfer is under way. A transfer reports its end first.
    package var isIdle: Bool { core.isIdle }
}
