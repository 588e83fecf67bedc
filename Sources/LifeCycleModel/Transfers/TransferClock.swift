/// A reading of the steady clock, which counts the timeouts and waits of transfers.
///
/// Setting the wall clock does not change it, and it continues while the device sleeps. After a restart of the system
/// it continues by the boot's clock. After a start of the device it continues by the wall clock, and never goes back.
public struct TransferClock: Hashable, Sendable, Codable {
    /// The steady clock's reading. The steady clock starts at the wall clock's reading at the first event.
    public var steady: Nanoseconds
    /// The wall clock's reading at the same instant.
    public var wall: Nanoseconds
    /// The reading of CLOCK_BOOTTIME, which counts from the device's start and includes its sleep.
    public var elapsed: Nanoseconds

    /// Created by the brain whenever it persists the steady clock.
    public init(steady: Nanoseconds, wall: Nanoseconds, elapsed: Nanoseconds) {
        self.steady = steady
        self.wall = wall
        self.elapsed = elapsed
    }
}
