internal import AsyncHTTPClient
internal import Dispatch
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import RoostCarrier
internal import Synchronization

/// The threads and connections that exist while transfers are under way: one event loop, which never blocks, and a few
/// threads that may block.
final class Carrier: CommitThreads {
    let pool: NIOThreadPool
    /// A single thread that commits short files on a fast disk. In the pool, each commit might wake a different
    /// sleeping thread.
    let committer: NIOThreadPool
    let loop: any EventLoop
    let names: NameLookUp
    let watch: Watch
    /// The HTTP/1.1 client. A connection per transfer takes a quarter of the processor time of an HTTP/2 stream, and
    /// most servers with HTTP/2 also support HTTP/1.1.
    private let client: HTTPClient
    /// A client that also offers HTTP/2, for servers that support nothing else.
    private let clientOfBoth: HTTPClient
    private let group: MultiThreadedEventLoopGroup
    private let load = Mutex(Load())

    private struct Load {
        var attempts = 0
        var bytes = 0
        /// Written blocks, for reuse.
        var spare: [Block] = []
    }

    /// The number of threads that write and sync. The disk may block each of them for long.
    private static let writers = 4
    /// The number of these threads that may help to commit short files on a slow disk. The rest are free for other
    /// work.
    static let committers = 2
    /// The most bytes in memory, over all transfers.
    private static let mostBytes = 4 << 20
    /// The most bytes in memory for one transfer: more can arrive while the first are being written. A kill loses the
    /// bytes in memory.
    private static let mostOfOne = 1 << 20
    /// The size of a write with few transfers, in bytes.
    private static let mostAtOnce = 512 << 10
    private static let fewestAtOnce = 64 << 10

    init(options: TransferOptions, askingNamesBy ask: NameLookUp.Asking? = nil) {
        names = ask.map { NameLookUp($0) } ?? NameLookUp()
        pool = NIOThreadPool(numberOfThreads: Self.writers)
        pool.start()
        committer = NIOThreadPool(numberOfThreads: 1)
        committer.start()
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        watch = Watch(on: loop)
        var configuration = Self.configuration(options: options)
        clientOfBoth = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    func client(offeringHTTP2 offersHTTP2: Bool) -> HTTPClient { offersHTTP2 ? clientOfBoth : client }

    private static func configuration(options: TransferOptions) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let path = options.additionalRoots { tls.additionalTrustRoots = [.file(path)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .follow(max: options.redirects, allowCycles: true),
            timeout: HTTPClient.Configuration.Timeout(connect: .seconds(60)), decompression: .disabled)
        // The brain decides about concurrency and retries.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        configuration.connectionPool.retryConnectionEstablishment = false
        // Traces are not used, and took a twentieth of the processor time of a short file.
        configuration.tracing.tracer = nil
        let allowsLinkLocal = options.allowsLinkLocal
        let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            if !allowsLinkLocal, let refused = channel.remoteAddress.flatMap({ RefusedAddress($0) }) {
                // A failed initializer alone would leave the channel open.
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(refused)
            }
            return Reading.prepare(channel)
        }
        configuration.http1_1ConnectionDebugInitializer = prepare
        configuration.http2ConnectionDebugInitializer = prepare
        return configuration
    }

    /// Ends all threads. Called when no transfer is left; closing connections may still take time.
    func shutDown() {
        let (clients, group, pool, committer, names) = ([client, clientOfBoth], group, pool, committer, names)
        pool.submit { _ in
            // Fails only if the client was already shut down.
            for client in clients { try? client.syncShutdown() }
            // A private queue, because use of a global queue causes a wake-up per second forever.
            let queue = DispatchQueue(label: "org.roost.transfers.end")
            names.whenDone(on: queue) {
                group.shutdownGracefully(queue: queue) { _ in
                    pool.shutdownGracefully(queue: queue) { _ in committer.shutdownGracefully(queue: queue) { _ in } }
                }
            }
        }
    }

    // MARK: Threads for commits

    var helpers: Int { Self.committers }
    func commit(_ body: @escaping @Sendable () -> Void) { committer.submit { _ in body() } }
    func help(_ body: @escaping @Sendable () -> Void) { pool.submit { _ in body() } }

    // MARK: Memory

    func attemptBegan() { load.withLock { $0.attempts += 1 } }
    func attemptEnded() { load.withLock { $0.attempts -= 1 } }

    /// A block whose size is the amount that a transfer gathers before a write.
    func takeBlock() -> Block {
        load.withLock { load in
            let size = min(Self.mostAtOnce, max(Self.fewestAtOnce, Self.mostBytes / 2 / max(1, load.attempts)))
            if let index = load.spare.lastIndex(where: { $0.capacity >= size }) { return load.spare.remove(at: index) }
            return Block(capacity: size)
        }
    }

    func giveBack(_ block: Block) {
        block.clear()
        load.withLock { if $0.spare.count < Self.mostSpare { $0.spare.append(block) } }
    }

    /// The most spare blocks.
    private static let mostSpare = 8

    func hold(_ bytes: Int) { load.withLock { $0.bytes += bytes } }
    func release(_ bytes: Int) { load.withLock { $0.bytes -= bytes } }

    /// Whether a transfer that holds this many bytes in memory must wait for writes.
    func isFull(holding bytes: Int) -> Bool {
        if bytes >= Self.mostOfOne { return true }
        return load.withLock { $0.bytes > Self.mostBytes && bytes > Self.mostBytes / max(1, 2 * $0.attempts) }
    }
}
