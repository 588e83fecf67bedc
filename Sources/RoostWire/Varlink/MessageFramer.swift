/// Cuts a stream of bytes into messages: each ends with a NUL byte (varlink.org).
///
/// It holds at most one unfinished message, never longer than the limit: what would exceed it is refused before it
/// is stored. After an error the stream has no meaning any more; every further call throws the same.
public struct MessageFramer: Hashable, Sendable {
    private let limit: Int
    private var unfinished: [UInt8] = []
    private var failure: WireError?

    /// A framer for messages of up to `limit` bytes.
    public init(limit: Int = WireLimits.message) { self.limit = limit }

    /// How many bytes of an unfinished message are held.
    public var heldBytes: Int { unfinished.count }

    /// Takes bytes as they came, and appends the messages they complete, without their NUL. Where it throws,
    /// `messages` holds those that were complete and sound before the bad one.
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
