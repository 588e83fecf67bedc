import LifeCycleModel

/// A file that a virtual server has.
struct ServedFile: Hashable, Sendable {
    /// How long it is, in bytes.
    var size: Int64
    /// Whether the server gives something by which it can be resumed.
    var hasValidator = true
    /// What the server answers: to HTTP, what is no success is an answer as well.
    var status: Int32 = 200
    /// Whether anything ever comes back.
    var isAnswered = true
    /// Counted up as it changes.
    var version: Int32 = 1

    /// The `ETag` of this version.
    var validator: String? { hasValidator ? "\"\(version)\"" : nil }
}

/// The link of a virtual device, and the servers behind it.
struct VirtualNetwork: Hashable, Sendable {
    /// What the device reaches it by.
    var kind = Network.wifi
    /// How fast one transfer is.
    var bytesPerSecond: Int64 = 4 << 20
    /// Until then nothing arrives, though the link is up.
    var outageUntil = Nanoseconds.zero
    /// By URL. In no order that matters: looked up only.
    private(set) var files: [String: ServedFile] = [:]

    /// There is such a file from now on.
    mutating func serve(_ file: ServedFile, at url: String) { files[url] = file }

    /// Its server answers from now on.
    mutating func wakeServer(of url: String) { files[url]?.isAnswered = true }

    /// Another version of it is there from now on, of another length.
    mutating func change(_ url: String) {
        files[url]?.version += 1
        files[url]?.size += 1
    }

    /// How long so many bytes take, and no byte less.
    func time(for bytes: Int64) -> Nanoseconds {
        let whole = bytes / bytesPerSecond
        let rest = bytes % bytesPerSecond
        return .seconds(whole) + Nanoseconds((rest * 1_000_000_000 + bytesPerSecond - 1) / bytesPerSecond)
    }

    /// How many bytes arrive in a time.
    func bytes(in time: Nanoseconds) -> Int64 {
        let seconds = time.rawValue / 1_000_000_000
        return seconds * bytesPerSecond + (time.rawValue % 1_000_000_000) * bytesPerSecond / 1_000_000_000
    }
}
