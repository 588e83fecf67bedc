package import LifeCycleModel

/// The limits on what passes from gpsd to the supervisor. In each tenth of a second, one position is passed on, and the
/// number of bytes and of pieces that are read is limited. The kernel then slows down a peer that sends more.
package struct Pace {
    package static let interval = Nanoseconds.milliseconds(100)
    /// A receiver sends about 3 KiB ten times a second at most.
    package static let bytesPerInterval = 64 << 10
    /// The most reads. Without this limit, a peer that sends single bytes wakes the process for each byte.
    package static let piecesPerInterval = 32

    private var newest: LocationFix?
    private var passedAt: Nanoseconds?
    private var readingSince = Nanoseconds.zero
    private var bytesRead = 0
    private var piecesRead = 0

    package init() {}

    /// Takes a new position. If an older position still waits, the new one replaces it.
    package mutating func add(_ position: LocationFix) { newest = position }

    /// The position to pass on now; nil if none waits, or if the last was passed on too recently.
    package mutating func takeDue(at now: Nanoseconds) -> LocationFix? {
        guard let newest, (passedAt.map { $0 + Self.interval <= now } ?? true) else { return nil }
        self.newest = nil
        passedAt = now
        return newest
    }

    /// Records that a piece of so many bytes was read.
    package mutating func read(_ count: Int, at now: Nanoseconds) {
        if now >= readingSince + Self.interval { (readingSince, bytesRead, piecesRead) = (now, 0, 0) }
        bytesRead += count
        piecesRead += 1
    }

    /// Whether more may be read now.
    package func mayRead(at now: Nanoseconds) -> Bool {
        bytesRead < Self.bytesPerInterval && piecesRead < Self.piecesPerInterval || now >= readingSince + Self.interval
    }

    /// When a position is due, or more may be read; nil if neither waits.
    package func nextDeadline(at now: Nanoseconds) -> Nanoseconds? {
        let passing = newest == nil ? nil : (passedAt ?? now) + (passedAt == nil ? .zero : Self.interval)
        let reading = mayRead(at: now) ? nil : readingSince + Self.interval
        return [passing, reading].compactMap(\.self).min()
    }
}
