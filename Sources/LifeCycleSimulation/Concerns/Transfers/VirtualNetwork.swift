package import LifeCycleModel

/// A file that a virtual server has.
public struct ServedFile: Hashable, Sendable {
    /// How long it is, in bytes.
    public var size: Int64
    /// Whether the server gives something by which it can be resumed.
    public var hasValidator = true
    /// What the server answers: to HTTP, what is no success is an answer as well.
    public var status: Int32 = 200
    /// Whether anything ever comes back.
    public var isAnswered = true
    /// Counted up as it changes.
    public var version: Int32 = 1
    /// What goes wrong with each attempt at it; nil where nothing does of itself.
    public var trouble: VirtualEngine.Trouble?

    /// A file of this length, which is answered with success.
    public init(
        size: Int64, hasValidator: Bool = true, status: Int32 = 200, isAnswered: Bool = true, version: Int32 = 1
    ) {
        self.size = size
        self.hasValidator = hasValidator
        self.status = status
        self.isAnswered = isAnswered
        self.version = version
    }

    /// The `ETag` of this version.
    public var validator: String? { hasValidator ? "\"\(version)\"" : nil }
}

/// The link of a virtual device, and the servers behind it.
package struct VirtualNetwork: Hashable, Sendable {
    /// What the device reaches it by.
    package var kind = Network.wifi
    /// How fast one transfer is.
    package var bytesPerSecond: Int64 = 4 << 20
    /// Until then nothing arrives, though the link is up.
    package var outageUntil = Nanoseconds.zero
    /// By URL. In no order that matters: looked up only.
    package private(set) var files: [String: ServedFile] = [:]

    /// By Wi-Fi, with no server behind it.
    package init() {}

    /// There is such a file from now on.
    package mutating func serve(_ file: ServedFile, at url: String) { files[url] = file }

    /// Its server answers from now on.
    package mutating func wakeServer(of url: String) { files[url]?.isAnswered = true }

    /// Another version of it is there from now on, of another length.
    package mutating func change(_ url: String) {
        files[url]?.version += 1
        files[url]?.size += 1
    }

    /// How long so many bytes take, and no byte less.
    package func time(for bytes: Int64) -> Nanoseconds {
        let whole = bytes / bytesPerSecond
        let rest = bytes % bytesPerSecond
        return .seconds(whole) + Nanoseconds((rest * 1_000_000_000 + bytesPerSecond - 1) / bytesPerSecond)
    }

    /// How many bytes arrive in a time.
    package func bytes(in time: Nanoseconds) -> Int64 {
        let seconds = time.rawValue / 1_000_000_000
        return seconds * bytesPerSecond + (time.rawValue % 1_000_000_000) * bytesPerSecond / 1_000_000_000
    }
}
