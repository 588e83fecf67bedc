public import LifeCycleModel

/// The watch of apps' kept sockets. It has a descriptor of each socket and never reads from it. Used on the loop's
/// thread only. Does not poll, and no call waits for an app.
public protocol SocketWatch: AnyObject {
    /// Readable when `takeReports` has something to return. Owned by the adapter, and the same for its whole life.
    var descriptor: Int32 { get }

    /// Carries out work. `process` is the main process of the work's launch, whose descriptors are meant; nil if it is
    /// gone. Its pidfd may be closed after the call.
    ///
    /// A `take` is answered once, unless a `close` of the socket comes first. Later, one report of `taken` with a
    /// failure may say that the socket can no longer be watched. After `watch`, each socket of the launch is reported
    /// at most once as readable, also if it is taken later. Another `watch` permits another report. The same data is
    /// reported at most `LeftData.mostReports` times.
    func perform(_ output: SocketOutput, on process: ProcessHandle?)

    /// The reports since the last call. A socket is reported as taken before it is reported as readable.
    func takeReports() -> [SocketInput]
}
