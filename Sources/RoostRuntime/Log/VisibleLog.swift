import LifeCycleModel
public import Logging

/// A log in which every line is ours: what others have said is written with its control characters made visible, and cut
/// where it is long. Whoever may connect to a socket could otherwise write lines of their own, and to the terminal.
public struct VisibleLog: LogHandler {
    private var inner: any LogHandler

    /// The most of one text that is written, in bytes.
    static let longest = 4096

    /// Writes to another log.
    public init(_ inner: any LogHandler) { self.inner = inner }

    /// The other log's level.
    public var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    /// The other log's metadata.
    public var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = Self.visible(newValue) }
    }

    /// The other log's metadata provider.
    public var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    /// One value of `metadata`.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue.map { .string(Self.visible($0.description)) } }
    }

    /// Writes a line.
    public func log(event: LogEvent) {
        var event = event
        event.message = "\(Self.visible(event.message.description))"
        event.metadata = event.metadata.map { Self.visible($0) }
        inner.log(event: event)
    }

    private static func visible(_ metadata: Logger.Metadata) -> Logger.Metadata {
        metadata.mapValues { .string(visible($0.description)) }
    }

    private static func visible(_ text: String) -> String {
        text.utf8.count <= longest ? text.visible : text.prefix(bytes: longest).visible + "…"
    }
}
