package import LifeCycleModel

/// A length and a server's behavior; no bytes exist.
public struct ServedFile: Hashable, Sendable {
    /// The length in bytes.
    public var size: Int64
    /// Whether the server sends a validator, which is needed to resume.
    public var hasValidator = true
    /// The HTTP status of the answer. An error status is also an answer.
    public var status: Int32 = 200
    /// Whether the server ever answers.
    public var isAnswered = true
    /// Increases with each change.
    public var version: Int32 = 1
    /// A fault of each attempt at the file; nil for no certain fault.
    public var trouble: VirtualEngine.Trouble?

    /// By default the server answers with 200 and a validator, so that the file can be resumed.
    public init(
        size: Int64, hasValidator: Bool = true, status: Int32 = 200, isAnswered: Bool = true, version: Int32 = 1
    ) {
        self.size = size
        self.hasValidator = hasValidator
        self.status = status
        self.isAnswered = isAnswered
        self.version = version
    }

    /// The `ETag` of this version; nil without a validator.
    public var validator: String? { hasValidator ? "\"\(version)\"" : nil }
}

/// The network connection of a virtual device, and the servers.
package struct VirtualNetwork: Hashable, Sendable {
    /// The kind of the connection.
    package var kind = Network.wifi
    /// The speed of one transfer.
    package var bytesPerSecond: Int64 = 4 << 20
    /// Nothing arrives before this time, although the connection is up.
    package var outageUntil = Nanoseconds.zero
    /// By URL. For look-up only, so the order does not matter.
    package private(set) var files: [String: ServedFile] = [:]

    /// A Wi-Fi connection without any server.
    package init() {}

    /// Puts a file on a server.
    package mutating func serve(_ file: ServedFile, at url: String) { files[url] = file }

    /// Makes the server answer requests for the file.
    package mutating func wakeServer(of url: String) { files[url]?.isAnswered = true }

    /// Replaces a file by another version of another length.
    package mutating func change(_ url: String) {
        files[url]?.version += 1
        files[url]?.size += 1
    }

    /// How long it takes until all of these bytes have arrived.
    package func time(for bytes: Int64) -> Nanoseconds {
        let whole = bytes / bytesPerSecond
        let rest = bytes % bytesPerSecond
        return .seconds(whole) + Nanoseconds((rest * 1_000_000_000 + bytesPerSecond - 1) / bytesPerSecond)
    }

    /// How many bytes arrive in this time.
    package func bytes(in time: Nanoseconds) -> Int64 {
        let seconds = time.rawValue / 1_000_000_000
        return seconds * bytesPerSecond + (time.rawValue % 1_000_000_000) * bytesPerSecond / 1_000_000_000
    }
}
