internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Settings for reading from connections.
enum Reading {
    /// The most bytes per read. They fit in the processor's cache together with their copy, and are passed on before
    /// the next read.
    private static let atOnce = 256 << 10
    /// The receive buffer in bytes for a server with a round-trip time of at most `nearby` microseconds. It is enough
    /// for 250 MB per second, and for gigabytes on the same machine. By default the kernel would buffer many megabytes,
    /// and these would be lost with the process.
    private static let heldNearby: SocketOptionValue = 256 << 10
    private static let nearby = 1000

    /// Configures a new connection.
    static func prepare(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.setOption(.maxMessagesPerRead, value: 1)
            .flatMap {
                channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: atOnce))
            }
            .flatMap { holdLittleFromNearby(channel) }
    }

    private static func holdLittleFromNearby(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return socket.getTCPInfo().flatMap { info in
            info.tcpi_rtt < nearby
                ? channel.setOption(.socketOption(.so_rcvbuf), value: heldNearby)
                : channel.eventLoop.makeSucceededVoidFuture()
        }
    }
}
