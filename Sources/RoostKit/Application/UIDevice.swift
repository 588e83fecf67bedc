public import Foundation
import LifeCycleModel

/// The device an app runs on.
@preconcurrency @MainActor open class UIDevice: NSObject {
    /// What the battery is doing; the numbers are Apple's.
    public enum BatteryState: Int, Sendable {
        /// Not known, because `isBatteryMonitoringEnabled` is false.
        case unknown = 0
        /// The device runs on it.
        case unplugged = 1
        /// It is being charged.
        case charging = 2
        /// It is full, and the device runs on external power.
        case full = 3
    }

    private static let ofProcess = UIDevice()

    /// The one device there is.
    public static var current: UIDevice { AppRunner.current?.device ?? ofProcess }

    /// Whether apps may run in the background here (R-49, K091).
    open var isMultitaskingSupported: Bool { AppSession.current.isMultitaskingSupported }

    /// Whether the app wants to know about the battery: false, unless it says so.
    open var isBatteryMonitoringEnabled = false

    /// What the battery is doing; unknown unless `isBatteryMonitoringEnabled`.
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

    /// `batteryState` has changed; posted if `isBatteryMonitoringEnabled`.
    nonisolated public static let batteryStateDidChangeNotification = Notification.Name(
        "UIDeviceBatteryStateDidChangeNotification")
    /// `batteryLevel` has changed; posted if `isBatteryMonitoringEnabled`.
    nonisolated public static let batteryLevelDidChangeNotification = Notification.Name(
        "UIDeviceBatteryLevelDidChangeNotification")
}
