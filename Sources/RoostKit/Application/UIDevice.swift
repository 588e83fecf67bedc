public import Foundation
import LifeCycleModel

/// The device on which the app runs.
@preconcurrency @MainActor open class UIDevice: NSObject {
    /// The battery's state; raw values are Apple's.
    public enum BatteryState: Int, Sendable {
        /// Unknown, because `isBatteryMonitoringEnabled` is false.
        case unknown = 0
        /// The device runs on battery power.
        case unplugged = 1
        /// The battery is charging.
        case charging = 2
        /// The battery is full, and the device runs on external power.
        case full = 3
    }

    private static let ofProcess = UIDevice()

    /// The device of the running app. In a process that hosts no app, one device for the whole process.
    public static var current: UIDevice { AppRunner.current?.device ?? ofProcess }

    /// Whether this device lets apps run in the background (R-49, K091).
    open var isMultitaskingSupported: Bool { AppSession.current.isMultitaskingSupported }

    /// Whether the app monitors the battery; false by default.
    open var isBatteryMonitoringEnabled = false

    /// The battery's state; `.unknown` unless `isBatteryMonitoringEnabled`.
    open var batteryState: BatteryState {
        guard isBatteryMonitoringEnabled else { return .unknown }
        return switch AppSession.current.facts.batteryState {
        case .unplugged: .unplugged
        case .charging: .charging
        case .full: .full
        }
    }

    /// The battery's charge, from 0 to 1; -1 unless `isBatteryMonitoringEnabled`.
    open var batteryLevel: Float {
        guard isBatteryMonitoringEnabled else { return -1 }
        return Float(AppSession.current.facts.batteryLevel) / 100
    }

    /// Posted when `batteryState` has changed, if `isBatteryMonitoringEnabled`.
    nonisolated public static let batteryStateDidChangeNotification = Notification.Name(
        "UIDeviceBatteryStateDidChangeNotification")
    /// Posted when `batteryLevel` has changed, if `isBatteryMonitoringEnabled`.
    nonisolated public static let batteryLevelDidChangeNotification = Notification.Name(
        "UIDeviceBatteryLevelDidChangeNotification")
}
