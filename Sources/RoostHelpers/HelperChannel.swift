internal import Glibc

/// One end of the stream between supervisor and helper. Each frame begins with its length.
package struct HelperChannel: ~Copyable {
    package let descriptor: Int32
    private let longest: Int
    private var unread: [UInt8] = []
    /// The number of bytes of `unread` that have been taken.
    private var taken = 0
    private var unsent: [UInt8] = []
    private var sent = 0

    /// The state of the stream after a read.
    package enum Look: Hashable { case open, hungUp }

    /// Takes ownership of the descriptor. No incoming message is longer than `longest` bytes.
    package init(taking descriptor: Int32, longest: Int) {
        self.descriptor = descriptor
        self.longest = longest
    }

    deinit { close(descriptor) }

    package var isSendingLate: Bool { sent < unsent.count }
    package var unsentBytes: Int { unsent.count - sent }

    // MARK: Reading

    /// Reads available bytes without blocking, at most `piece` of them.
    package mutating func receive() -> Look {
        if taken > 0 {
            unread.removeFirst(taken)
            taken = 0
        }
        return withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 16) { buffer in
            while true {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count > 0 {
                    unread.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    return .open
                }
                if count == 0 { return .hungUp }
                if errno == EAGAIN { return .open }
                if errno != EINTR { return .hungUp }
            }
        }
    }

    private static let piece = 64 << 10

    /// The next complete message; nil if no complete message has arrived.
    package mutating func next() throws(Malformed) -> ArraySlice<UInt8>? {
        let there = unread.count - taken
        guard there >= 4 else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(unread[taken + $1]) << (8 * $1) }
        guard length <= longest else { throw Malformed() }
        guard there >= 4 + length else { return nil }
        defer { taken += 4 + length }
        return unread[(taken + 4)..<(taken + 4 + length)]
    }

    // MARK: Sending

    /// Appends a frame to the unsent bytes. `flush` sends it.
    package mutating func add(_ frame: [UInt8]) { unsent += frame }

    /// Queues a frame behind the unsent bytes, and sends what the socket takes without blocking.
    package mutating func send(_ frame: [UInt8]) {
        add(frame)
        flush()
    }

    /// Sends unsent bytes without blocking. Errors are ignored: the next read shows that the peer has gone.
    package mutating func flush() {
        while sent < unsent.count {
            let count = unsent.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            sent += count
        }
        if sent == unsent.count || sent > Self.piece {
            unsent.removeFirst(sent)
            sent = 0
        }
    }
}
