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
    /// Whether it was unlocked since the device was started; true where it needed no unlocking.
    private(set) var wasUnlockedSinceStart: Bool
    /// Who was in front when it was locked.
    private(set) var frontBeforeLock: AppID?
    /// When the user last did something; nil where it does not matter.
    private var lastTouch: Nanoseconds?

    init(record: DeviceRecord = DeviceRecord()) {
        isLocked = record.isLocked
        wasUnlockedSinceStart = record.wasUnlockedSinceStart
        frontBeforeLock = record.frontBeforeLock
    }

    /// When the device locks itself if nobody touches it; nil where it never does, or is locked (T09).
    func autoLockAt(_ settings: DeviceSettings) -> Nanoseconds? {
        guard !isLocked, let length = settings.autoLock, let lastTouch else { return nil }
        return lastTouch + length
    }

    /// The user did something.
    mutating func touched(_ settings: DeviceSettings, at now: Nanoseconds) {
        lastTouch = settings.autoLock == nil ? nil : now
    }

    /// After the system's restart nobody knows when the device was last touched: the time begins anew.
    mutating func noticed(_ settings: DeviceSettings, at now: Nanoseconds) {
        if lastTouch == nil, settings.autoLock != nil { lastTouch = now }
    }

    mutating func locked(front: AppID?) {
        isLocked = true
        frontBeforeLock = front
    }

    /// `app` is gone, or was sent away: unlocking does not bring it back. Gives whether that changes anything.
    mutating func left(_ app: AppID) -> Bool {
        guard frontBeforeLock == app else { return false }
        frontBeforeLock = nil
        return true
    }

    /// Gives who was in front before, and whether this is the first unlocking since the device's start.
    mutating func unlocked() -> (front: AppID?, isFirst: Bool) {
        let result = (frontBeforeLock, !wasUnlockedSinceStart)
        isLocked = false
        wasUnlockedSinceStart = true
        frontBeforeLock = nil
        return result
    }

    /// The device was started: with a passcode it is locked until that is given.
    mutating func started(hasPasscode: Bool) {
        isLocked = hasPasscode
        wasUnlockedSinceStart = !hasPasscode
        frontBeforeLock = nil
    }
}
