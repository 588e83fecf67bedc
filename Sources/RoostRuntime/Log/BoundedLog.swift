import LifeCycleModel
import Logging

/// How many lines may be written of what others bring about as often as they like: so many at once, then one in a while.
struct LineLimit: Hashable, Sendable {
    /// So many are written at once.
    static let burst: Int64 = 10
    /// After them one is written in this time.
    static let pause = Nanoseconds.seconds(10)

    /// Until when the lines so far take, where each takes a `pause`.
    private var taken: Nanoseconds?
    private var leftOut: Int64 = 0

    /// There is something to write: how many were left out since the last line, or nil where this one is as well.
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

/// A log of what others bring about as often as they like: it does not fill the disk.
struct BoundedLog {
    private let logger: Logger
    private var limit = LineLimit()

    /// Writes to another log.
    init(_ logger: Logger) { self.logger = logger }

    /// Writes a warning, unless there were too many; it says how many were left out before it.
    mutating func warning(_ message: Logger.Message, metadata: Logger.Metadata, at now: Nanoseconds = EventLoop.now) {
        guard let leftOut = limit.next(at: now) else { return }
        var metadata = metadata
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.warning(message, metadata: metadata)
    }
}
