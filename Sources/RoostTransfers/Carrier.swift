internal import AsyncHTTPClient
internal import Dispatch
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import RoostCarrier
internal import Synchronization

/// The threads and connections there are while anything is carried: one event loop, which never blocks, and a few
/// threads that may.
final class Carrier: CommitThreads {
    let pool: NIOThreadPool
    /// One thread, which brings short files to a quick disk: among others it would be another one each time, that has slept.
    let committer: NIOThreadPool
    let loop: any EventLoop
    let names: NameLookUp
    let watch: Watch
    /// Speaks HTTP/1.1: a connection for each transfer carries a file in a quarter of the processor time that a stream of
    /// HTTP/2 takes, and most servers that have the one have the other.
    private let client: HTTPClient
    /// Offers HTTP/2 as well, for those that have it alone.
    private let clientOfBoth: HTTPClient
    private let group: MultiThreadedEventLoopGroup
    private let load = Mutex(Load())

    private struct Load {
        var attempts = 0
        var bytes = 0
        /// Blocks that were written.
        var spare: [Block] = []
    }

    /// How many threads write and sync: each may be held up by the disk for long.
    private static let writers = 4
    /// How many of them may help to bring short files to a slow disk: the others are left for what else there is.
    static let committers = 2
    /// How many bytes may be in memory, of all transfers together.
    private static let mostBytes = 4 << 20
    /// How many of one: while these are written the next can come. A kill loses what is in memory.
    private static let mostOfOne = 1 << 20
    /// How many are written at once, where there are few transfers.
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
        // How many at once, and when again, is not decided here.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        configuration.connectionPool.retryConnectionEstablishment = false
        // Nobody looks at its traces, which took a twentieth of the processor time of a short file.
        configuration.tracing.tracer = nil
        let allowsLinkLocal = options.allowsLinkLocal
        let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            if !allowsLinkLocal, let refused = channel.remoteAddress.flatMap({ RefusedAddress($0) }) {
                // Its failure alone would leave it open.
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(refused)
            }
            return Reading.prepare(channel)
        }
        configuration.http1_1ConnectionDebugInitializer = prepare
        configuration.http2ConnectionDebugInitializer = prepare
        return configuration
    }

    /// Ends all threads. Called when nothing is carried any more; a closing connection may still take its time.
    func shutDown() {
        let (clients, group, pool, committer, names) = ([client, clientOfBoth], group, pool, committer, names)
        pool.submit { _ in
            // Fails only where it was shut down before.
            for client in clients { try? client.syncShutdown() }
            // A queue of our own: what uses a global one leaves a wake-up a second behind, for ever.
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

    // MARK: How much is in memory

    func attemptBegan() { load.withLock { $0.attempts += 1 } }
    func attemptEnded() { load.withLock { $0.attempts -= 1 } }

    /// A block of as many bytes as a transfer gathers before it writes them.
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

    /// How many blocks are kept for the next writes.
    private static let mostSpare = 8

    func hold(_ bytes: Int) { load.withLock { $0.bytes += bytes } }
    func release(_ bytes: Int) { load.withLock { $0.bytes -= bytes } }

    /// Whether a transfer that holds so many bytes has to wait until some are written.
    func isFull(holding bytes: Int) -> Bool {
        if bytes >= Self.mostOfOne { return true }
        return load.withLock { $0.bytes > Self.mostBytes && bytes > Self.mostBytes / max(1, 2 * $0.attempts) }
    }
}
