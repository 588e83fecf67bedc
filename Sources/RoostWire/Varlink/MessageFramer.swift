/// Splits a stream of bytes into messages, which end with a NUL byte (varlink.org).
///
/// It holds at most one incomplete message, which never exceeds the limit: further bytes are rejected before they are
/// stored. After an error the stream is invalid, and each later call throws the same error.
public struct MessageFramer: Hashable, Sendable {
    private let limit: Int
    private var unfinished: [UInt8] = []
    private var failure: WireError?

    /// A framer for messages of up to `limit` bytes.
    public init(limit: Int = WireLimits.message) { self.limit = limit }

    /// The size of the incomplete message, in bytes.
    public var heldBytes: Int { unfinished.count }

    /// Takes received bytes, and appends each completed message without its NUL. If it throws, `messages` has the valid
    /// messages before the invalid one.
    public mutating func feed(_ bytes: ArraySlice<UInt8>, into messages: inout [[UInt8]]) throws(WireError) {
        if let failure { throw failure }
        var rest = bytes
        while let end = rest.firstIndex(of: 0) {
            try hold(rest[..<end])
            guard !unfinished.isEmpty else { throw fail(.emptyMessage) }
            messages.append(unfinished)
            unfinished = []
            rest = rest[rest.index(after: end)...]
        }
        try hold(rest)
    }

    private mutating func hold(_ part: ArraySlice<UInt8>) throws(WireError) {
        guard part.count <= limit - unfinished.count else { throw fail(.messageTooLong(limit: limit)) }
        unfinished.append(contentsOf: part)
    }

    private mutating func fail(_ error: WireError) -> WireError {
        failure = error
        unfinished = []
        return error
    }
}
