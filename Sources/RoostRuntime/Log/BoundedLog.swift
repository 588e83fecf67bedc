import LifeCycleModel
import Logging

/// A rate limit for log lines that outsiders can cause: a burst, then one line per pause.
struct LineLimit: Hashable, Sendable {
    /// The most lines in a burst.
    static let burst: Int64 = 10
    /// The time per line after a burst.
    static let pause = Nanoseconds.seconds(10)

    /// The end of the time that the lines so far use up, at one `pause` per line.
    private var taken: Nanoseconds?
    private var leftOut: Int64 = 0

    /// Asks for a line. Returns the number of lines left out since the last line; nil if this line must be left out,
    /// too.
    mutating func next(at now: Nanoseconds) -> Int64? {
        let begin = max(taken ?? now, now)
        guard begin - now <= Nanoseconds(Self.pause.rawValue * (Self.burst - 1)) else {
            leftOut += 1
            return nil
        }
        taken = begin + Self.pause
        defer { leftOut = 0 }
        return leftOut
    }
}

/// A log with a limit, for lines that outsiders can cause. Such lines thus cannot fill the disk.
struct BoundedLog {
    private let logger: Logger
    private var limit = LineLimit()

    /// Wraps another log.
    init(_ logger: Logger) { self.logger = logger }

    /// Writes a warning, unless the limit is reached. The line says how many warnings were left out before it.
    mutating func warning(_ message: Logger.Message, metadata: Logger.Metadata, at now: Nanoseconds = EventLoop.now) {
        guard let leftOut = limit.next(at: now) else { return }
        var metadata = metadata
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.warning(message, metadata: metadata)
    }
}
