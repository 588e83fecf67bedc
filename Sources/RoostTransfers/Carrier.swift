internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// The threads and connections there are while anything is carried: one event loop, which never blocks, and a few
/// threads that may.
final class Carrier: Sendable {
    let pool: NIOThreadPool
    let loop: any EventLoop
    let client: HTTPClient
    private let group: MultiThreadedEventLoopGroup
    private let load = Mutex(Load())

    private struct Load {
        var attempts = 0
        var bytes = 0
    }

    /// How many threads write and sync: each may be held up by the disk for long.
    private static let writers = 4
    /// How many bytes may be in memory, of all transfers together.
    private static let mostBytes = 8 << 20
    /// How many are written at once, where there are few transfers.
    private static let mostAtOnce = 512 << 10
    private static let fewestAtOnce = 64 << 10

    init(options: TransferOptions) {
        pool = NIOThreadPool(numberOfThreads: Self.writers)
        pool.start()
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        client = HTTPClient(
            eventLoopGroupProvider: .shared(group), configuration: Self.configuration(options: options))
    }

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
        return configuration
    }

    /// Ends all threads. Called when nothing is carried any more; a closing connection may still take its time.
    func shutDown() {
        let (client, group, pool) = (client, group, pool)
        pool.submit { _ in
            // Both fail only where they were shut down before.
            try? client.syncShutdown()
            try? group.syncShutdownGracefully()
            pool.shutdownGracefully { _ in }
        }
    }

    // MARK: How much is in memory

    func attemptBegan() { load.withLock { $0.attempts += 1 } }
    func attemptEnded() { load.withLock { $0.attempts -= 1 } }

    /// How many bytes a transfer gathers before it writes them.
    var writeSize: Int {
        let attempts = load.withLock { $0.attempts }
        return min(Self.mostAtOnce, max(Self.fewestAtOnce, Self.mostBytes / 2 / max(1, attempts)))
    }

    func hold(_ bytes: Int) { load.withLock { $0.bytes += bytes } }
    func release(_ bytes: Int) { load.withLock { $0.bytes -= bytes } }

    /// Whether a transfer that holds so many bytes has to wait until some are written.
    func isFull(holding bytes: Int) -> Bool {
        load.withLock { $0.bytes > Self.mostBytes && bytes > Self.mostBytes / max(1, 2 * $0.attempts) }
    }
}
