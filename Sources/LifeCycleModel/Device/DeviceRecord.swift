/// What the system keeps on disk of the device itself.
public struct DeviceRecord: Hashable, Sendable, Codable {
    /// What the user has set.
    public var settings = DeviceSettings()
    /// Whether the screen is locked.
    public var isLocked = false
    /// Whether it was unlocked since the device was started; true where it needed no unlocking.
    public var wasUnlockedSinceStart = true
    /// Who was in front when it was locked.
    public var frontBeforeLock: AppID?
    /// What interrupts the app in front.
    public var interruption: Interruption?
    /// How often the clock has been set.
    public var clockChanges: Int64 = 0

    /// A device that was never locked, with the settings it comes with.
    public init() {}
}
