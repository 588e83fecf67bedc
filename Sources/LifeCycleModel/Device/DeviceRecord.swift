/// The persisted record of the device itself.
public struct DeviceRecord: Hashable, Sendable, Codable {
    /// The user's settings and the device's own facts.
    public var settings = DeviceSettings()
    /// Whether the screen is locked.
    public var isLocked = false
    /// Whether the device was unlocked since its start; true if it did not need unlocking.
    public var wasUnlockedSinceStart = true
    /// The app that was in the foreground when the screen was locked; nil for the home screen.
    public var frontBeforeLock: AppID?
    /// The interruption of the foreground app; nil if there is none.
    public var interruption: Interruption?
    /// The number of times that the clock was set.
    public var clockChanges: Int64 = 0

    /// The record of a device that was never locked, with the default settings.
    public init() {}
}
