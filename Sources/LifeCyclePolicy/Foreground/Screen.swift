import LifeCycleModel

/// The device itself: what is set, whether it is locked, what interrupts the app in front, and when it locks itself.
///
/// ```
///   unlocked ──deviceLocked, autoLock──▶ locked
///      ▲                                   │
///      └────────────deviceUnlocked─────────┘
/// ```
struct Screen: Hashable, Sendable, Codable {
    private(set) var record: DeviceRecord
    /// When the user last did something; nil where it does not matter.
    private var lastTouch: Nanoseconds?

    init(record: DeviceRecord = DeviceRecord()) { self.record = record }

    /// When it locks itself if nobody touches it; nil where it never does, or is locked.
    var autoLockAt: Nanoseconds? {
        guard !record.isLocked, let length = record.settings.autoLock, let lastTouch else { return nil }
        return lastTouch + length
    }

    /// The user did something.
    mutating func touched(at now: Nanoseconds) { lastTouch = record.settings.autoLock == nil ? nil : now }

    /// After the system's restart nobody knows when the device was last touched: the time begins anew.
    mutating func noticed(at now: Nanoseconds) {
        if lastTouch == nil, record.settings.autoLock != nil { lastTouch = now }
    }

    mutating func changed(_ setting: DeviceSetting, at now: Nanoseconds) {
        record.settings = record.settings.changed(by: setting)
        touched(at: now)
    }

    mutating func interrupted(by interruption: Interruption?) { record.interruption = interruption }

    mutating func locked(front: AppID?) {
        record.isLocked = true
        record.frontBeforeLock = front
    }

    /// `app` is gone, or was sent away: unlocking does not bring it back. Gives whether that changes anything.
    mutating func left(_ app: AppID) -> Bool {
        guard record.frontBeforeLock == app else { return false }
        record.frontBeforeLock = nil
        return true
    }

    /// Gives who was in front before, and whether this is the first unlocking since the device's start.
    mutating func unlocked(at now: Nanoseconds) -> (front: AppID?, isFirst: Bool) {
        let result = (record.frontBeforeLock, !record.wasUnlockedSinceStart)
        record.isLocked = false
        record.wasUnlockedSinceStart = true
        record.frontBeforeLock = nil
        touched(at: now)
        return result
    }

    /// The device was started: with a passcode it is locked until that is given.
    mutating func started() {
        record.isLocked = record.settings.hasPasscode
        record.wasUnlockedSinceStart = !record.settings.hasPasscode
        record.frontBeforeLock = nil
        record.interruption = nil
    }

    mutating func clockWasSet() { record.clockChanges += 1 }

    /// What `app` may know of the device.
    func facts(for app: AppRecord) -> DeviceFacts {
        var facts = DeviceFacts()
        facts.isProtectedDataAvailable = !(record.isLocked && record.settings.hasPasscode)
        facts.backgroundRefresh = LaunchRules.allowsRefresh(app, record) ? .available : .denied
        facts.isLowPowerModeEnabled = record.settings.lowPowerMode
        facts.power = record.settings.power
        facts.batteryLevel = record.settings.batteryLevel
        facts.clockChanges = record.clockChanges
        return facts
    }
}
