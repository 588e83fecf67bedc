internal import Glibc
internal import NIOCore
internal import NIOPosix

/// How connections are read.
enum Reading {
    /// As much is read at once as the processor's cache holds beside what it is copied to, and handed on before more is.
    private static let atOnce = 256 << 10
    /// What the kernel may hold of what has come from a server nearby, to which the way there and back takes so many
    /// microseconds at most: enough for 250 MB a second, and for gigabytes on the same machine. Left to itself it takes as
    /// many megabytes as it can get, and all that it holds is lost with the process.
    private static let heldNearby: SocketOptionValue = 256 << 10
    private static let nearby = 1000

    /// Prepares a connection that has just been made.
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
