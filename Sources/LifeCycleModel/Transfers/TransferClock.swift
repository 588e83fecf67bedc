/// Where the clock stood that counts the spans of transfers: their timeouts, and how long they wait.
///
/// No setting of the wall clock moves it, and it goes on in the device's sleep. Over a restart of the system it goes by the
/// clock of the boot; over the device's own start by the wall clock, and never back.
public struct TransferClock: Hashable, Sendable, Codable {
    /// Its reading: the wall clock's at the first event, and counted on from there.
    public var steady: Nanoseconds
    /// That of the wall clock at the same instant.
    public var wall: Nanoseconds
    /// That of the clock that counts from the device's start, its sleep included.
    public var elapsed: Nanoseconds

    /// These readings.
    public init(steady: Nanoseconds, wall: Nanoseconds, elapsed: Nanoseconds) {
        self.steady = steady
        self.wall = wall
        self.elapsed = elapsed
    }
}
