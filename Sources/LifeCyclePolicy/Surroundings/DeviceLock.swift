import LifeCycleModel

/// Whether the device is locked, and when it locks itself.
///
/// ```
///   unlocked ──deviceLocked, autoLock──▶ locked
///      ▲                                   │
///      └────────────deviceUnlocked─────────┘
/// ```
struct DeviceLock: Hashable, Sendable, Codable {
    private(set) var isLocked: Bool
    /// Whether the device was unlocked since its start; true if it did not need unlocking.
    private(set) var wasUnlockedSinceStart: Bool
    /// The app that was in the foreground when the device was locked; nil for the home screen.
    private(set) var frontBeforeLock: AppID?
    /// The time of the user's last action; nil if auto-lock is off.
    private var lastTouch: Nanoseconds?

    init(record: DeviceRecord = DeviceRecord()) {
        isLocked = record.isLocked
        wasUnlockedSinceStart = record.wasUnlockedSinceStart
        frontBeforeLock = record.frontBeforeLock
    }

    /// The time at which the untouched device locks itself; nil if it never does, or is locked (T09).
    func autoLockAt(_ settings: DeviceSettings) -> Nanoseconds? {
        guard !isLocked, let length = settings.autoLock, let lastTouch else { return nil }
        return lastTouch + length
    }

    /// The user used the device.
    mutating func touched(_ settings: DeviceSettings, at now: Nanoseconds) {
        lastTouch = settings.autoLock == nil ? nil : now
    }

    /// Starts the auto-lock time if the last touch is unknown, as after a restart of the system.
    mutating func noticed(_ settings: DeviceSettings, at now: Nanoseconds) {
        if lastTouch == nil, settings.autoLock != nil { lastTouch = now }
    }

    mutating func locked(foregroundApp: AppID?) {
        isLocked = true
        frontBeforeLock = foregroundApp
    }

    /// `app` has ended, or was sent away: unlocking does not bring `app` back. Returns whether the state changed.
    mutating func left(_ app: AppID) -> Bool {
        guard frontBeforeLock == app else { return false }
        frontBeforeLock = nil
        return true
    }

    /// Returns the app that was in the foreground, and whether this is the first unlocking since the device's start.
    mutating func unlocked() -> (foregroundApp: AppID?, isFirst: Bool) {
        let result = (frontBeforeLock, !wasUnlockedSinceStart)
        isLocked = false
        wasUnlockedSinceStart = true
        frontBeforeLock = nil
        return result
    }

    /// The device was started. With a passcode, it is locked until the user enters the passcode.
    mutating func started(hasPasscode: Bool) {
        isLocked = hasPasscode
        wasUnlockedSinceStart = !hasPasscode
        frontBeforeLock = nil
    }
}
