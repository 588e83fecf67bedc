import LifeCycleModel
public import Logging

/// A log that escapes text from outside: control characters are made visible, and long text is cut. Otherwise any
/// client of a socket could forge log lines, or send control sequences to the terminal.
public struct VisibleLog: LogHandler {
    private var inner: any LogHandler

    /// The most bytes of one text.
    static let longest = 4096

    /// Wraps another log.
    public init(_ inner: any LogHandler) { self.inner = inner }

    /// The level of the wrapped log.
    public var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    /// The metadata of the wrapped log.
    public var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = Self.visible(newValue) }
    }

    /// The metadata provider of the wrapped log.
    public var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    /// Set values are stored as text, with unprintable characters made visible.
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
